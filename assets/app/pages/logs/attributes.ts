// An entry as fields with values, by which the server finds it.

import { ExactNumber, isBranch } from "../../api/exact-json.ts";
import type { LogEntry } from "../../api/schema.d.ts";
import { compare } from "./field-order.ts";

export interface Fact {
  /** As it is shown. */
  name: string;
  /** Its name in a search; missing if it cannot be searched. */
  field?: string;
  value: string;
  /** Shown instead of the value, if that is less clear. */
  shown?: string;
  /** Anything but text is marked. */
  kind: "string" | "number" | "boolean" | "null" | "empty";
}

/** The fields that any entry may have, in order, without the missing ones. */
export function ownFacts(entry: LogEntry): Fact[] {
  const facts: [name: string, field: string | undefined, value: string | null][] = [
    ["level", "level", entry.level],
    ["logger", "logger", entry.logger_name],
    ["user", "user", entry.user_id],
    ["user e-mail", "user", entry.user_email],
    ["account", "account", entry.account_id],
    ["account name", "account", entry.account_name],
    ["environment", "environment", entry.environment],
    ["release", "release", entry.release],
    ["trace", "trace", entry.trace_id],
    ["span", "span", entry.span_id],
    ["file", "file", entry.file_path],
    ["line", undefined, entry.line_number === null ? null : String(entry.line_number)],
    ["function", "function", entry.function_name],
  ];
  return facts.flatMap(([name, field, value]) =>
    value === null || value === "" ? [] : [{ name, value, kind: "string", ...(field && { field }) }],
  );
}

/** Attributes by path, in the order of the list of fields. All values of a list share one path, as in the server's index. */
export function attributeFacts(attributes: Record<string, unknown>): Fact[] {
  const facts: Fact[] = [];
  const walk = (name: string, field: string | undefined, value: unknown) => {
    if (Array.isArray(value) && value.length > 0) {
      for (const each of value) walk(name, field, each);
    } else if (isBranch(value) && Object.keys(value).length > 0) {
      for (const [key, each] of Object.entries(value)) walk(`${name}.${key}`, `${field}.${key}`, each);
    } else facts.push(leaf(name, field, value));
  };
  for (const [key, value] of Object.entries(attributes)) walk(key, `attributes.${key}`, value);
  return facts.sort((one, other) => compare(one.name, other.name));
}

function leaf(name: string, field: string | undefined, value: unknown): Fact {
  if (value === null) return { name, value: "null", kind: "null" };
  if (isBranch(value)) return { name, value: Array.isArray(value) ? "[]" : "{}", kind: "empty" };
  if (value === "") return { name, value: '""', kind: "empty" };
  if (value instanceof ExactNumber) return exactLeaf(name, field, value);
  const kind = typeof value as "string" | "number" | "boolean";
  return { name, value: String(value), kind, ...(field && { field }) };
}

/** A number as it was sent; its filter has what the server's index has, which is a double where 64 bits do not do. */
function exactLeaf(name: string, field: string | undefined, { text }: ExactNumber): Fact {
  const value = isIndexedWhole(text) ? text : String(Number(text));
  return { name, value, shown: text, kind: "number", ...(field && { field }) };
}

/** Whether the server's index has all digits: a whole number of 64 bits, with a sign or without. */
function isIndexedWhole(text: string): boolean {
  if (!/^-?\d{1,20}$/.test(text)) return false;
  const number = BigInt(text);
  return number >= -(2n ** 63n) && number < 2n ** 64n;
}
