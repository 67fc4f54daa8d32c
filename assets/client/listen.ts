import { attempt } from "./safe.ts";

/** Ends all of these, also those after one that cannot be ended. */
export const all = (ends: ((() => void) | undefined)[]) => (): void => {
  for (const end of ends) attempt(() => end!());
};

/** Listens, with `capture` before others can stop an event on its way down. What is returned ends that. */
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
