// Style sheets of another origin, which the page was not allowed to read: what was uploaded with the replay's release stands
// in for them. Nothing is fetched from where the page had them.

import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { quiet } from "./css.ts";
import type { Known } from "./sanitize.ts";

/** Style sheets that are asked for, and characters of them that are drawn, in a replay. */
const sheetsMost = 40;
const charactersMost = 4_000_000;
/** Milliseconds after which the replay goes on without one, and for which it waits in all. */
const [patience, waitMost] = [10_000, 30_000];

/** Reads the text of a style sheet by its address; nothing if there is none. */
export type ReadSheet = (href: string, signal: AbortSignal) => Promise<string | undefined>;

/** The style sheets of a replay, each asked for once. */
export class Sheets {
  #read: ReadSheet | undefined;
  #room = charactersMost;
  #waited = 0;
  readonly #texts = new Map<string, Promise<string | undefined>>();

  /** Without `read` there are none. */
  constructor(read?: ReadSheet) {
    this.#read = read;
  }

  /** Gives the links that came up since the last time their style sheets, and notes which have none. */
  async fill(known: Known): Promise<void> {
    const [links, begun] = [known.links.splice(0), performance.now()];
    const fill = async ({ node, href }: Known["links"][number]) => {
      const text = await this.#textOf(href);
      if (text !== undefined) node.attributes = { ...node.attributes, _cssText: text };
      else if (known.bare.get(node.id) === href) known.missing.add(href);
    };
    await Promise.all(links.map(fill));
    this.#waited += performance.now() - begun;
    if (this.#waited > waitMost) this.#read = undefined;
  }

  #textOf(href: string): Promise<string | undefined> {
    let text = this.#texts.get(href);
    if (!text) {
      if (this.#texts.size >= sheetsMost) return Promise.resolve(undefined);
      text = this.#ask(href);
      this.#texts.set(href, text);
    }
    return text;
  }

  async #ask(href: string): Promise<string | undefined> {
    try {
      const text = await this.#read?.(href, AbortSignal.timeout(patience));
      if (text === undefined || text.length > this.#room) return undefined;
      this.#room -= text.length;
      return quiet(text);
    } catch {
      // A server that does not answer is not waited for again and again.
      this.#read = undefined;
      return undefined;
    }
  }
}

/** Those that were uploaded with a release. */
export function sheetsOf(project: number, release: string | null | undefined): Sheets {
  if (!release) return new Sheets();
  return new Sheets(async (href, signal) => {
    const answer = await fetch(paths.styleSheet(project, release, href), { signal });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.status === 204 ? undefined : answer.text();
  });
}

/** What is said of style sheets that are missing. */
export const sheetNote = (count: number): string | false =>
  count > 0 &&
  `${counted(count, "style sheet")} of other origins ${count === 1 ? "is" : "are"} missing, so the page looked different: pages may not read them, and they were not uploaded with the release.`;
