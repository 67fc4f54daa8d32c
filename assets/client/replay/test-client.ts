import type { Source as Client } from "../tap.ts";

/** A page of its own for each test: what another still sends is not looked at. `take` says what the server answers to a chunk. */
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
