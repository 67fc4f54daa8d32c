import { Bone } from "../../ui/Bones.tsx";
import classes from "./Watch.module.css";

/** A placeholder for a replay. */
export const ReplayBones = () => (
  <div className={classes.watch}>
    <div className={classes.main}>
      <div className={classes.stage} />
    </div>
    <div className={classes.side}>
      {["8rem", "11rem", "6rem"].map((width) => (
        <p key={width}>
          <Bone width={width} />
        </p>
      ))}
    </div>
  </div>
);
