import { attempt, isObject, kindOf, text } from "./safe.ts";
import type { Exception } from "./types.ts";

/** Characters of all messages and stacks of one event, so that it fits what outlives a page. */
const ROOM = 40_000;
/** Of one message, the server's own bound; and of one type. */
const MESSAGE = 8_192;
const TYPE = 256;
/** Errors below the first one. */
const CAUSES = 10;

interface Loose {
  name?: unknown;
  message?: unknown;
  stack?: unknown;
  cause?: unknown;
}

/**
 * Describes whatever was thrown. An error is known by what it carries and not by its class, since
 * one from a frame has another `Error`. `fallback` is the type of what is no error; `place` stands
 * in for a missing stack.
 */
export function describe(thrown: unknown, fallback: string, place?: string): Exception {
  let room = ROOM;
  const cut = (value: string, most: number): string => {
    const kept = value.slice(0, Math.min(most, room));
    room -= kept.length;
    return kept;
  };

  const at = (value: unknown, depth: number): Exception => {
    const loose = Object(value) as Loose;
    const said = attempt(() => loose.message);
    const stack = attempt(() => loose.stack);
    const isError = typeof said === "string" || typeof stack === "string";
    const exception: Exception = {
      type: cut((isError && text(attempt(() => loose.name))) || fallback, TYPE),
      message: cut(isError ? text(said) : shown(value), MESSAGE),
    };
    if (typeof stack === "string") exception.stack = cut(stack, room);
    else if (place && !depth) exception.stack = `${exception.type}: ${exception.message}\n    at ${place}`;
    const cause = isError && depth < CAUSES ? attempt(() => loose.cause) : undefined;
    if (cause != null) exception.cause = at(cause, depth + 1);
    return exception;
  };
  return at(thrown, 0);
}

/**
 * What is no error, in words. Of an object only the names of its fields, with numbers and booleans:
 * texts in it may be secrets, and anything deeper may be the whole page.
 */
function shown(value: unknown): string {
  if (!isObject(value)) return text(value);
  const fields = attempt(() =>
    Object.keys(value)
      .slice(0, 20)
      .map((key) => {
        const field = value[key];
        return /^[nb]/.test(typeof field) ? `${key}: ${field}` : key;
      })
      .join(", "),
  );
  return `${kindOf(value)} {${fields || ""}}`;
}

/**
 * The error event of something that carries none: an old engine, a script of another origin, or
 * `throw undefined`. Its text is `Uncaught TypeError: …`, as the engine words it.
 */
export function describeText(said: string, place?: string): Exception {
  const [, name, message] = /^(?:Uncaught )?(?:(\w*Error): )?([^]*)/.exec(said) || [];
  return describe({ name: name || "Error", message }, "Error", place);
}
