import { reachable } from "../api/client.ts";

/** The app's style sheets that could not be loaded. */
const failed = new Set<HTMLLinkElement>();

globalThis.window?.addEventListener(
  "error",
  ({ target }) => {
    // Browser extensions add style sheets of their own.
    if (target instanceof HTMLLinkElement && target.matches('[rel=stylesheet][href^="/assets/"]')) failed.add(target);
  },
  // Such errors do not bubble.
  true,
);

/** The copies that are on their way. */
let pending: Promise<unknown> | undefined;

/**
 * Loads the style sheets that could not be loaded, and waits for those that are on their way. Vite asks for each only
 * once, so that code which is loaded at a later attempt would come without them.
 */
export async function restyle(links = failed, ask: () => Promise<unknown> = reachable): Promise<void> {
  const all = Promise.all([pending, ...[...links].map((link) => again(link, links, ask))]);
  links.clear();
  pending = all;
  try {
    await all;
  } finally {
    if (pending === all) pending = undefined;
  }
}

/** Loads one again. If the server answers but it fails, it is given up, or no page could be opened any more. */
const again = (link: HTMLLinkElement, links: Set<HTMLLinkElement>, ask: () => Promise<unknown>) =>
  new Promise((resolve, reject) => {
    const copy = link.cloneNode() as HTMLLinkElement;
    copy.onload = resolve;
    copy.onerror = () =>
      ask().then(() => {
        links.delete(copy);
        reject(new Error(`Unable to preload CSS for ${link.href}`));
      }, reject);
    link.replaceWith(copy);
  });
