import { exactMoment, utc } from "../../ui/format.ts";

/** When an entry was written, in the person's zone to the millisecond; UTC on hover. A list may leave out the `day`. */
export function LogTime({ at }: { at: string }) {
  const time = Date.parse(at);
  const words = exactMoment(time);
  const day = words.lastIndexOf(" ") + 1;
  return (
    <time dateTime={at} title={utc(time)} className="number">
      <span data-day>{words.slice(0, day)}</span>
      {words.slice(day)}
    </time>
  );
}
