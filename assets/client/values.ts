import { describe } from "./describe.ts";
import { attempt, isObject, kindOf, text } from "./safe.ts";

/** The most characters of a text, fields of an object, and levels of nesting. */
const TEXT = 1_024;
const FIELDS = 100;
const DEPTH = 5;

/** A text, cut to a limit. */
export const cut = (value: unknown): string => text(value).slice(0, TEXT);

/** A copy of a value as JSON can represent it: limited, without cycles, and never throwing. */
export function plain(value: unknown, depth: number = DEPTH): unknown {
  // Numbers and booleans, but not NaN or bigints, which JSON lacks.
  if (value == null || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (!isObject(value)) return cut(value);
  return attempt(() => {
    if (typeof value === "function" || !depth) return kindOf(value);
    if (typeof value.toJSON === "function") return plain(value.toJSON(), depth - 1);
    if (Array.isArray(value)) return value.slice(0, FIELDS).map((each) => plain(each, depth - 1));
    if (typeof value.stack === "string") return describe(value, "Error");
    return fields(value, (each) => plain(each, depth - 1));
  });
}

/** The fields of an object that are texts, numbers or booleans, as texts, because the server refuses others. */
export const texts = (value: unknown): Record<string, string> | undefined =>
  // JSON leaves out undefined values.
  isObject(value)
    ? fields(value, (each) => (isObject(each) || each == null ? undefined! : text(each).slice(0, 256)))
    : undefined;

function fields<T>(value: Record<string, unknown>, map: (each: unknown) => T): Record<string, T> {
  const names = attempt(() => Object.keys(value)) || [];
  return Object.fromEntries(names.slice(0, FIELDS).map((name) => [name, map(attempt(() => value[name]))]));
}
