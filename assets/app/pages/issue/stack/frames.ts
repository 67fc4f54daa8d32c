// Decides what is shown of a stack: which frames are folded, and which are open.

import type { ExceptionView, FrameView, Unresolved } from "../../../api/schema.d.ts";
import { languageOf } from "./language.ts";
import { libraryOf, libraryWords } from "./library.ts";

/** So many consecutive calls of the same place are folded. */
const repeatMin = 3;
/** Causes deeper than these are a loop or an attack. */
const causesMax = 50;

export type Form = "original" | "minified";

/** Lines of source around a position. */
export interface Source {
  /** The number of the first line, if known. */
  start: number | undefined;
  lines: string[];
  /** Which of them was running. */
  thrown: number;
  /** Where in that line, as an index into its text. */
  at: number | undefined;
  /** Columns of that line that were left out at its start. */
  skipped: number;
}

export interface DisplayedFrame {
  function: string | undefined;
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
  source: Source | undefined;
}

/** The exception and its causes, root cause first. */
export function chain(exception: ExceptionView | null): ExceptionView[] {
  const found: ExceptionView[] = [];
  for (let next = exception; next && found.length < causesMax; next = next.cause) {
    found.push(next);
    if (next.causes.length > 0) {
      // The members of an aggregate are siblings, in their own order.
      found.push(...next.causes.toReversed());
      break;
    }
  }
  return found.reverse();
}

/** The relation between two exceptions of a chain, as words before the name; none for a single exception. */
export function linkWords(index: number, chain: ExceptionView[]): string | undefined {
  if (chain.length < 2) return undefined;
  const members = chain.find(({ causes }) => causes.length > 0)?.causes.length ?? 0;
  if (members > 1 && index < members) return `Error ${index + 1} of ${members}`;
  if (members > 1 && index === members) return "Which together led to";
  return index === 0 ? "Caused by" : "Which led to";
}

const present = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

/** A frame in one of its two forms; a frame that was never resolved has one. */
export function shown(frame: FrameView, form: Form): DisplayedFrame {
  const original = form === "original" ? frame.resolved : null;
  if (original) {
    return {
      function: present(original.function),
      file: original.file,
      line: original.line,
      column: original.column,
      source: source(original, original.line, original.column, original.context_start),
    };
  }
  return {
    function: present(frame.function),
    file: present(frame.url),
    line: present(frame.line),
    column: present(frame.column),
    source: source(frame, frame.line, frame.column, 0),
  };
}

interface Context {
  pre_context: string[];
  context_line: string | null;
  post_context: string[];
}

function source(context: Context, line: number | null, column: number | null, skipped: number): Source | undefined {
  if (context.context_line === null) return undefined;
  const text = withoutReturn(context.context_line);
  const at = column === null ? undefined : column - 1 - skipped;
  const before = context.pre_context.length;
  return {
    start: line === null ? undefined : Math.max(1, line - before),
    lines: [...context.pre_context.map(withoutReturn), text, ...context.post_context.map(withoutReturn)],
    thrown: before,
    at: at !== undefined && at >= 0 && at < text.length ? at : undefined,
    skipped,
  };
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

/** What the marked line of a call did: the first call of an exception threw it. */
export const hereWords = (threw: boolean): string => (threw ? "Thrown here" : "Called here");

/** `file:line:column`, as far as known. */
export const placeOf = ({ file, line, column }: DisplayedFrame): string =>
  [file ?? "unknown file", ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])])].join(":");

/** Whether a file may be JavaScript: pages and chunks have any name. */
function isScript(file: string | undefined): boolean {
  const language = languageOf(file);
  return language === undefined || language === "tsx" || language === "typescript";
}

/** The function; only scripts leave out the name because their code stands outside of any. */
export function functionOf({ function: name, file }: DisplayedFrame): string {
  return name ?? (file !== undefined && isScript(file) ? "top level" : "unknown function");
}

export type Row =
  | { kind: "frame"; index: number; times: number }
  | { kind: "library"; indexes: number[]; words: string };

/** Consecutive library frames become one row, and so do calls of the same place. The thrown frame is never folded. */
export function rows(frames: FrameView[], form: Form): Row[] {
  const found: Row[] = [];
  for (let index = 0; index < frames.length; ) {
    const library = index === 0 ? 0 : run(frames, index, (frame) => !frame.in_app);
    if (library > 1) {
      const indexes = Array.from({ length: library }, (_, at) => index + at);
      const names = indexes.map((at) => libraryOf(shown(frames[at] as FrameView, form).file));
      found.push({ kind: "library", indexes, words: libraryWords(library, names) });
      index += library;
      continue;
    }
    const place = placeKey(frames[index] as FrameView, form);
    const same = run(frames, index, (frame) => placeKey(frame, form) === place);
    const times = same >= repeatMin ? same : 1;
    found.push({ kind: "frame", index, times });
    index += times;
  }
  return found;
}

const placeKey = (frame: FrameView, form: Form): string => {
  const view = shown(frame, form);
  return `${view.function}\n${placeOf(view)}`;
};

function run(frames: FrameView[], from: number, fits: (frame: FrameView) => boolean): number {
  let end = from;
  while (end < frames.length && fits(frames[end] as FrameView)) end += 1;
  return end - from;
}

/** What the local variables of a call held that may be folded with others. */
export interface CallLocals {
  /** Its number among them, from 1 for the one nearest the throw. */
  call: number;
  vars: object;
}

/** What local variables held in each of so many calls that was sent with any. */
export const heldIn = (frames: FrameView[], index: number, times: number): CallLocals[] =>
  frames.slice(index, index + times).flatMap(({ vars }, at) => (vars ? [{ call: at + 1, vars }] : []));

/**
 * The frame that is open at first: the in-app frame nearest the throw that has source, or a reason why it has none;
 * otherwise a library frame with source, or else with a reason. The other frames show their line beside the function.
 */
export function openAtFirst(frames: FrameView[]): Set<number> {
  const withSource = (frame: FrameView) => shown(frame, "original").source !== undefined;
  const single = rows(frames, "original").flatMap((row) => (row.kind === "frame" ? [row.index] : []));
  const find = (fits: (frame: FrameView) => boolean) => single.filter((index) => fits(frames[index] as FrameView));
  const saysWhy = (frame: FrameView) => unresolvedOf(frame) !== undefined;
  const own = find((frame) => frame.in_app && (withSource(frame) || saysWhy(frame)));
  return new Set([...own, ...find(withSource), ...find(saysWhy)].slice(0, 1));
}

/** Characters of a frame's line that are shown beside its function, and before the marked column. */
const lineMax = 200;
const lineBefore = 40;

/** The executed line for one row; a long one is cut around its column. */
export function lineOf({ lines, thrown, at = 0 }: Source): string {
  const line = lines[thrown] ?? "";
  if (line.trim().length <= lineMax) return line.trim();
  const from = at > lineMax ? at - lineBefore : 0;
  return `${from > 0 ? "…" : ""}${line.slice(from, from + lineMax).trim()}…`;
}

/** Characters of a line that somebody wrote; of minified scripts they are longer. */
const writtenMax = 300;

/** Whether the sender gave a frame the source that people read, so that no source map is missing. */
const cameWithSource = ({ context_line }: FrameView): boolean =>
  context_line !== null && context_line.trim() !== "" && context_line.length <= writtenMax;

/** Why a frame has no source, if a source map could provide it: only for languages that need one. */
export function unresolvedOf(frame: FrameView): Unresolved | undefined {
  if (cameWithSource(frame)) return undefined;
  return isScript(frame.url ?? undefined) ? (frame.unresolved ?? undefined) : undefined;
}

export interface Resolution {
  /** Frames that a source map could have resolved. */
  mappable: number;
  open: FrameView[];
}

export function resolution(exceptions: ExceptionView[]): Resolution {
  const frames = exceptions.flatMap((exception) => exception.frames);
  const open = frames.filter((frame) => unresolvedOf(frame) !== undefined);
  return { mappable: open.length + frames.filter((frame) => frame.resolved !== null).length, open };
}

/** Whether any frame has a second form. */
export const hasMinified = (exceptions: ExceptionView[]): boolean =>
  exceptions.some((exception) => exception.frames.some((frame) => frame.resolved !== null));
