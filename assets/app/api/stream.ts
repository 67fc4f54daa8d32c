// A stream of messages of the server, as one tab holds it.

/** A message of the server, as it came. */
export interface Message {
  type: "issue" | "event" | "notification";
  /** The position in the stream behind it. */
  id: string;
  data: string;
}

/** What becomes of a stream. One that was lost comes back by itself, one that was refused is asked for again later. */
export type Heard = { kind: "open" } | { kind: "lost" | "refused" } | { kind: "message"; message: Message };
export type Hear = (heard: Heard) => void;

/** Between attempts when the server refuses a stream, in milliseconds. */
const again = { first: 2_000, most: 60_000 };

/** Opens the stream at an address for messages of these types, again and again, until the returned function is called. */
export function openStream(address: () => string, types: readonly Message["type"][], hear: Hear): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = again.first;

  const open = () => {
    source = new EventSource(address());
    source.onopen = () => {
      wait = again.first;
      hear({ kind: "open" });
    };
    for (const type of types) {
      source.addEventListener(type, ({ lastEventId: id, data }) =>
        hear({ kind: "message", message: { type, id, data: String(data) } }),
      );
    }
    source.onerror = () => {
      const refused = source?.readyState === EventSource.CLOSED;
      hear({ kind: refused ? "refused" : "lost" });
      if (!refused) return;
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, again.most);
    };
  };

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
