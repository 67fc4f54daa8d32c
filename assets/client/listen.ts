import { attempt } from "./safe.ts";

/** Calls all of these functions, even if one throws. */
export const all = (ends: ((() => void) | undefined)[]) => (): void => {
  for (const end of ends) attempt(() => end!());
};

/** Adds listeners, with `capture` before others can stop an event. The returned function removes them. */
export function listen(
  target: EventTarget | undefined,
  types: string[],
  act: (event: Event) => void,
  capture = true,
): () => void {
  const handle = (event: Event): void => void attempt(() => act(event));
  const each = (change: "addEventListener" | "removeEventListener"): void => {
    for (const type of types) attempt(() => target![change](type, handle, { capture, passive: true }));
  };
  each("addEventListener");
  return () => each("removeEventListener");
}
