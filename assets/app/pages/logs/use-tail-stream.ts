import { useEffect, useEffectEvent, useState } from "react";
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
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;
  let wait = again.first;
  let messages: Arrived[] = [];

  const flush = () => {
    frame = undefined;
    const now = messages;
    messages = [];
    hear(now);
  };
  const open = () => {
    clearTimeout(timer);
    if (source) return;
    say("connecting");
    source = new EventSource(address);
    source.onopen = () => {
      wait = again.first;
      say("open");
    };
    source.addEventListener("logs", (message) => {
      messages.push(JSON.parse(message.data) as Arrived);
      frame ??= requestAnimationFrame(flush);
    });
    source.onerror = () => {
      settle();
      say("lost");
      // A lost connection reconnects by itself; a refused one does not.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, again.most);
    };
  };
  /** What has come before the connection ends is passed on first. */
  const settle = () => {
    if (frame === undefined) return;
    cancelAnimationFrame(frame);
    flush();
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const seen = () => {
    if (document.visibilityState === "visible") return open();
    settle();
    close();
    say("hidden");
  };

  /** The stream may take minutes to notice. */
  const drop = () => {
    if (!source) return;
    settle();
    close();
    say("lost");
    timer = setTimeout(open, wait);
  };

  seen();
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("offline", drop);
  window.addEventListener("online", seen);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("offline", drop);
    window.removeEventListener("online", seen);
    if (frame !== undefined) cancelAnimationFrame(frame);
    close();
  };
}
