// What the page loads first; the shop itself comes in a chunk of its own.

declare const RELEASE: string;

export const release = RELEASE;

/** Runs what a visitor does, as the page's event handlers do. */
export async function act(name: string): Promise<void> {
  const { actions } = await import("./actions");
  await handle(name, actions[name]!);
}

async function handle(name: string, action: () => unknown): Promise<void> {
  if (typeof action !== "function") throw new Error(`nothing happens on ${name}`);
  await action();
}
