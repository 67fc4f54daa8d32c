import type { ReactNode } from "react";
import { Bone, share } from "../../ui/Bones.tsx";
import facts from "./Facts.module.css";
import classes from "./List.module.css";
import { Head as MapHead } from "./MapHead.tsx";
import { Head as ReleaseHead } from "./ReleaseHead.tsx";

/** A placeholder for releases. */
export const ReleaseBones = () => (
  <Rows rows={12} className={classes.releases} head={<ReleaseHead />}>
    <span className={classes.state}>
      <Bone width="5rem" />
    </span>
    <Figure also={classes.sources} />
    <Figure />
    <Figure also={classes.users} />
    <Figure also={classes.issues} />
    <Figure />
    <Figure />
    <Figure also={classes.latest} />
    <Figure also={classes.created} />
  </Rows>
);

/** A placeholder for source maps. */
export const MapBones = ({ rows }: { rows: number }) => (
  <Rows rows={rows} className={classes.maps} head={<MapHead />}>
    <Figure />
    <Figure />
    <Figure also={classes.used} />
    <Figure also={classes.uploaded} />
    <span className={classes.hash}>
      <Bone width="6rem" />
    </span>
  </Rows>
);

/** A placeholder for the facts of a release. */
export const FactBones = () => (
  <div className={facts.facts}>
    {[6, 5].map((rows) => (
      <div key={rows} className={facts.table}>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row}>
            <Bone width="6rem" />
            <Bone width="5rem" />
          </div>
        ))}
      </div>
    ))}
  </div>
);

interface RowsProps {
  rows: number;
  className: string | undefined;
  head: ReactNode;
  /** The cells behind the name. */
  children: ReactNode;
}

function Rows({ rows, className, head, children }: RowsProps) {
  return (
    <div className={`${className} ${classes.bones}`} aria-hidden>
      {head}
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <span className={classes.name}>
            <Bone width={share(row)} />
          </span>
          {children}
        </div>
      ))}
    </div>
  );
}

const Figure = ({ also = "" }: { also?: string | undefined }) => (
  <span className={`${classes.right} ${also}`}>
    <span className={classes.figure}>
      <Bone width="2.25rem" />
    </span>
  </span>
);
