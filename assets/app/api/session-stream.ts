// The stream of a session of an agent. `EventSource` cannot say which organization is meant, so it is read by hand.

import { within } from "./automation-queries.ts";
import { paths } from "../paths.ts";
import type { AgentSession, SessionMessage } from "./schema.d.ts";
import { sessionEnded } from "./session.ts";
import { events } from "./stream-events.ts";

/** What is heard of a session. */
export interface SessionListener {
  /** The stream is open; what follows is new. */
  open: () => void;
  /** It was lost, and is asked for again. */
  lost: () => void;
  /** Entries of the transcript that came at once, in order and each once. */
  messages: (messages: SessionMessage[]) => void;
  session: (session: AgentSession) => void;
  /** There is no such session, or no longer. */
  gone: () => void;
}

/** Between attempts, in milliseconds. */
const again = { first: 1_000, most: 30_000 };

/** Listens to a session from its beginning, until the returned function is called. */
export function followSession(organization: number, id: string, listener: SessionListener): () => void {
  const leave = new AbortController();
  let last = 0;
  let wait = again.first;

  const hear = (name: string, data: string): boolean => {
    if (name === "session") listener.session(JSON.parse(data) as AgentSession);
    if (name === "deleted") listener.gone();
    return name !== "deleted";
  };

  /** Whether to ask again once it has ended. */
  const listen = async (): Promise<boolean> => {
    const response = await fetch(paths.agentSessionStream(id, last), {
      headers: { Accept: "text/event-stream", ...within(organization).headers },
      signal: leave.signal,
    });
    if (response.status === 404) {
      listener.gone();
      return false;
    }
    if (response.status === 401) sessionEnded();
    if (!response.ok || !response.body) return true;
    listener.open();
    wait = again.first;
    for await (const batch of events(response.body)) {
      const messages: SessionMessage[] = [];
      for (const { name, data } of batch) {
        if (name === "message") messages.push(JSON.parse(data) as SessionMessage);
      }
      last = messages.at(-1)?.id ?? last;
      if (messages.length > 0) listener.messages(messages);
      for (const { name, data } of batch) if (!hear(name, data)) return false;
    }
    return true;
  };

  const keepListening = async () => {
    while (!leave.signal.aborted) {
      try {
        if (!(await listen())) return;
      } catch {
        // Lost on the way.
      }
      if (leave.signal.aborted) return;
      listener.lost();
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(2 * wait, again.most);
    }
  };

  void keepListening();
  return () => leave.abort();
}
