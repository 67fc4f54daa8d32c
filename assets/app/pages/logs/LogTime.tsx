import { exactMoment, utc } from "../../ui/format.ts";

/** When an entry was written, in the person's zone to the millisecond; UTC on hover. */
export function LogTime({ at }: { at: string }) {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={utc(time)} className="number">
      {exactMoment(time)}
    </time>
  );
}
