import { EventType, type Recorded } from "../../../../client/replay/format.ts";
import { paths } from "../../../paths.ts";
import { nothingKnown, sanitized } from "../../replay/data/sanitize.ts";
import { splitter } from "../../replay/data/split.ts";

/** Characters of a recording that are read in search of its first picture. */
const most = 8_000_000;

/** The beginning of a recording: the page's address and size, and its first snapshot. */
export interface Beginning {
  events: [meta: Recorded, picture: Recorded];
  width: number;
  height: number;
}

/** Reads a recording up to its first snapshot; undefined if there is none. */
export async function beginningOf(
  project: number,
  replay: string,
  signal: AbortSignal,
): Promise<Beginning | undefined> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const answer = await fetch(paths.replayEvents(project, replay, 0), { signal: both });
  if (!answer.ok || !answer.body) return undefined;
  try {
    return await firstPicture(answer.body.pipeThrough(new TextDecoderStream()).getReader());
  } finally {
    // The rest of the response is not needed.
    stop.abort();
  }
}

async function firstPicture(reader: ReadableStreamDefaultReader<string>): Promise<Beginning | undefined> {
  const [split, known] = [splitter(), nothingKnown()];
  let meta: Recorded | undefined;
  let read = 0;
  for (let part = await reader.read(); !part.done && read < most; part = await reader.read()) {
    read += part.value.length;
    for (const text of split(part.value)) {
      const event = sanitized(parsed(text), known);
      if (event?.type === EventType.Meta) meta = event;
      if (event?.type !== EventType.FullSnapshot || !meta) continue;
      return { events: [meta, event], width: Number(meta.data.width), height: Number(meta.data.height) };
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
