// What a person may choose about scrubbing, and the rules that the server has for names.

import type { Scrubbing } from "../../api/schema.d.ts";

export type Parts = Required<Scrubbing>;

/** The switches of `Scrubbing`; `removes` is true where switched on means that more goes. */
export const parts = [
  {
    name: "secret_names",
    label: "Values whose name says that they are secret",
    about:
      "password, secret, token, authorization, cookie, api_key and the like, of fields and within texts: JSON, forms, header lines, DB_PASSWORD=…; also the user and password of an address",
  },
  {
    name: "card_numbers",
    label: "Card numbers",
    about: "13 to 19 digits with a right check digit, wherever they stand",
  },
  { name: "private_keys", label: "Private keys", about: "Blocks in PEM form, from BEGIN to END" },
  {
    name: "bearer_tokens",
    label: "Bearer tokens and the like",
    about:
      "What follows Bearer and Basic, JSON Web Tokens, and keys known by how they begin: AKIA, ghp_, sk-, pat_ and more",
  },
] as const satisfies readonly { name: keyof Parts; label: string; about: string }[];

/** The server's answer, with what it leaves out. */
export const whole = (given: Partial<Scrubbing> | undefined): Parts => ({
  secret_names: given?.secret_names ?? true,
  card_numbers: given?.card_numbers ?? true,
  private_keys: given?.private_keys ?? true,
  bearer_tokens: given?.bearer_tokens ?? true,
  keep_ip_addresses: given?.keep_ip_addresses ?? false,
  keys: given?.keys ?? [],
});

/** A name as it is compared: case, `-`, `_`, `.` and spaces do not count. */
export const squashed = (name: string): string => name.toLowerCase().replace(/[-_. ]/g, "");

export interface Bounds {
  names: number;
  chars: number;
}

/** Why a name cannot be taken, or nothing. The server has the last word. */
export function nameProblem(names: string[], { names: most, chars }: Bounds): string | undefined {
  if (names.length > most) return `At most ${most} names`;
  for (const name of names) {
    if ([...name].length > chars) return `At most ${chars} characters a name: ${[...name].slice(0, 20).join("")}…`;
    if (squashed(name) === "") return `“${name}” has no letter or digit`;
  }
  return undefined;
}

/** The names, without those that mean the same as an earlier one. */
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

/** Whether two choices differ. */
export const differs = (one: Partial<Parts>, other: Partial<Parts>): boolean =>
  JSON.stringify(whole(one)) !== JSON.stringify(whole(other));
