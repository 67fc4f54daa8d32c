import { Button, Popover, TextInput } from "@mantine/core";
import { Clock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type LogSearch, type RangeName, defaultRange, ranges } from "./address.ts";
import classes from "./Bar.module.css";
import { type Bounds, custom, fieldTime, rangeWords } from "./range.ts";

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
  const [from, setFrom] = useState(() => fieldTime(bounds.start));
  const [to, setTo] = useState(() => fieldTime(bounds.end));
  const times = { start: new Date(from).getTime(), end: new Date(to).getTime() };
  const isWhole = Number.isFinite(times.start) && Number.isFinite(times.end);
  const isTurned = isWhole && times.end < times.start;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The whole of the last second.
    if (isWhole && !isTurned) apply({ start: times.start, end: times.end + 999 });
  };
  return (
    <form onSubmit={submit} className={classes.custom}>
      <TextInput
        size="xs"
        type="datetime-local"
        step={1}
        label="From"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="datetime-local"
        step={1}
        label="To"
        value={to}
        error={isTurned && "Must be after “From”"}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!isWhole || isTurned}>
        Apply
      </Button>
    </form>
  );
}
