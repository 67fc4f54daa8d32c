import { type Limits, limitsOf } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import classes from "./Release.module.css";

/** The environment and the period that the lists around a release's page are limited to. */
export const useLimits = (): Required<Limits> => limitsOf(useCarried("releases"));

/** Says what a page is limited to. */
export const Scope = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : <p className={classes.lead}>{words}</p>;
