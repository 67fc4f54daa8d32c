import { Button, Popover } from "@mantine/core";
import { Clock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { local } from "../../ui/format.ts";
import { parseMoment } from "../../ui/moment.ts";
import { MomentField } from "../../ui/MomentField.tsx";
import { type LogSearch, type RangeName, defaultRange, ranges } from "./address.ts";
import classes from "./Bar.module.css";
import { type Bounds, custom, rangeWords } from "./range.ts";

interface Props {
  search: LogSearch;
  bounds: Bounds;
  show: (change: Partial<LogSearch>) => void;
}

/** The time range: up to now, or between two times in the reader's time zone. */
export function RangePicker({ search, bounds, show }: Props) {
  const [isOpen, setOpen] = useState(false);
  const choose = (change: Partial<LogSearch>) => {
    setOpen(false);
    show(change);
  };
  const current = search.from === undefined && search.to === undefined ? (search.range ?? defaultRange) : undefined;
  const names = Object.keys(ranges) as RangeName[];
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          className={classes.range ?? ""}
          leftSection={<Clock size="0.875rem" aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {rangeWords(search)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.ranges ?? ""} aria-label="Time range">
        {names.map((name) => (
          <Button
            key={name}
            variant={name === current ? "light" : "subtle"}
            color={name === current ? "accent" : "gray"}
            justify="start"
            aria-pressed={name === current}
            onClick={() => choose({ range: name === defaultRange ? undefined : name, from: undefined, to: undefined })}
          >
            {ranges[name].label}
          </Button>
        ))}
        <Custom bounds={bounds} apply={(times) => choose(custom(times))} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Rendered when the popover opens, with the current times. */
function Custom({ bounds, apply }: { bounds: Bounds; apply: (bounds: Bounds) => void }) {
  const [from, setFrom] = useState(() => local(bounds.start));
  const [to, setTo] = useState(() => local(bounds.end));
  const [isWrong, setWrong] = useState(false);
  const now = Date.now();
  const [start, end] = [parseMoment(from, now), parseMoment(to, now)];
  const isTurned = start !== undefined && end !== undefined && end < start;
  const unread = (time: number | undefined) =>
    isWrong && time === undefined && "Such as 21 Nov 2026, 14:05 or 2 h ago.";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(true);
    // The whole of the last second.
    if (start !== undefined && end !== undefined && !isTurned) apply({ start, end: end + 999 });
  };
  return (
    <form onSubmit={submit} className={classes.custom}>
      <MomentField size="xs" label="From" value={from} error={unread(start)} onChange={setFrom} />
      <MomentField
        size="xs"
        label="To"
        value={to}
        error={isTurned ? "Must be after “From”" : unread(end)}
        onChange={setTo}
      />
      <Button type="submit">Apply</Button>
    </form>
  );
}
