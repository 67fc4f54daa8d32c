import { Bone, share } from "../../ui/Bones.tsx";
import { Head } from "./Head.tsx";
import classes from "./List.module.css";

/** A placeholder for entries. */
export function EntryBones({ rows }: { rows: number }) {
  return (
    <div className={classes.bones} aria-hidden>
      <Head />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <span className={classes.time}>
            <Bone width="9rem" />
          </span>
          <span className={classes.level}>
            <Bone width="3rem" />
          </span>
          <span className={classes.message}>
            <Bone width={share(row)} />
          </span>
          <span className={classes.logger}>
            <Bone width="5rem" />
          </span>
        </div>
      ))}
    </div>
  );
}
