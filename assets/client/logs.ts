import { attempt, isObject, letGo, text } from "./safe.ts";
import type { Logger } from "./types.ts";
import { cut, plain } from "./values.ts";

export const levels = ["trace", "debug", "info", "warn", "error", "fatal"] as const;

/** How long entries are collected, in milliseconds, and the most entries of a batch, the server's limit. */
const EVERY = 5_000;
const BATCH = 100;
/** Characters of a batch, so that its request may outlive the page. */
const ROOM = 50_000;
/** Characters of a message (the server's limit), and of an entry, which the server drops over 64 KiB. */
const MESSAGE = 8_192;
const ENTRY = 16_000;

interface Line {
  message: string;
  template?: string;
  attributes?: unknown;
}

/** The message and its values, from either form of a call; see `Log`. */
export function line(first: unknown, rest: unknown[]): Line {
  if (!Array.isArray(first)) {
    const attributes = rest[0];
    if (!isObject(attributes)) return { message: text(first) };
    const template = text(first);
    const named = (all: string, name: string) => (name in attributes ? word(plain(attributes[name])) : all);
    return { message: template.replace(/\{(\w+)\}/g, named), template, attributes: plain(attributes) };
  }
  const attributes: Record<string, unknown> = {};
  let [message, template] = [text(first[0]), text(first[0])];
  rest.forEach((value, index) => {
    const names = isObject(value) && Object.getPrototypeOf(value) === Object.prototype ? Object.keys(value) : [];
    const name = names.length === 1 ? names[0]! : text(index);
    const said = plain(names.length === 1 ? (value as Record<string, unknown>)[name] : value);
    attributes[name] = said;
    message += word(said) + text(first[index + 1]);
    template += `{${name}}${text(first[index + 1])}`;
  });
  return { message, template, attributes };
}

const word = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : text(value));

/** Collects entries as JSON, because their values may change later, and sends them in batches. */
export function gatherer(send: (entries: string) => void) {
  let entries: string[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (entries.length) send(`[${entries.join()}]`);
    entries = [];
    size = 0;
  };

  const add = (entry: Line): void => {
    entry.message = entry.message.slice(0, MESSAGE);
    if (entry.template) entry.template = entry.template.slice(0, MESSAGE);
    let json = JSON.stringify(entry);
    if (json.length > ENTRY)
      json = JSON.stringify({ ...entry, attributes: { cut: cut(JSON.stringify(entry.attributes)) } });
    if (size + json.length > ROOM) flush();
    entries.push(json);
    size += json.length;
    if (entries.length >= BATCH) flush();
    else if (!timer) letGo((timer = setTimeout(flush, EVERY)));
  };
  return { add, flush };
}

/** A logger that passes each entry's level and line to `write`, and never throws. */
export const loggerOf = (write: (level: string, line: Line) => void): Logger =>
  Object.fromEntries(
    levels.map((level) => [
      level,
      (first: unknown, ...rest: unknown[]) => void attempt(() => write(level, line(first, rest))),
    ]),
  ) as unknown as Logger;
