import { Bone, share } from "../../ui/Bones.tsx";
import { isLimited, type Limits } from "../../navigation/limits.ts";
import { Head } from "./Head.tsx";
import classes from "./List.module.css";

/** A placeholder for a list: its head, and rows without text. */
export function ListBones({ rows, limits }: { rows: number; limits: Limits }) {
  return (
    <div className={`${classes.bones} ${isLimited(limits) ? classes.limited : ""}`} aria-hidden>
      <Head limits={limits} />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <RowBones place={row} />
        </div>
      ))}
    </div>
  );
}

/** The cells of a row whose issue is not loaded yet. */
export function RowBones({ place }: { place: number }) {
  return (
    <>
      <span role="cell" className={classes.check}>
        <Bone width="1rem" height="1rem" />
      </span>
      <span role="cell" className={classes.what}>
        <span className={classes.heading}>
          <span className={classes.title}>
            <Bone width="0.9375rem" height="0.9375rem" />
            <Bone width={share(place)} height="0.875rem" />
          </span>
        </span>
        <span className={classes.culprit}>
          <Bone width={share(place + 3)} />
        </span>
      </span>
      <span role="cell" className={classes.trend}>
        <Bone />
      </span>
      <Figure className={classes.events} />
      <Figure className={classes.users} />
      <Figure className={classes.last} />
      <Figure className={classes.first} />
    </>
  );
}

function Figure({ className }: { className: string | undefined }) {
  return (
    <span role="cell" className={className}>
      <span className={classes.figure}>
        <Bone width="2.25rem" />
      </span>
    </span>
  );
}
