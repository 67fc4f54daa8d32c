// Streams are for pages that somebody sees: browsers give a site six connections over all tabs.

/** How long a page that nobody sees keeps what it began, in milliseconds. */
const hiddenFor = 15_000;

/**
 * Begins something while the page is seen, and ends it some time after it is not; `stays` says that it goes on unseen.
 * The answer ends it for good.
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
