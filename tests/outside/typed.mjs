// Holds requests and answers to the types of a service's public client, by the compiler.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../browser/programs.mjs";

// Beside the packages whose types it asks for.
const place = join(root, "tests", "outside", "node_modules");
const compiler = join(root, "assets", "node_modules", "typescript-native", "bin", "tsc");

// A stand-in may leave out what nobody reads, and must not answer what the type does not name.
const part = `type Named<K> = string extends K ? never : number extends K ? never : K;
export type Part<T> = T extends (infer Item)[] ? Part<Item>[] : T extends object ? { [K in keyof T as Named<K>]?: Part<T[K]> } : T;
// Of a type that is open to more names, those, too.
export type Open<T> = T extends (infer Item)[] ? Open<Item>[] : T extends object ? { [K in keyof T]?: Open<T[K]> } : T;
`;

/** Of `{type, value}`, a sentence for each whose value is not of its type; `imports` are the lines that name the types. */
export function misfits(imports, held) {
  const lines = held.map(({ type, value }) => `export const value${number()}: ${type} = ${JSON.stringify(value)};`);
  return complaints(`${imports}\n${part}`, lines).map(({ line, text }) => ({ ...held[line], text }));
}

let count = 0;
const number = () => (count += 1);

function complaints(head, lines) {
  const folder = mkdtempSync(join(place, ".held-"));
  try {
    writeFileSync(join(folder, "held.mts"), head + lines.join("\n"));
    const words = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "esnext", "--pretty", "false", "--types", ""];
    execFileSync(process.execPath, [compiler, ...words, join(folder, "held.mts")], { encoding: "utf8", timeout: 60_000 });
    return [];
  } catch (error) {
    const before = head.split("\n").length - 1;
    const found = [...`${error.stdout}`.matchAll(/held\.mts\((\d+),\d+\): error TS\d+: ([^\n]*(?:\n +[^\n]*)*)/g)];
    const told = found.map(([, line, text]) => ({ line: Number(line) - 1 - before, text }));
    if (told.length === 0 || told.some(({ line }) => line < 0)) throw new Error(`The compiler said:\n${error.stdout ?? error}`);
    return told;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
