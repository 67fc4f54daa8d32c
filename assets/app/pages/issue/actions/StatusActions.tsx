import { Menu } from "@mantine/core";
import { CircleCheck, CircleDot, CircleSlash } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Issue } from "../../../api/schema.d.ts";
import { AskDialog } from "./AskDialog.tsx";
import { IgnoreItems } from "./IgnoreItems.tsx";
import type { Question } from "./question.ts";
import { SplitButton } from "./SplitButton.tsx";
import type { DoChange } from "./use-change.ts";

interface Props {
  issue: Issue;
  change: DoChange;
  /** The menu of ways to ignore; a key opens it, too. */
  ignoring: boolean;
  setIgnoring: (opened: boolean) => void;
}

/**
 * Buttons to resolve and to ignore in several ways, or to reopen. The first button is reused with another label: it
 * keeps the focus, and receives it from buttons that disappear when pressed.
 */
export function StatusActions({ issue, change, ignoring, setIgnoring }: Props) {
  const [question, setQuestion] = useState<Question>();
  const first = useRef<HTMLButtonElement>(null);
  const acted = useRef(false);
  const act: DoChange = (wanted) => {
    acted.current = true;
    change(wanted);
  };
  const catchFocus = () => {
    if (document.activeElement === document.body) first.current?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost with the status
  useEffect(() => {
    if (acted.current) catchFocus();
    acted.current = false;
  }, [issue.status]);
  const resolve = {
    label: "Resolve",
    icon: <CircleCheck size="1em" aria-hidden />,
    more: "More ways to resolve",
    run: () => act({ status: "resolved" }),
  };
  const reopen = {
    label: "Reopen",
    icon: <CircleDot size="1em" aria-hidden />,
    run: () => act({ status: "unresolved" }),
  };
  const ways = <ResolveWays change={act} ask={setQuestion} />;
  return (
    <>
      {issue.status === "unresolved" ? (
        <SplitButton {...resolve} primary target={first} key="first">
          {ways}
        </SplitButton>
      ) : (
        <SplitButton {...reopen} target={first} key="first" />
      )}
      {issue.status === "ignored" ? (
        <SplitButton {...resolve} key="resolve">
          {ways}
        </SplitButton>
      ) : (
        <Ignore change={act} ask={setQuestion} opened={ignoring} setOpened={setIgnoring} key="ignore" />
      )}
      <AskDialog
        question={question}
        close={() => setQuestion(undefined)}
        closed={catchFocus}
        project={issue.project_id}
        change={act}
      />
    </>
  );
}

type PartProps = Pick<Props, "change"> & { ask: (question: Question) => void };

function ResolveWays({ change, ask }: PartProps) {
  return (
    <>
      <Menu.Item onClick={() => change({ status: "resolved" })}>Now</Menu.Item>
      <Menu.Item onClick={() => change({ status: "resolved", resolved_in_release: "next" })}>
        In the next release
      </Menu.Item>
      <Menu.Item onClick={() => ask("version")}>In a specific version…</Menu.Item>
    </>
  );
}

function Ignore({
  change,
  ask,
  opened,
  setOpened,
}: PartProps & { opened: boolean; setOpened: (opened: boolean) => void }) {
  const icon = <CircleSlash size="1em" aria-hidden />;
  return (
    <SplitButton
      label="Ignore"
      more="More ways to ignore"
      icon={icon}
      run={() => change({ status: "ignored" })}
      opened={opened}
      setOpened={setOpened}
    >
      <IgnoreItems ignore={(wanted) => change(wanted)} ask={ask} />
    </SplitButton>
  );
}
