import { memo } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { plain, visible } from "../../ui/visible.ts";
import { piecesOf } from "./pieces.ts";
import classes from "./List.module.css";

/** Code units of a message in a row, and in its tooltip. */
const most = { row: 600, tip: 2_000 };

/** A message in one line with the hits marked; more of it on hover. */
export const Message = memo(function Message({ message, highlights }: Pick<LogEntry, "message" | "highlights">) {
  const title = message.length > most.tip ? `${message.slice(0, most.tip)}…` : message;
  return (
    <bdi className="cut" title={visible(plain(title))}>
      {piecesOf(message, highlights, most.row).map(({ text, hit }, at) =>
        hit ? (
          <mark key={at} className={classes.mark}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </bdi>
  );
});
