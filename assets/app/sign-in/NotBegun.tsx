import { Alarm } from "../ui/Alarm.tsx";
import { CameWith } from "./CameWith.tsx";
import { refusedCode } from "./errors.ts";

/** Why a sign-in through a provider did not even start; nothing while there is no error. */
export function NotBegun({ error }: { error: unknown }) {
  const code = refusedCode(error);
  return code === undefined ? <Alarm error={error} /> : <CameWith code={code} />;
}
