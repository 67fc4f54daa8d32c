import { useNow } from "./clock.ts";
import { ago, local, utc } from "./format.ts";

/** A time as its distance from now; the exact one, local and UTC, on hover. */
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
