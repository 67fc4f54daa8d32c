import { type ComponentType, useEffect, useState } from "react";
import { restyle } from "./restyle.ts";

/** The pause between attempts to load a component's code, in milliseconds. */
const wait = 3_000;

export type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** Loaded components, so that they are available at once everywhere. */
const fetched = new WeakMap<() => unknown, unknown>();

/**
 * A component whose code is loaded when it is wanted. Unlike with `lazy`, a failed load, for example without a
 * network, leaves the page as it is and is retried.
 */
export function useComponent<P>(load: Load<P>, isWanted: boolean): ComponentType<P> | undefined {
  const [component, setComponent] = useState(() => fetched.get(load) as ComponentType<P> | undefined);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isWanted || component) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const fetch = attempt === 0 ? load() : restyle().then(load);
    fetch.then(
      (loaded) => {
        fetched.set(load, loaded.default);
        if (!isGone) setComponent(() => loaded.default);
      },
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
