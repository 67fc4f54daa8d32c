import { attempt } from "./safe.ts";

/** Random bytes in hexadecimal. */
export function randomId(bytes: number): string {
  // Old versions of Node lack it, and the ids need not be secret.
  const random = attempt(() => crypto.getRandomValues(new Uint8Array(bytes)));
  const byteAt = (index: number): number => (random ? random[index]! : Math.random() * 256);
  return Array.from({ length: bytes }, (_, index) => ((byteAt(index) | 0) + 256).toString(16).slice(1)).join("");
}

/** The idle time after which a session ends, in milliseconds. */
const IDLE = 1_800_000;

/**
 * The ids of the person's session, which all pages of the origin share, and of the window, which successive pages in
 * it share. Without storage, they belong to this page alone.
 */
export function visit(storage: boolean): () => { session_id: string; window_id: string } {
  const own = () => randomId(16);
  let session = own();
  let window = own();
  return () => {
    if (storage) {
      attempt(() => {
        const now = Date.now();
        const [known, used] = (localStorage.getItem("mayday.session") || "").split(" ");
        if (known && now - Number(used) < IDLE) session = known;
        else if (known === session) session = own();
        localStorage.setItem("mayday.session", `${session} ${now}`);
      });
      attempt(() => {
        window = sessionStorage.getItem("mayday.window") || window;
        sessionStorage.setItem("mayday.window", window);
      });
    }
    return { session_id: session, window_id: window };
  };
}
