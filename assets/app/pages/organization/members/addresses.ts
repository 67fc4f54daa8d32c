import { isEmail } from "../../../ui/rules.ts";

/** The most addresses that can be invited at once. */
export const most = 50;

export interface Addresses {
  /** Each once, in the order in which they were typed. */
  good: string[];
  wrong: string[];
}

/**
 * Addresses in pasted text: apart by commas, semicolons, spaces or new lines, with names around them or
 * not (`Ada <ada@example.com>`).
 */
export function addressesIn(text: string): Addresses {
  const good = new Map<string, string>();
  const wrong = new Set<string>();
  for (const part of text.split(/[,;\n]+/)) {
    const bracketed = [...part.matchAll(/<([^<>]*)>/g)].map(([, inside]) => (inside ?? "").trim());
    const words = bracketed.length > 0 ? bracketed : part.split(/\s+/);
    for (const raw of words) {
      const word = raw.replace(/^mailto:/i, "");
      if (word === "") continue;
      if (isEmail(word) && !/[<>"]/.test(word)) {
        if (!good.has(word.toLowerCase())) good.set(word.toLowerCase(), word);
      } else {
        wrong.add(word);
      }
    }
  }
  return { good: [...good.values()], wrong: [...wrong] };
}

/** Why they cannot be invited; `undefined` when they can. */
export function addressProblem({ good, wrong }: Addresses): string | undefined {
  if (wrong.length > 0) {
    const named = wrong
      .slice(0, 3)
      .map((word) => `“${word.slice(0, 60)}”`)
      .join(", ");
    return `${named}${wrong.length > 3 ? ` and ${wrong.length - 3} more` : ""} ${wrong.length === 1 ? "is not an e-mail address" : "are not e-mail addresses"}.`;
  }
  if (good.length === 0) return "Enter at least one e-mail address.";
  return good.length > most ? `Invite at most ${most} people at once; this is ${good.length}.` : undefined;
}
