import { CircleAlert } from "lucide-react";
import { messageOf } from "../api/error.ts";
import classes from "./Alarm.module.css";
import { Sentence } from "./Text.tsx";

/** An error in a form; nothing while there is none. */
export function Alarm({ error, what }: { error: unknown; what?: string }) {
  // Always rendered, so that screen readers announce an error when it appears.
  return (
    <div role="alert" className={classes.place}>
      {error !== undefined && (
        <p className={classes.alarm}>
          <CircleAlert size="1rem" aria-hidden />
          <span>
            {what && `${what} `}
            <Sentence text={messageOf(error)} />
          </span>
        </p>
      )}
    </div>
  );
}
