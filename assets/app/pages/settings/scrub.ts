// The settings for scrubbing, and the server's rules for names.

import type { Scrubbing } from "../../api/schema.d.ts";

export type Parts = Required<Scrubbing>;

/** The switches of `Scrubbing`. */
export const parts = [
  {
    name: "secret_names",
    label: "Fields whose name suggests a secret",
    about:
      "password, secret, token, authorization, cookie, api_key and similar, in fields and within text: JSON, forms, headers, DB_PASSWORD=…; also the user name and password in a URL",
  },
  {
    name: "card_numbers",
    label: "Card numbers",
    about: "Runs of 13 to 19 digits with a valid check digit, anywhere",
  },
  { name: "private_keys", label: "Private keys", about: "PEM blocks, from BEGIN to END" },
  {
    name: "bearer_tokens",
    label: "Bearer tokens and API keys",
    about:
      "Whatever follows Bearer or Basic, JSON Web Tokens, and keys with a known prefix: AKIA, ghp_, sk-, pat_ and more",
  },
] as const satisfies readonly { name: keyof Parts; label: string; about: string }[];

/** The server's answer with defaults. */
export const whole = (given: Partial<Scrubbing> | undefined): Parts => ({
  secret_names: given?.secret_names ?? true,
  card_numbers: given?.card_numbers ?? true,
  private_keys: given?.private_keys ?? true,
  bearer_tokens: given?.bearer_tokens ?? true,
  keep_ip_addresses: given?.keep_ip_addresses ?? false,
  keys: given?.keys ?? [],
});

/** A name as it is compared: without `-`, `_`, `.` and spaces, in lower case. */
const squashed = (name: string): string => name.toLowerCase().replace(/[-_. ]/g, "");

export interface Bounds {
  names: number;
  chars: number;
}

/** The error in entered names; `undefined` if they are valid. The server has the last word. */
export function nameProblem(names: string[], { names: most, chars }: Bounds): string | undefined {
  if (names.length > most) return `Use at most ${most} names.`;
  for (const name of names) {
    if ([...name].length > chars)
      return `Use at most ${chars} characters per name: “${[...name].slice(0, 20).join("")}…” is longer.`;
    if (squashed(name) === "") return `“${name}” contains no letter or digit.`;
  }
  return undefined;
}

/** The names, without those that are the same as an earlier one. */
export function distinct(names: string[]): string[] {
  const seen = new Set<string>();
  return names
    .map((name) => name.trim())
    .filter((name) => {
      const key = squashed(name) || name;
      if (name === "" || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
