import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { CalendarDays } from "lucide-react";
import { useRef } from "react";
import { local } from "./format.ts";
import classes from "./MomentField.module.css";
import { fieldTime, parseMoment } from "./moment.ts";

interface Props extends Omit<TextInputProps, "value" | "onChange" | "rightSection"> {
  /** The text that the person typed; `parseMoment` reads it. */
  value?: string;
  onChange: (value: string) => void;
}

/**
 * A field for a time in the format that pages use. The browser's own field, which has another format, serves only as
 * its calendar.
 */
export function MomentField({ value = "", onChange, ...field }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  const pick = () => {
    const time = parseMoment(value, Date.now()) ?? Date.now();
    if (!calendar.current) return;
    calendar.current.value = fieldTime(time).slice(0, 16);
    calendar.current.showPicker();
  };
  return (
    <TextInput
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      rightSection={
        <>
          <ActionIcon size="sm" aria-label={`Choose “${String(field.label)}” from a calendar`} onClick={pick}>
            <CalendarDays size="1em" aria-hidden />
          </ActionIcon>
          <input
            ref={calendar}
            type="datetime-local"
            tabIndex={-1}
            aria-hidden
            className={classes.calendar}
            onChange={(event) => {
              const time = new Date(event.currentTarget.value).getTime();
              if (Number.isFinite(time)) onChange(local(time));
            }}
          />
        </>
      }
    />
  );
}
