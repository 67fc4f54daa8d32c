import { Button, Popover } from "@mantine/core";
import { Clock } from "lucide-react";
import { useState } from "react";
import { useForm } from "../../ui/form.ts";
import { local } from "../../ui/format.ts";
import { MomentField } from "../../ui/MomentField.tsx";
import { type LogSearch, type RangeName, defaultRange, ranges } from "./address.ts";
import classes from "./Bar.module.css";
import { type Bounds, custom, rangeWords, typedBounds, typedProblems } from "./range.ts";

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
  const form = useForm({
    initialValues: { from: local(bounds.start), to: local(bounds.end) },
    validate: (typed) => typedProblems(typed, Date.now()),
    send: async (typed) => {
      const read = typedBounds(typed, Date.now());
      if (read) apply(read);
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.custom} noValidate>
      <MomentField size="xs" label="From" {...form.field("from")} />
      <MomentField size="xs" label="To" {...form.field("to")} />
      <Button type="submit">Apply</Button>
    </form>
  );
}
