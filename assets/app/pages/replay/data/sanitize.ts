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
  /** Texts that are style sheets. */
  styles: Set<number>;
}

export const nothingKnown = (): Known => ({ fields: new Set(), styles: new Set() });

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
  node(event.data.node as Node, known, false);
  return event;
}

const listOf = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value.filter(isObject as never) : []);

function mutation(data: Mutation, known: Known): void {
  data.adds = listOf(data.adds).filter((add) => isObject(add.node));
  data.removes = listOf(data.removes as object[]);
  data.texts = listOf(data.texts);
  data.attributes = listOf(data.attributes).filter((change) => isObject(change.attributes));
  for (const { node: added } of data.adds) node(added, known, false);
  for (const text of data.texts) {
    if (known.styles.has(text.id) && typeof text.value === "string") text.value = quiet(text.value);
  }
  // The element is not known here, so addresses are kept only in attributes that never fetch.
  for (const change of data.attributes) change.attributes = attributes(change.attributes, undefined);
}

function node(each: Node, known: Known, inStyle: boolean): void {
  if (each.type === NodeType.Text) {
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
  const own = isObject(each.attributes) ? each.attributes : {};
  // A sheet that was not recorded is dropped.
  const isGone = replaced.test(tag) || (tag === "link" && !("_cssText" in own));
  each.tagName = isGone ? (each.isSVG ? "g" : "noscript") : tag;
  each.attributes = isGone ? {} : attributes(own, tag);
  // A custom element would be defined, in a document where nothing runs.
  delete each.isCustom;
}

/** `tag` is the element's, if known. */
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
    else if (tag !== "link" || low !== "rel") kept[key] = value;
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
