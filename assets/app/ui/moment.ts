// Parses times that people type, in their time zone: in the format of pages, in machine formats, or relative to now.

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days: Record<string, number> = { today: 0, yesterday: -1, tomorrow: 1 };

/** In milliseconds, by the first letters of their names. */
const units: [name: RegExp, length: number][] = [
  [/^s(?:ec(?:ond)?s?)?$/, 1_000],
  [/^m(?:in(?:ute)?s?)?$/, 60_000],
  [/^h(?:(?:ou)?rs?)?$/, 3_600_000],
  [/^d(?:ays?)?$/, 86_400_000],
  [/^w(?:eeks?)?$/, 604_800_000],
];

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?`;
const forms = [
  new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[t ]+${clock})?$`),
  new RegExp(String.raw`^(?<day>\d{1,2})\.? (?<name>[a-z]{3,9})\.?(?:,? (?<year>\d{4}))?(?:,? (?:at )?${clock})?$`),
  new RegExp(String.raw`^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:,? (?<year>\d{4}))?(?:,? (?:at )?${clock})?$`),
  new RegExp(`^(?<word>today|yesterday|tomorrow)(?:,? (?:at )?${clock})?$`),
  new RegExp(`^${clock}$`),
];
const fromNow = /^(?:(?<in>in |\+) ?|(?<minus>-) ?)?(?<count>\d{1,6}) ?(?<unit>[a-z]+)(?<ago> ago)?$/;

/**
 * The time in a text; `undefined` if there is none. Without a date it is today, without a time of day the start of
 * the day.
 */
export function parseMoment(text: string, now: number): number | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (plain === "now") return now;
  // With an explicit zone.
  if (/^\d{4}-\d\d-\d\d[t ].*(?:z|utc|[+-]\d\d:?\d\d)$/.test(plain))
    return known(
      Date.parse(
        plain
          .replace(/ ?utc$/, "z")
          .replace(" ", "t")
          .toUpperCase(),
      ),
    );
  for (const form of forms) {
    const found = form.exec(plain)?.groups;
    if (found) return dated(found, new Date(now));
  }
  return away(plain, now);
}

/** `in 3 days`, `2 h ago`, `-15m`. */
function away(text: string, now: number): number | undefined {
  const found = fromNow.exec(text)?.groups;
  const length = units.find(([name]) => name.test(found?.unit ?? ""))?.[1];
  if (!found || length === undefined) return undefined;
  const isPast = found.minus !== undefined || found.ago !== undefined;
  if (!isPast && found.in === undefined) return undefined;
  return now + (isPast ? -1 : 1) * Number(found.count) * length;
}

type Found = Record<string, string | undefined>;

function dated({ year, month, name, day, word, hour, minute, second }: Found, today: Date): number | undefined {
  const index = name === undefined ? Number(month) - 1 : months.indexOf(name.slice(0, 3));
  const isToday = day === undefined;
  const date = isToday
    ? ([today.getFullYear(), today.getMonth(), today.getDate() + (days[word ?? ""] ?? 0)] as const)
    : ([Number(year ?? today.getFullYear()), index, Number(day)] as const);
  const time = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)] as const;
  if (index < 0 || time[0] > 23 || time[1] > 59 || time[2] > 59) return undefined;
  const made = new Date(...date, ...time);
  // For example, there is no 31 April.
  if (!isToday && (made.getMonth() !== date[1] || made.getDate() !== date[2])) return undefined;
  return known(made.getTime());
}

const known = (time: number): number | undefined => (Number.isFinite(time) ? time : undefined);

/** The value of the browser's own field, in the person's zone: `2026-11-21T14:05:09`. */
export function fieldTime(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
