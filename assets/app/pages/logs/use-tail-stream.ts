import { useEffect, useEffectEvent, useState } from "react";
import { parseExact } from "../../api/exact-json.ts";
import type { Arrived } from "./tail.ts";

/** Between attempts when the server refuses the stream, in milliseconds. */
const again = { first: 1_000, most: 30_000 };

export type Connection = "connecting" | "open" | "lost" | "hidden";

/** Follows a stream of entries while the page is visible; passes on the entries of a frame together. */
export function useTailStream(address: string, hear: (messages: Arrived[]) => void): Connection {
  const [connection, setConnection] = useState<Connection>("connecting");
  const onMessages = useEffectEvent(hear);
  useEffect(() => follow(address, (messages) => onMessages(messages), setConnection), [address]);
  return connection;
}

/** What the hook does; the returned function ends it. */
export function follow(
  address: string,
  hear: (messages: Arrived[]) => void,
  say: (connection: Connection) => void,
): () => void {
  const frames = inFrames(hear);
  const stream = connected(address, frames, say);
  const seen = () => {
    if (document.visibilityState === "visible") return stream.open();
    stream.close();
    say("hidden");
  };

  seen();
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("offline", stream.drop);
  window.addEventListener("online", seen);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("offline", stream.drop);
    window.removeEventListener("online", seen);
    frames.forget();
    stream.close();
  };
}

type Frames = ReturnType<typeof inFrames>;

/** Passes on together what comes within a frame. */
function inFrames(hear: (messages: Arrived[]) => void) {
  let frame: number | undefined;
  let messages: Arrived[] = [];
  const forget = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    messages = [];
  };
  /** Passes on at once what has come so far. */
  const flush = () => {
    const now = messages;
    forget();
    if (now.length > 0) hear(now);
  };
  const add = (message: Arrived) => {
    messages.push(message);
    frame ??= requestAnimationFrame(flush);
  };
  return { add, flush, forget };
}

/** The stream, which connects again when it was lost or refused. What came before it ends is passed on first. */
function connected(address: string, { add, flush }: Frames, say: (connection: Connection) => void) {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = again.first;

  const close = () => {
    flush();
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  /** Also instead of a stream that is still connecting: it may have begun offline, and try again much later. */
  const open = () => {
    if (source?.readyState === EventSource.OPEN) return;
    close();
    if (isOffline()) return say("lost");
    say("connecting");
    source = new EventSource(address);
    source.onopen = () => {
      wait = again.first;
      say("open");
    };
    source.addEventListener("logs", (message) => add(parseExact(String(message.data)) as Arrived));
    source.onerror = () => {
      // A lost connection reconnects by itself; a refused one does not.
      if (source?.readyState === EventSource.CLOSED) return lose();
      flush();
      say("lost");
    };
  };
  const lose = () => {
    close();
    say("lost");
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, again.most);
  };
  /** The stream may take minutes to notice that the browser is offline. */
  const drop = () => source && lose();
  return { open, close, drop };
}

/** Whether the server is out of reach until the browser is online: on the same computer it never is. */
function isOffline(): boolean {
  return navigator.onLine === false && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}
