// Only visible pages keep streams open, because browsers give a site six connections for all tabs.

/** How long a hidden page keeps its streams, in milliseconds. */
const hiddenFor = 15_000;

/**
 * Starts something while the page is visible, and ends it some time after it is hidden, unless `stays` returns true.
 * The returned function ends it for good.
 */
export function whileSeen(begin: () => () => void, stays: () => boolean = () => false): () => void {
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    end?.();
    end = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible" || stays()) end ??= begin();
    else timer = setTimeout(close, hiddenFor);
  };
  look();
  document.addEventListener("visibilitychange", look);
  document.addEventListener("freeze", close);
  document.addEventListener("resume", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    document.removeEventListener("freeze", close);
    document.removeEventListener("resume", look);
    close();
  };
}
