import { attempt, isObject, kindOf, text } from "./safe.ts";
import type { Exception } from "./types.ts";

/** The most characters of an event's messages and stacks, so that its request may outlive the page. */
const ROOM = 40_000;
/** Characters of a message (the server's limit), and of a type. */
const MESSAGE = 8_192;
const TYPE = 256;
/** The most causes of an error. */
const CAUSES = 10;

interface ErrorLike {
  name?: unknown;
  message?: unknown;
  stack?: unknown;
  cause?: unknown;
}

/**
 * Describes a thrown value. An error is recognized by its properties, not by its class, because one from a frame has
 * a different `Error`. `fallback` is the type of anything else; `place` replaces a missing stack.
 */
export function describe(thrown: unknown, fallback: string, place?: string): Exception {
  let room = ROOM;
  const cut = (value: string, most: number): string => {
    const kept = value.slice(0, Math.min(most, room));
    room -= kept.length;
    return kept;
  };

  const at = (value: unknown, depth: number): Exception => {
    const error = Object(value) as ErrorLike;
    const said = attempt(() => error.message);
    const stack = attempt(() => error.stack);
    const isError = typeof said === "string" || typeof stack === "string";
    const exception: Exception = {
      type: cut((isError && text(attempt(() => error.name))) || fallback, TYPE),
      message: cut(isError ? text(said) : shown(value), MESSAGE),
    };
    if (typeof stack === "string") exception.stack = cut(stack, room);
    else if (place && !depth) exception.stack = `${exception.type}: ${exception.message}\n    at ${place}`;
    const cause = isError && depth < CAUSES ? attempt(() => error.cause) : undefined;
    if (cause != null) exception.cause = at(cause, depth + 1);
    return exception;
  };
  return at(thrown, 0);
}

/**
 * A text for a value that is not an error. For an object only the names of its fields, with numbers and booleans:
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
 * The exception of an error event without an error object: from an old engine, a script of another origin, or `throw
 * undefined`. Its text is the engine's, such as `Uncaught TypeError: …`.
 */
export function describeText(said: string, place?: string): Exception {
  const [, name, message] = /^(?:Uncaught )?(?:(\w*Error): )?([^]*)/.exec(said) || [];
  return describe({ name: name || "Error", message }, "Error", place);
}
