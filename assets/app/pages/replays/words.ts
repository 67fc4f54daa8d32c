import type { Replay } from "../../api/schema.d.ts";

type Fields = Record<string, unknown> | null | undefined;

const first = (of: Fields, names: string[]): string | undefined => {
  const found = names.map((name) => of?.[name]).find((value) => value !== undefined && value !== null && value !== "");
  return found === undefined ? undefined : String(found);
};

/** The name of a replay's person, as far as it is known. */
export function nameOf({ user, account }: Pick<Replay, "user" | "account">): string {
  return userSearchOf(user) ?? first(account as Fields, ["name", "id"]) ?? "Anonymous";
}

/** The search for the replays of one person; undefined without a name. */
export const userSearchOf = (user: unknown): string | undefined =>
  first(user as Fields, ["email", "username", "name", "id"]);

/** Where a replay was recorded, as far as its client says. */
export function originOf({
  environment,
  release,
}: Pick<Replay, "environment" | "release">): { kind: "Environment" | "Release"; name: string }[] {
  return [
    { kind: "Environment" as const, name: environment ?? "" },
    { kind: "Release" as const, name: release ?? "" },
  ].filter(({ name }) => name !== "");
}

/** The path of an address, where it has one. */
export function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
}
