import { Button, Checkbox, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { LeaveGuard } from "../LeaveGuard.tsx";
import { Snippet } from "../Snippet.tsx";
import classes from "./Keys.module.css";

interface Props {
  /** What it is: `New key`. */
  label: string;
  secret: string;
  /** Mayday itself needs it again, so more than its hash is stored. */
  isKept?: boolean;
  /** How it is used. */
  children?: ReactNode;
  /** Where to go next, once it has been copied. */
  next?: ReactNode;
  /** Asked of somebody who leaves without having copied it. */
  lost: string;
  close: () => void;
}

/** A key or a token, shown this once: it closes after the reader says that it has been copied. */
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
