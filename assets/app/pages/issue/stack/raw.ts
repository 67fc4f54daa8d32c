import type { ExceptionView } from "../../../api/schema.d.ts";
import { oneLine } from "../../../ui/visible.ts";

/** The stacks' text as sent, the causes below; empty when none was. */
export const rawStack = (exceptions: ExceptionView[]): string =>
  exceptions.flatMap(({ stack }, at) => (stack ? [at === 0 ? stack : `Caused by: ${stack}`] : [])).join("\n\n");

/** How it came to be noticed: `not handled, onerror`. */
export function mechanismWords(mechanism: ExceptionView["mechanism"] | undefined): string | undefined {
  if (!mechanism) return undefined;
  const handled = mechanism.handled === null ? undefined : mechanism.handled ? "handled" : "not handled";
  const words = [handled, mechanism.type && oneLine(mechanism.type)].filter(Boolean).join(", ");
  return words === "" ? undefined : words;
}
