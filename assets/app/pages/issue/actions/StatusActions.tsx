import { Button, Menu } from "@mantine/core";
import { CircleCheck, CircleSlash, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { AskDialog, type Question } from "./AskDialog.tsx";
import { SplitButton } from "./SplitButton.tsx";
import type { DoChange } from "./use-change.ts";

const hour = 3_600_000;
const pauses: [words: string, length: number][] = [
  ["For 1 hour", hour],
  ["For 1 day", 24 * hour],
  ["For 1 week", 168 * hour],
];

interface Props {
  issue: Issue;
  change: DoChange;
  /** The menu of ways to ignore; a key opens it, too. */
  ignoring: boolean;
  setIgnoring: (opened: boolean) => void;
}

/** Resolve and ignore with their ways, or reopen. */
export function StatusActions({ issue, change, ignoring, setIgnoring }: Props) {
  const [question, setQuestion] = useState<Question>();
  const closed = issue.status !== "unresolved";
  return (
    <>
      {closed && (
        <Button variant="default" leftSection={<RotateCcw size="1em" aria-hidden />} onClick={() => change({ status: "unresolved" })}>
          Reopen
        </Button>
      )}
      {issue.status !== "resolved" && <Resolve change={change} ask={setQuestion} />}
      {issue.status !== "ignored" && <Ignore change={change} ask={setQuestion} opened={ignoring} setOpened={setIgnoring} />}
      <AskDialog question={question} close={() => setQuestion(undefined)} project={issue.project_id} change={change} />
    </>
  );
}

type PartProps = Pick<Props, "change"> & { ask: (question: Question) => void };

function Resolve({ change, ask }: PartProps) {
  const icon = <CircleCheck size="1em" aria-hidden />;
  return (
    <SplitButton label="Resolve" more="More ways to resolve" icon={icon} run={() => change({ status: "resolved" })}>
      <Menu.Item onClick={() => change({ status: "resolved" })}>Now</Menu.Item>
      <Menu.Item onClick={() => change({ status: "resolved", resolved_in_release: "next" })}>In the next release</Menu.Item>
      <Menu.Item onClick={() => ask("version")}>In a version…</Menu.Item>
    </SplitButton>
  );
}

function Ignore({ change, ask, opened, setOpened }: PartProps & { opened: boolean; setOpened: (opened: boolean) => void }) {
  const icon = <CircleSlash size="1em" aria-hidden />;
  const pause = (length: number) => change({ status: "ignored", ignore_until: new Date(Date.now() + length).toISOString() });
  return (
    <SplitButton label="Ignore" more="More ways to ignore" icon={icon} run={() => change({ status: "ignored" })} opened={opened} setOpened={setOpened}>
      <Menu.Item onClick={() => change({ status: "ignored" })}>For ever</Menu.Item>
      <Menu.Divider />
      {pauses.map(([words, length]) => (
        <Menu.Item key={words} onClick={() => pause(length)}>
          {words}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => ask("until")}>Until a time…</Menu.Item>
      <Menu.Divider />
      <Menu.Item onClick={() => ask("events")}>Until so many more events…</Menu.Item>
      <Menu.Item onClick={() => ask("users")}>Until so many more users…</Menu.Item>
    </SplitButton>
  );
}
