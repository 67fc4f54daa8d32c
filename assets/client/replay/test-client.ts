import type { Source as Client } from "../tap.ts";

/**
 * A separate page for each test, so that requests of others do not interfere. `take` returns the server's answer to a
 * chunk.
 */
export function clientOf<Chunk>(
  take: (chunk: Chunk) => number,
  about = () => ({ session: "session", trace: "trace" }),
): Client {
  const post = (async (_: string, init: RequestInit) => {
    const chunk = JSON.parse(await (init.body as Blob).text()) as Chunk;
    return new Response("{}", { status: take(chunk) });
  }) as typeof fetch;
  return {
    options: { key: "pk_x", url: "https://mayday.example", storage: false },
    origin: "https://mayday.example",
    post,
    who: {},
    about: () => ({ session_id: about().session, window_id: "w", url: "https://shop.example/cart" }),
    trace: () => about().trace,
  };
}
