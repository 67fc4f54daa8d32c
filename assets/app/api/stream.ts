// A stream of the server's messages, as held by one tab.

/** A message of the server, as it came. */
export interface Message {
  type: "issue" | "event" | "notification";
  /** The position in the stream after it. */
  id: string;
  data: string;
}

/** Events of a stream. A lost stream reconnects by itself; a refused one is retried later. */
export type StreamEvent = { kind: "open" } | { kind: "lost" | "refused" } | { kind: "message"; message: Message };
export type StreamHandler = (heard: StreamEvent) => void;

/** The pauses between attempts when the server refuses a stream, in milliseconds. */
const again = { first: 2_000, most: 60_000 };

/** Opens a stream for messages of these types, and reopens it until the returned function is called. */
export function openStream(address: () => string, types: readonly Message["type"][], hear: StreamHandler): () => void {
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
