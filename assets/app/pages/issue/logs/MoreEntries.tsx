import { Button } from "@mantine/core";
import { exact } from "../../../ui/format.ts";
import classes from "./TraceLogs.module.css";

interface Props {
  count: number;
  words: "earlier" | "later";
  more: () => void;
  /** As many as are shown here. */
  isAll: boolean;
}

/** A row that loads more entries on one side of the event. */
export function MoreEntries({ count, words, more, isAll }: Props) {
  if (count <= 0) return null;
  return (
    <li className={classes.more}>
      {isAll ? (
        <span>
          {exact(count)} {words} entries are in the log explorer.
        </span>
      ) : (
        <Button variant="subtle" size="compact-xs" onClick={more}>
          Show {words} entries ({exact(count)} more)
        </Button>
      )}
    </li>
  );
}
