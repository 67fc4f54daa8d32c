import { useBusy } from "./use-busy.ts";
import { Switch } from "@mantine/core";

interface Props {
  /** What it turns on and off, by its kind: `automation`. */
  kind: string;
  name: string;
  on: boolean;
  may: boolean;
  turn: (on: boolean) => Promise<unknown>;
}

/** Turns something on and off, at once. */
export function OnSwitch({ kind, name, on, may, turn }: Props) {
  const [busy, run] = useBusy();
  return (
    <Switch
      aria-label={`${name}: on`}
      checked={on}
      disabled={!may}
      aria-busy={busy}
      onChange={({ currentTarget: { checked } }) => void run(`The ${kind} was not changed`, () => turn(checked))}
    />
  );
}
