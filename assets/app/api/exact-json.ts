// JSON of users, whose numbers may have more digits than a double holds: ids of 64 bits, decimals of databases.

/** A number that no double holds, as it was sent. */
export class ExactNumber {
  /** How JSON writes it. */
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** For `JSON.stringify`: the number as it was sent. */
  toJSON(): unknown {
    return raw.rawJSON?.(this.text) ?? Number(this.text);
  }
  toString(): string {
    return this.text;
  }
}

/** Not in TypeScript's library yet; browsers that have it also give a reviver the source. */
const raw = JSON as { rawJSON?: (text: string) => unknown };
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** What looks like a number that may differ from its double: up to 15 digits never do. */
const candidates = /(?:^|[\s:,[])(-?(?:[\d.]{16,}(?:e[+-]?\d+)?|[\d.]{1,15}e[+-]?\d+))/gi;

/** Parses JSON; numbers that no double holds become `ExactNumber`, where the browser tells how they were written. */
export function parseExact(text: string): unknown {
  for (const [, written = ""] of text.matchAll(candidates)) {
    if (!isSame(written, Number(written))) return JSON.parse(text, revive);
  }
  return JSON.parse(text);
}

const revive: Reviver = (_, value, context) => {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || isSame(source, value)) return value;
  return exactNumber(source);
};

/** Equal numbers are one object, so that an answer that says the same again changes nothing on the page. */
const known = new Map<string, ExactNumber>();
const knownMost = 5_000;
/** Characters of a number that is kept. */
const keptMost = 100;

function exactNumber(text: string): ExactNumber {
  const found = known.get(text) ?? new ExactNumber(text);
  if (known.size >= knownMost) known.clear();
  if (text.length <= keptMost) known.set(text, found);
  return found;
}

/** Whether a double, written back, is the number that was written, in whatever spelling. */
function isSame(source: string, double: number): boolean {
  const written = String(double);
  return written === source || (Number.isFinite(double) && digitsOf(written) === digitsOf(source));
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** A number in the one spelling `<sign><digits>e<exponent>`, with no zeros around the digits. */
function digitsOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const place = Number(exponent) - fraction.length + digits.length - end;
  return end === 0 ? "0" : `${sign}${digits.slice(0, end)}e${place}`;
}

/** Whether a value of some JSON has values of its own: an object or a list. */
export const isBranch = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof ExactNumber);

/** Whether a value of some JSON is a number, of however many digits. */
export const isNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === "number" || value instanceof ExactNumber;
