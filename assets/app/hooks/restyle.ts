/** Style sheets that could not be loaded. */
const failed = new Set<HTMLLinkElement>();

globalThis.window?.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failed.add(target);
  },
  // Such errors do not bubble.
  true,
);

/**
 * Loads the style sheets that could not be loaded. Vite asks for each only once, so that code which is loaded at a
 * later attempt would come without them.
 */
export async function restyle(links = failed): Promise<void> {
  const again = [...links].map(
    (link) =>
      new Promise((resolve, reject) => {
        const copy = link.cloneNode() as HTMLLinkElement;
        copy.onload = resolve;
        copy.onerror = () => reject(new Error(`Unable to preload CSS for ${link.href}`));
        link.replaceWith(copy);
      }),
  );
  links.clear();
  await Promise.all(again);
}
