import { useNow } from "./clock.ts";
import { ago, local, utc } from "./format.ts";

/** A time relative to now; the exact local and UTC time on hover. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const now = useNow();
  const time = Date.parse(at);
  const title = `${local(time)} here\n${utc(time)}`;
  return (
    <time dateTime={at} title={title} className="number">
      {exact ? local(time) : ago(time, now)}
    </time>
  );
}
