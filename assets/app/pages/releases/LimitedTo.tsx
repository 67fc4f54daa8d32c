import classes from "./Release.module.css";

/** Says what a page is limited to. */
export const LimitedTo = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : <p className={classes.lead}>{words}</p>;
