import { Button, Checkbox, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { LeaveGuard } from "../LeaveGuard.tsx";
import { Snippet } from "../Snippet.tsx";
import classes from "./Keys.module.css";

interface Props {
  /** What it is: `the new key`. */
  label: string;
  secret: string;
  /** What it is for, and where it goes. */
  children?: ReactNode;
  /** Where to go on once it was kept. */
  onwards?: ReactNode;
  /** Asked of who leaves without having kept it. */
  lost: string;
  close: () => void;
}

/** Something that is shown this once; closed by saying that it was kept. */
export function Kept({ label, secret, children, onwards, lost, close }: Props) {
  const [kept, setKept] = useState(false);
  return (
    <div className={classes.kept}>
      <p>This is the only time that it is shown: Mayday keeps a hash of it.</p>
      <Snippet label={label} text={secret} />
      {children}
      <Checkbox
        label="I have kept it in a safe place"
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
        data-autofocus
      />
      <Group justify="flex-end">
        {kept && onwards}
        <Button disabled={!kept} onClick={close}>
          Done
        </Button>
      </Group>
      <LeaveGuard when={!kept} title="It was not kept">
        {lost}
      </LeaveGuard>
    </div>
  );
}
