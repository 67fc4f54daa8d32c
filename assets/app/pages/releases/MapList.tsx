import { Popover, UnstyledButton } from "@mantine/core";
import type { RefObject } from "react";
import type { SourceMap } from "../../api/schema.d.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { bytes, counted, exact } from "../../ui/format.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { GrowingList } from "../lists/GrowingList.tsx";
import { Figure } from "./Figure.tsx";
import classes from "./List.module.css";
import { Head } from "./MapHead.tsx";

/** In root ems, as the style sheet has them. */
const heights = { wide: 2.75, narrow: 4.25 };

interface Props {
  maps: SourceMap[];
  total: number;
  old: boolean;
  more: () => void;
  search: RefObject<HTMLInputElement | null>;
}

/** The source maps that were loaded. */
export function MapList({ maps, ...list }: Props) {
  return (
    <GrowingList
      {...list}
      name="Source maps"
      items={maps}
      heights={heights}
      classes={{ list: classes.maps, row: classes.row }}
      head={<Head />}
      keyOf={({ id }) => id}
    >
      {(map) => <Cells map={map} />}
    </GrowingList>
  );
}

function Cells({ map }: { map: SourceMap }) {
  const hash = map.content_hash.replace(/^sha256:/, "");
  return (
    <>
      <span role="cell" className={classes.name}>
        <Line text={map.url} mono />
        {map.warning_count > 0 && <Flawed map={map} />}
      </span>
      <span role="cell" className={`${classes.right} number`} title={`${exact(map.file_size)} bytes`}>
        {bytes(map.file_size)}
      </span>
      <span role="cell" className={classes.right}>
        <Figure of={map.use_count} one="event resolved with it" many="events resolved with it" label="uses" />
      </span>
      <span role="cell" className={`${classes.right} ${classes.used}`}>
        {map.last_used_at ? <Time at={map.last_used_at} /> : <span className={classes.zero}>never</span>}
      </span>
      <span role="cell" className={`${classes.right} ${classes.uploaded}`}>
        <Time at={map.created_at} />
      </span>
      <span role="cell" className={classes.hash}>
        <span className="mono" title={map.content_hash}>
          {hash.slice(0, 8)}
        </span>
        <CopyButton text={map.content_hash} label="Copy the content hash" />
      </span>
    </>
  );
}

/** The warnings of a map that is otherwise usable, on request. */
const Flawed = ({ map: { warnings, warning_count: count } }: { map: SourceMap }) => (
  <Popover position="bottom-start" returnFocus transitionProps={{ duration: 0 }} shadow="md" width="22rem">
    <Popover.Target>
      <UnstyledButton className={classes.flawed ?? ""}>partly wrong</UnstyledButton>
    </Popover.Target>
    <Popover.Dropdown>
      <p className={classes.flaws}>
        {counted(count, "mapping")} {count === 1 ? "is" : "are"} wrong and left out; the rest is used.
      </p>
      <ul className={classes.flaws}>
        {warnings.map(({ line, segment, what, section }) => (
          <li key={`${section} ${line} ${segment}`}>
            {section && `${section}, `}
            line {line}, segment {segment}: {what}
          </li>
        ))}
        {count > warnings.length && <li>and {exact(count - warnings.length)} more</li>}
      </ul>
    </Popover.Dropdown>
  </Popover>
);
