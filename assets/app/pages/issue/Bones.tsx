import { Bone, share } from "../../ui/Bones.tsx";
import classes from "./Bones.module.css";
import content from "./Content.module.css";

/** A placeholder for an issue: its header and an event. */
export const IssueBones = () => (
  <>
    <div className={classes.header}>
      <Bone width="11rem" height="1rem" />
      <Bone width="55%" height="1.25rem" />
      <Bone width="38%" />
      <div className={classes.line}>
        {["6rem", "5rem", "6rem", "8rem"].map((width, at) => (
          <Bone key={at} width={width} height="1.875rem" />
        ))}
      </div>
    </div>
    <EventBones />
  </>
);

/** A placeholder for an event: its stack with the first frame open, and the sidebar. */
export const EventBones = () => (
  <div className={content.columns}>
    <div className={content.stack}>
      <div className={classes.frame}>
        <Bone width="45%" />
      </div>
      <div className={classes.source}>
        {Array.from({ length: 11 }, (_, line) => (
          <Bone key={line} width={share(line)} height="0.625rem" />
        ))}
      </div>
      {Array.from({ length: 5 }, (_, frame) => (
        <div key={frame} className={classes.frame}>
          <Bone width={share(frame + 2)} />
        </div>
      ))}
    </div>
    <div className={`${content.side} ${classes.side}`}>
      {Array.from({ length: 4 }, (_, part) => (
        <div key={part} className={classes.part}>
          <Bone width="6rem" />
          <Bone height="0.625rem" />
          <Bone width="70%" height="0.625rem" />
        </div>
      ))}
    </div>
  </div>
);
