import { useId } from "react";
import { JsonTree } from "../../../ui/JsonTree.tsx";
import classes from "./Stack.module.css";

/** What the local variables of a frame held, as the client sent it. */
export function Locals({ vars }: { vars: object }) {
  const name = useId();
  return (
    <div className={classes.locals} role="group" aria-labelledby={name}>
      <p id={name} className="muted">
        Local variables
      </p>
      <JsonTree value={vars} open={1} />
    </div>
  );
}
