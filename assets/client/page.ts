import { address } from "./address.ts";
import type { WatcherApi } from "./platform.ts";
import { all, listen } from "./listen.ts";
import { patch } from "./patch.ts";
import { attempt, isObject, kindOf, text } from "./safe.ts";
import type { BreadcrumbSource, Level } from "./types.ts";

/** The most elements in the description of a click: the pressed one and its ancestors. */
const ELEMENTS = 3;
/** Characters of an element's id, classes or name. */
const NAME = 64;

export const leaves = ({ options }: WatcherApi, source: BreadcrumbSource): boolean =>
  !options.breadcrumbs || options.breadcrumbs.includes(source);

export function watchClicks(api: WatcherApi): (() => void) | undefined {
  if (!leaves(api, "click")) return undefined;
  return listen(globalThis, ["click"], (event) => {
    const [target] = event.composedPath();
    api.crumb({ category: "ui.click", message: selector(target as Element) });
  });
}

/** `form#checkout > button.pay[name=now]`; does not read text or values. */
export function selector(element: Element | null): string {
  const parts: string[] = [];
  for (let each = element; each?.tagName && parts.length < ELEMENTS; each = each.parentElement) {
    const attribute = (name: string): string => text(each!.getAttribute(name) || "").slice(0, NAME);
    const [id, classes, name] = ["id", "class", "name"].map(attribute);
    const dotted = classes!.trim().replace(/^(?=.)|\s+/g, ".");
    parts.unshift(each.tagName.toLowerCase() + (id && `#${id}`) + dotted + (name && `[name=${name}]`));
  }
  return parts.join(" > ");
}

const levels: Record<string, Level> = { debug: "debug", log: "info", info: "info", warn: "warning", error: "error" };

export function watchConsole(api: WatcherApi): (() => void) | undefined {
  if (!leaves(api, "console")) return undefined;
  const ends = Object.entries(levels).map(([name, level]) =>
    patch(console, name, (call, args) => {
      attempt(() => api.crumb({ category: "console", level, message: args.map(said).join(" ") }));
      return call();
    }),
  );
  return all(ends);
}

/** Describes an argument of a console call. Runs no code of the page, and does not look into objects. */
function said(value: unknown): string {
  if (!isObject(value)) return text(value);
  return value instanceof Error ? `${value.name}: ${value.message}` : kindOf(value);
}

/** A new address is a breadcrumb, and a new path a new trace, because to the person it is another page. */
export function watchNavigation(api: WatcherApi): () => void {
  const path = (url: string): string => url.replace(/[?#].*/, "");
  let from = location.href;
  const moved = (): void => {
    const to = location.href;
    if (to === from) return;
    if (leaves(api, "navigation")) {
      api.crumb({ category: "navigation", type: "navigation", data: { from: address(from), to: address(to) } });
    }
    if (path(to) !== path(from)) api.trace(true);
    from = to;
  };
  // Workers have no history.
  const own = attempt(() => history);
  const ends = ["pushState", "replaceState"].map((name) =>
    patch(own, name, (call) => {
      const result = call();
      attempt(moved);
      return result;
    }),
  );
  return all([...ends, listen(globalThis, ["popstate", "hashchange"], moved)]);
}

/** Notices when the page is left, or back online. */
export function watchLeaving({ leave, retry }: WatcherApi): () => void {
  const hidden = (): void => {
    if (document.visibilityState === "hidden") leave();
  };
  return all([
    listen(globalThis, ["pagehide"], leave),
    listen(globalThis, ["online"], () => retry()),
    listen(
      attempt(() => document),
      ["visibilitychange"],
      hidden,
    ),
  ]);
}
