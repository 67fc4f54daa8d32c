import { ActionIcon } from "@mantine/core";
import { Check, Copy, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { copy } from "./clipboard.ts";
import { hideTip, showTip } from "./tip.ts";

/** How long the button shows the result, in milliseconds. */
const feedback = 1_600;

interface Props {
  text: string | (() => string);
  /** What it copies: `Copy key`. */
  label: string;
  /** The element to select if the browser has no clipboard API. */
  shown?: RefObject<HTMLElement | null>;
}

export function CopyButton({ text, label, shown }: Props) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), feedback);
    const element = button.current;
    if (element) showTip(element);
    return () => {
      clearTimeout(timer);
      if (element) hideTip(element);
    };
  }, [outcome]);
  const press = async () => {
    const done = await copy(typeof text === "string" ? text : text(), shown?.current);
    setOutcome(done ? "copied" : "refused");
  };
  const words = { copied: "Copied", refused: "Press Ctrl+C" };
  const Icon = outcome === "copied" ? Check : outcome === "refused" ? X : Copy;
  return (
    <ActionIcon
      ref={button}
      aria-label={label}
      data-tip={outcome ? words[outcome] : label}
      onClick={() => void press()}
      size="md"
    >
      <Icon size="1em" aria-hidden />
      <span className="unseen" role="status">
        {outcome ? words[outcome] : ""}
      </span>
    </ActionIcon>
  );
}
