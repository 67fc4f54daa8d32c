import { attempt } from "./safe.ts";

/** Calls the original function with its own `this`, with other arguments if given. */
export type Call = (args?: unknown[]) => unknown;

/**
 * Wraps a function of the page. A proxy keeps its name, length, text and everything else. The returned function
 * removes the wrapper; if somebody else has wrapped it since, ours stays but only passes calls on.
 */
export function patch(
  owner: object | undefined,
  name: string,
  around: (call: Call, args: unknown[], self: unknown) => unknown,
): () => void {
  const target = owner as Record<string, unknown>;
  const original = attempt(() => target[name]);
  let active = true;
  if (typeof original !== "function") return () => {};
  const own = Object.getOwnPropertyDescriptor(target, name);
  const proxy = new Proxy(original, {
    apply: (_, self, args: unknown[]) => {
      const call: Call = (other = args) => Reflect.apply(original, self, other);
      return active ? around(call, args, self) : call();
    },
  });
  attempt(() => {
    target[name] = proxy;
  });
  return () => {
    active = false;
    attempt(() => {
      if (target[name] !== proxy) return;
      if (own) target[name] = original;
      else delete target[name];
    });
  };
}
