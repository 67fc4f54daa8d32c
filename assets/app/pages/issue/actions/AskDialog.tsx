import { Autocomplete, Button, Group, Modal, NumberInput, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Change } from "../../../api/schema.d.ts";
import { newestReleasesQuery } from "../../../api/release-queries.ts";
import { ago, local } from "../../../ui/format.ts";
import { parseMoment } from "../../../ui/moment.ts";
import { MomentField } from "../../../ui/MomentField.tsx";
import type { DoChange } from "./use-change.ts";

/** The server's limit on additional events or users. */
const moreMax = 1_000_000;

export type Question = "version" | "until" | "events" | "users";

const words: Record<Question, { title: string; label: string; action: string }> = {
  version: { title: "Resolve in a specific version", label: "Version", action: "Resolve" },
  until: { title: "Ignore until a date and time", label: "Ignore until", action: "Ignore" },
  events: {
    title: "Ignore until it happens more often",
    label: "Additional events before it reopens",
    action: "Ignore",
  },
  users: {
    title: "Ignore until it affects more users",
    label: "Additional users before it reopens",
    action: "Ignore",
  },
};

interface AskProps {
  close: () => void;
  project: number;
  change: DoChange;
}

interface Props extends AskProps {
  question: Question | undefined;
  /** Called once it is closed. */
  closed: () => void;
}

/** Asks for the value that a way of resolving or ignoring needs. */
export function AskDialog({ question, close, closed, project, change }: Props) {
  return (
    <Modal
      opened={question !== undefined}
      onClose={close}
      onExitTransitionEnd={closed}
      title={question ? words[question].title : ""}
    >
      {question && <Ask question={question} close={close} project={project} change={change} key={question} />}
    </Modal>
  );
}

function Ask({ question, close, project, change }: AskProps & { question: Question }) {
  const [value, setValue] = useState("");
  const [error, setError] = useState<string>();
  const { label, action } = words[question];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = asChange(question, value);
    if (typeof answer === "string") return setError(answer);
    change(answer);
    close();
  };
  const field = { label, error, "data-autofocus": true };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {question === "version" && <Version project={project} value={value} setValue={setValue} {...field} />}
        {question === "until" && (
          <MomentField value={value} onChange={setValue} description={untilWords(value)} {...field} />
        )}
        {(question === "events" || question === "users") && (
          <NumberInput
            value={value}
            onChange={(next) => setValue(String(next))}
            min={1}
            max={moreMax}
            allowDecimal={false}
            thousandSeparator=","
            {...field}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">{action}</Button>
        </Group>
      </Stack>
    </form>
  );
}

interface VersionProps {
  project: number;
  value: string;
  setValue: (value: string) => void;
  label: string;
  error: string | undefined;
}

function Version({ project, value, setValue, ...field }: VersionProps) {
  const versions = useQuery(newestReleasesQuery(project));
  return <Autocomplete data={versions.data ?? []} value={value} onChange={setValue} spellCheck={false} {...field} />;
}

/** The parsed time, shown while it is typed. */
function untilWords(text: string): string {
  const now = Date.now();
  const time = parseMoment(text, now);
  return time === undefined
    ? "Such as tomorrow 09:00, in 3 days, or 21 Nov 2026, 14:05"
    : `${local(time)}, ${ago(time, now)}`;
}

/** The change, or the error in the value. */
function asChange(question: Question, value: string): Change | string {
  const text = value.trim();
  if (question === "version")
    return text === "" ? "Enter a version." : { status: "resolved", resolved_in_release: text };
  if (question === "until") {
    const time = parseMoment(text, Date.now());
    if (time === undefined || time <= Date.now()) return "Enter a time in the future.";
    return { status: "ignored", ignore_until: new Date(time).toISOString() };
  }
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > moreMax) return "Enter a whole number from 1 to 1,000,000.";
  return question === "events"
    ? { status: "ignored", ignore_events: count }
    : { status: "ignored", ignore_users: count };
}
