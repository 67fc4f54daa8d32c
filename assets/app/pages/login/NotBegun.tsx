import { Alarm } from "../../ui/Alarm.tsx";
import { CameWith } from "./CameWith.tsx";
import { refusedCode } from "./errors.ts";

/** Why the way through a provider did not even begin; nothing while there is no error. */
export function NotBegun({ error }: { error: unknown }) {
  const code = refusedCode(error);
  return code === undefined ? <Alarm error={error} /> : <CameWith code={code} />;
}
