import { type ComponentType, useEffect, useState } from "react";

/** Between attempts to fetch a component's code, in milliseconds. */
const wait = 3_000;

/**
 * A component whose code is fetched once it is wanted. Unlike `lazy`, code that cannot be fetched, as without a network,
 * leaves the page as it is and is asked for again.
 */
export function useComponent<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
  isWanted: boolean,
): ComponentType<P> | undefined {
  const [component, setComponent] = useState<ComponentType<P>>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    if (!isWanted || component) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    load().then(
      (loaded) => !isGone && setComponent(() => loaded.default),
      () => {
        if (!isGone) timer = setTimeout(() => setAttempt((n) => n + 1), wait);
      },
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, isWanted, component, attempt]);
  return component;
}
