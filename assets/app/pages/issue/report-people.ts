// Leaves people out of a report: their addresses and names, also as they stand in an address, percent-encoded.

import type { Event } from "../../api/schema.d.ts";

/** For whoever reads a report, or chooses what is part of it. */
export const leftOut =
  "e-mail addresses, the user’s name, values that are one part of that name, and the account. What may remain: the " +
  "user’s id, names of other people, and within other text a part of the user’s name, or the account’s name.";

/** What names of mailboxes and hosts consist of, in any script; names have further signs between them. */
const letter = String.raw`\p{L}\p{M}\p{N}_`;
/** Begins the code of a byte; an address within an address is encoded again. */
const coded = "%(?:25){0,3}";
const hex = "[0-9a-f]{2}";
/** Codes of what may be part of a mailbox's name, and of what may not. */
const inName = `${coded}(?:2[bde]|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a]|[89a-f][0-9a-f])`;
const notInName = `${coded}(?:[01][0-9a-f]|2[0-9acf]|3[a-f]|40|5[b-e]|60|7[b-f])`;
const at = String.raw`(?:@|${coded}40|\\u0040|&#64;)`;
/** Not in the middle of a word. */
const nameBegins = String.raw`(?:(?<=${coded}${hex})|(?<![\p{L}\p{M}\p{N}]))`;
/** Not in the middle of a name, nor of a code: so each name is read once. */
const begin = `(?:(?<=${notInName})|(?<![${letter}.+-]))(?!(?<=${coded})${hex})`;
const mailboxName = `${begin}(?:[${letter}.+-]|${inName})+${at}`;
const hostSign = `(?:[${letter}-]|${coded}[89a-f][0-9a-f])`;
const dot = String.raw`(?:\.|${coded}2e)`;
const topLevel = String.raw`(?:xn--[a-z0-9-]+|(?:[\p{L}\p{M}]|${coded}[89a-f][0-9a-f]){2,})`;
/** Addresses of mailboxes, wherever somebody wrote one: in a message, a tag or a context. In linear time. */
const mailbox = new RegExp(`${mailboxName}${hostSign}+(?:${dot}${hostSign}+)*${dot}${topLevel}`, "giu");
const mailboxBegin = new RegExp(`${mailboxName}(?:${hostSign}|${dot})*(?:%[0-9a-f]*)?$`, "iu");

/** The server cuts values of tags at so many characters, and other texts later. */
const cutAt = 200;

/** The begin of an address where a text ends that the server may have cut. */
export const withoutBegin = (text: string): string =>
  text.length < cutAt ? text : text.replace(mailboxBegin, "[e-mail]");

/** Short names, such as `on`, are also part of other words. */
const isTelling = (name: string): boolean => name.length >= 4 || name.includes("@");

/** Words of a name, and what white space is around: of `Anne-Marie Miller`, four. */
const word = String.raw`[\p{L}\p{M}\p{N}]+`;
const nameParts = [new RegExp(word, "gu"), new RegExp(`${word}(?:[^\\s\\p{L}\\p{M}\\p{N}]+${word})*`, "gu")];
const threeLetters = /(?:\p{L}\P{L}*){3}/u;
const folded = (text: string): string => text.trim().normalize("NFKC").toLowerCase();

/** Tells whether a value is nothing but one part of a person's name, of three letters or more, in any case. */
export function naming(user: Event["user"]): (value: string) => boolean {
  const parts = nameParts.flatMap((pattern) => user?.name?.match(pattern) ?? []);
  const known = new Set([...parts, user?.username ?? ""].filter((part) => threeLetters.test(part)).map(folded));
  return (value) => known.size > 0 && known.has(folded(value));
}

/** What leaves a person, and all addresses, out of a text. */
export function leavingOut(user: Event["user"]): (text: string) => string {
  const known: [text: string | null | undefined, mark: string][] = [
    [user?.email, "[e-mail]"],
    [user?.name, "[name]"],
    [user?.username, "[name]"],
  ];
  // A shorter one may be part of a longer one, and a name that of an address.
  const longest = known
    .map(([text, mark]) => ({ text: text?.trim() ?? "", mark }))
    .filter(({ text }) => isTelling(text))
    .sort((one, other) => other.text.length - one.text.length)
    .map(({ text, mark }) => ({ isAddress: text.includes("@"), pattern: patternOf(text), mark }));
  const [addresses, names] = [true, false].map((are) => longest.filter(({ isAddress }) => isAddress === are));
  const without = (from: string, some: typeof longest = []) =>
    some.reduce((rest, { pattern, mark }) => rest.replace(pattern, mark), from);
  return (text) => without(without(text, addresses).replace(mailbox, "[e-mail]"), names);
}

/** What stands between the words of a name: a word has none of it, so that there is one way to read a text. */
const between = String.raw`(?:[\s+_.-]|${coded}(?:20|2[bde]|5f|a0|c2%(?:25){0,3}a0))`;
const betweenAll = new RegExp(`${between}+`, "iu");

/** Finds a whole name in any case, whichever of its signs are encoded, and whatever is between its words. */
function patternOf(text: string): RegExp {
  const words = text.includes("@") ? [text] : text.split(betweenAll).filter((word) => word !== "");
  const whole = words.map(wordPattern).join(`${between}+`);
  return new RegExp(`${nameBegins}(?:${whole || "(?!)"})(?![\\p{L}\\p{M}\\p{N}])`, "giu");
}

const wordPattern = (word: string): string => [...word].map(signPattern).join("");

function signPattern(sign: string): string {
  const codes = [sign, sign.toLowerCase(), sign.toUpperCase()].map(codeOf);
  return `(?:${[escaped(sign), ...new Set(codes)].join("|")})`;
}

const escaped = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`);

const codeOf = (sign: string): string =>
  [...new TextEncoder().encode(sign)].map((byte) => `${coded}${byte.toString(16).padStart(2, "0")}`).join("");
