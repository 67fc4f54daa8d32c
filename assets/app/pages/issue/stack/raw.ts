import type { ExceptionView } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";

/** The stack texts as sent, from the error to its root cause, as engines print them; empty if there are none. */
export const rawStack = (exceptions: ExceptionView[]): string =>
  exceptions
    .toReversed()
    .flatMap(({ stack }, at) => (stack ? [at === 0 ? stack : `Caused by: ${stack}`] : []))
    .join("\n\n");

/** Browsers' events for uncaught errors. */
const uncaught: Record<string, string> = {
  onerror: "Uncaught error",
  onunhandledrejection: "Unhandled promise rejection",
};

/** How the client caught the error: `Uncaught error`, `Handled (logging)`. */
export function mechanismWords(mechanism: ExceptionView["mechanism"] | undefined): string | undefined {
  if (!mechanism) return undefined;
  const type = mechanism.type ? oneLine(mechanism.type) : undefined;
  if (type !== undefined && Object.hasOwn(uncaught, type) && mechanism.handled !== true) return uncaught[type];
  if (mechanism.handled === null) return type;
  const words = mechanism.handled ? "Handled" : "Unhandled";
  return type === undefined ? words : `${words} (${type})`;
}
