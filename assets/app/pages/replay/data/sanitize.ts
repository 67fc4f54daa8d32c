// A recording is untrusted: whoever has the public key can send one. Its document runs and fetches nothing; this
// removes what would try to, and what no policy covers, such as `rel="preconnect"`.

import {
  type Attribute,
  EventType,
  type Mutation,
  type Node,
  NodeType,
  type Recorded,
  Source,
} from "../../../../client/replay/format.ts";
import { quiet } from "./css.ts";

/** What is remembered of a recording's nodes. */
export interface Known {
  /** Input fields: a click there changes only the focus. */
  fields: Set<number>;
  /** Style sheets and their texts. */
  styles: Set<number>;
  /** Links to style sheets that the page could not read, since somebody last looked. */
  links: SheetLink[];
  /** The addresses of those links of the page whose style sheets are still not recorded, by their ids. */
  bare: Map<number, string>;
  /** Addresses of style sheets that nobody has. */
  missing: Set<string>;
  /** Nodes that are not drawn, since what they stand in is missing. */
  unplaced: WeakSet<Node>;
}

/** A link to a style sheet, which stands there without it. */
export interface SheetLink {
  node: Node;
  href: string;
}

export const nothingKnown = (): Known => ({
  fields: new Set(),
  styles: new Set(),
  links: [],
  bare: new Map(),
  missing: new Set(),
  unplaced: new WeakSet(),
});

const types: ReadonlySet<unknown> = new Set(Object.values(EventType));
/** Canvases, media and fonts are not shown: they would be loaded by the page around. */
const sources: ReadonlySet<unknown> = new Set(Object.values(Source));
const sheets: ReadonlySet<unknown> = new Set([
  Source.StyleSheetRule,
  Source.StyleDeclaration,
  Source.AdoptedStyleSheet,
]);

/** Elements that are replaced by inert ones. */
const replaced = /^(?:script|object|embed|applet|base|frame|frameset|portal|fencedframe|set|animate\w*|meta)$/;
/** A valid element name. */
const name = /^[a-z][\w.:-]*$/;
const fields = /^(?:input|textarea|select|option|label)$/;
const links = /^(?:a|area)$/;
/** Attributes that fetch, lead elsewhere or run. */
const dropped =
  /^(?:on.*|srcdoc|srcset|imagesrcset|action|formaction|ping|target|manifest|codebase|archive|classid|data|background|lowsrc|dynsrc|longdesc|http-equiv|autofocus|is|nonce|integrity|rr_media.*)$/;
const addresses = /^(?:src|href|xlink:href|poster|rr_dataurl)$/;
const harmless = /^\s*(?:#|data:image\/(?!svg))/i;
/** Characters of a style sheet's address. */
const addressMost = 2_048;
/** Where an address is a picture; elsewhere it is dropped. */
const pictures = /^(?:img|image|input|video|use|fe\w+|pattern|lineargradient|radialgradient|textpath|mpath|canvas)$/;

/** The event in a safe form, changed in place; undefined if it cannot be shown. */
export function sanitized(given: unknown, known: Known): Recorded | undefined {
  if (!isObject(given)) return undefined;
  const { type, timestamp, data } = given;
  if (!types.has(type) || typeof timestamp !== "number" || !Number.isFinite(timestamp)) return undefined;
  const event = { type, timestamp, data: isObject(data) ? data : {} } as Recorded;
  if (type === EventType.FullSnapshot) return isObject(event.data.node) ? withNode(event, known) : undefined;
  if (type === EventType.Meta) sized(event.data);
  if (type !== EventType.Incremental) return event;
  const { source } = event.data;
  if (!sources.has(source)) return undefined;
  if (source === Source.Mutation) mutation(event.data as unknown as Mutation, known);
  if (source === Source.ViewportResize) sized(event.data);
  if (sheets.has(source)) event.data = quieted(event.data) as Recorded["data"];
  return event;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The most that a page may be wide or high, in pixels. */
const largest = 10_000;

function sized(data: Recorded["data"]): void {
  for (const side of ["width", "height"]) data[side] = Math.min(largest, Math.max(1, Number(data[side]) || 1));
}

function withNode(event: Recorded, known: Known): Recorded {
  known.fields.clear();
  known.styles.clear();
  known.bare.clear();
  node(event.data.node as Node, known, false);
  return event;
}

const listOf = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value.filter(isObject as never) : []);

function mutation(data: Mutation, known: Known): void {
  data.adds = listOf(data.adds).filter((add) => isObject(add.node));
  data.removes = listOf(data.removes as object[]);
  data.texts = listOf(data.texts);
  data.attributes = listOf(data.attributes).filter((change) => isObject(change.attributes));
  for (const { parentId, node: added } of data.adds) node(added, known, known.styles.has(parentId));
  for (const text of data.texts) {
    if (known.styles.has(text.id) && typeof text.value === "string") text.value = quiet(text.value);
  }
  // Which element it is, is not known here: addresses are kept only where none of them could fetch.
  for (const change of data.attributes) {
    if ("_cssText" in change.attributes) arrive(known, change.id);
    change.attributes = attributes(change.attributes, undefined);
  }
}

function node(each: Node, known: Known, inStyle: boolean): void {
  if (each.type === NodeType.Text) {
    delete each.childNodes;
    each.textContent = String(each.textContent ?? "");
    if (!inStyle && !each.isStyle) return;
    known.styles.add(each.id);
    each.textContent = quiet(each.textContent);
    return;
  }
  if (each.type === NodeType.Element) element(each, known);
  each.childNodes = listOf(each.childNodes);
  for (const child of each.childNodes) node(child, known, each.tagName === "style");
}

function element(each: Node, known: Known): void {
  const given = String(each.tagName ?? "").toLowerCase();
  const tag = name.test(given) ? given : "div";
  if (fields.test(tag)) known.fields.add(each.id);
  if (tag === "style") known.styles.add(each.id);
  const own = isObject(each.attributes) ? each.attributes : {};
  const sheet = tag === "link" && !each.isSVG ? sheetOf(own) : undefined;
  // A link without its style sheet stays, without its address: the text may be known elsewhere, or come later.
  const isGone = replaced.test(tag) || (tag === "link" && !("_cssText" in own) && sheet === undefined);
  if (sheet !== undefined) {
    known.links.push({ node: each, href: sheet });
    known.bare.set(each.id, sheet);
  }
  each.tagName = isGone ? (each.isSVG ? "g" : "noscript") : tag;
  each.attributes = isGone ? {} : attributes(own, tag);
  // A custom element would be defined, in a document where nothing runs.
  delete each.isCustom;
}

/** The address of the style sheet that a link is drawn with, if the page could not read it. */
function sheetOf({ rel, href, media, disabled, _cssText }: Record<string, Attribute>): string | undefined {
  const kinds = String(rel ?? "")
    .toLowerCase()
    .split(/\s+/);
  const isOff = kinds.includes("alternate") || media === "print" || disabled !== undefined;
  if (!kinds.includes("stylesheet") || isOff || _cssText !== undefined || typeof href !== "string") return undefined;
  return /^https?:/i.test(href) && href.length <= addressMost ? href : undefined;
}

/** The style sheet of a link was recorded after all: it had not been loaded yet. */
function arrive(known: Known, id: number): void {
  const href = known.bare.get(id);
  if (href === undefined) return;
  known.bare.delete(id);
  known.missing.delete(href);
}

/** `tag`: the element's, where it is known. */
function attributes(own: Record<string, Attribute>, tag: string | undefined): Record<string, Attribute> {
  const kept: Record<string, Attribute> = {};
  for (const [key, value] of Object.entries(own)) {
    const low = key.toLowerCase();
    if (dropped.test(low)) continue;
    if (addresses.test(low)) {
      if (tag !== undefined && links.test(tag)) kept[key] = "#";
      else if (typeof value === "string" && harmless.test(value) && (tag === undefined || pictures.test(tag)))
        kept[key] = value;
    } else if (low === "style" || low === "_csstext") kept[key] = quieted(value) as Attribute;
    else if (low !== "rel" || (tag !== undefined && tag !== "link")) kept[key] = value;
  }
  return kept;
}

/** Replaces an empty rule, because rrweb counts rules and fails on an empty one. */
const noRule = "none {}";

/** Removes addresses from all texts in a value, as style sheets. */
function quieted(value: unknown): unknown {
  if (typeof value === "string") return quiet(value);
  if (Array.isArray(value)) return value.map(quieted);
  if (!isObject(value)) return value;
  const left = Object.entries(value).map(([key, each]) => {
    const text = quieted(each);
    return [key, key === "rule" && text === "" ? noRule : text];
  });
  return Object.fromEntries(left);
}
