import type { AnyRouter, ParsedLocation } from "@tanstack/react-router";

/** How long a page may take to grow to where the person was, in milliseconds. */
const patience = 3_000;
/** Whoever does one of these is elsewhere by now. */
const own = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

type Location = Pick<ParsedLocation, "href" | "state" | "hash">;
const keyOf = ({ state, href }: Location) => state.__TSR_key ?? href;

/**
 * Scrolls to where the person left a page, also where it is as tall as that only once its answers are drawn: the router
 * scrolls once, when a page is first drawn.
 */
export function keepPlace(router: Pick<AnyRouter, "subscribe">): void {
  const places = new Map<string, number>();
  /** Of the page that is shown, while it is not tall enough yet. */
  let growing: { wanted: number; stop: () => void } | undefined;
  router.subscribe("onBeforeLoad", ({ fromLocation }) => {
    if (fromLocation) places.set(keyOf(fromLocation), growing?.wanted ?? scrollY);
  });
  router.subscribe("onRendered", ({ toLocation }) => {
    growing?.stop();
    const wanted = places.get(keyOf(toLocation)) ?? 0;
    if (toLocation.hash !== "" || scrollY + 1 >= wanted) return;
    const stop = growTo(wanted, () => {
      growing = undefined;
    });
    growing = { wanted, stop };
  });
}

/** Follows the page as it grows, until `ended` is called. The function that is returned ends this. */
function growTo(wanted: number, ended: () => void): () => void {
  const observer = new ResizeObserver(() => {
    scrollTo(scrollX, wanted);
    if (scrollY + 1 >= wanted) stop();
  });
  const timer = setTimeout(() => stop(), patience);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const type of own) removeEventListener(type, stop, true);
    ended();
  };
  for (const type of own) addEventListener(type, stop, { capture: true, passive: true });
  observer.observe(document.documentElement);
  return stop;
}
