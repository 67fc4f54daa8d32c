import { Button, Checkbox, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { LeaveGuard } from "../LeaveGuard.tsx";
import { Snippet } from "../Snippet.tsx";
import classes from "./Keys.module.css";

interface Props {
  /** What it is: `New key`. */
  label: string;
  secret: string;
  /** Mayday stores the secret itself, not only its hash, because it needs it again. */
  isKept?: boolean;
  /** How it is used. */
  children?: ReactNode;
  /** Where to go next, once it has been copied. */
  next?: ReactNode;
  /** The question for somebody who leaves without having copied it. */
  lost: string;
  close: () => void;
}

/** A key or token that is shown only this once: it closes when the reader confirms having copied it. */
export function NewSecret({ label, secret, isKept = false, children, next, lost, close }: Props) {
  const [copied, setCopied] = useState(false);
  return (
    <div className={classes.form}>
      <p>
        {isKept
          ? "Copy it now: it is stored encrypted, and is not shown again."
          : "Copy it now: only a hash is stored, so it cannot be shown again."}
      </p>
      <Snippet label={label} text={secret} />
      {children}
      <Checkbox
        label="I have stored it in a safe place"
        checked={copied}
        onChange={(event) => setCopied(event.currentTarget.checked)}
        data-autofocus
      />
      <Group justify="flex-end">
        {copied && next}
        <Button disabled={!copied} onClick={close}>
          Done
        </Button>
      </Group>
      <LeaveGuard when={() => !copied} title="Leave without copying it?">
        {lost}
      </LeaveGuard>
    </div>
  );
}
