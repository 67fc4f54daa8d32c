import { useBusy } from "./use-busy.ts";
import { Switch } from "@mantine/core";

interface Props {
  /** The kind of thing to switch on and off: `automation`. */
  kind: string;
  name: string;
  on: boolean;
  may: boolean;
  turn: (on: boolean) => Promise<unknown>;
}

/** A switch that takes effect at once. */
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
