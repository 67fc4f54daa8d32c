import { Bone, share } from "../../ui/Bones.tsx";
import classes from "./List.module.css";
import { Head } from "./ReplayHead.tsx";

/** A placeholder for replays. */
export const ReplayRowBones = () => (
  <div className={`${classes.replays} ${classes.bones}`} aria-hidden>
    <Head />
    {Array.from({ length: 12 }, (_, row) => (
      <div key={row} className={classes.row}>
        <span className={classes.picture}>
          <Bone width="4.5rem" />
        </span>
        <span className={classes.name}>
          <Bone width={share(row)} />
        </span>
        <span className={classes.pages}>
          <Bone width={share(row + 3)} />
        </span>
        <span className={classes.device}>
          <Bone width="8rem" />
        </span>
        <Figure />
        <Figure also={classes.clicks} />
        <Figure />
        <Figure />
      </div>
    ))}
  </div>
);

const Figure = ({ also = "" }: { also?: string | undefined }) => (
  <span className={`${classes.right} ${also}`}>
    <span className={classes.figure}>
      <Bone width="2.25rem" />
    </span>
  </span>
);
