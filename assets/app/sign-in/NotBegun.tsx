import { Alarm } from "../ui/Alarm.tsx";
import { CameWith } from "./CameWith.tsx";
import { refusedCode } from "./errors.ts";

/** Why a sign-in at a provider could not start; nothing without an error. */
export function NotBegun({ error }: { error: unknown }) {
  const code = refusedCode(error);
  return code === undefined ? <Alarm error={error} /> : <CameWith code={code} />;
}
