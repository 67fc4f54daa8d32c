// The stream of an agent session. `EventSource` cannot send the header that selects the organization, so the stream
// is read with `fetch`.

import { within } from "./running-sessions.ts";
import { paths } from "../paths.ts";
import type { AgentSession, SessionMessage } from "./schema.d.ts";
import { sessionEnded } from "./session.ts";
import { events } from "./stream-events.ts";

/** Receives the events of a session's stream. */
export interface SessionListener {
  /** The stream is open; new entries follow. */
  open: () => void;
  /** The stream was lost, and will be reopened. */
  lost: () => void;
  /** New entries of the transcript, in order and without repetitions. */
  messages: (messages: SessionMessage[]) => void;
  session: (session: AgentSession) => void;
  /** The session does not exist, or was deleted. */
  gone: () => void;
}

/** The pauses between attempts, in milliseconds. */
const again = { first: 1_000, most: 30_000 };

/** Follows a session from its beginning, until the returned function is called. */
export function followSession(organization: number, id: string, listener: SessionListener): () => void {
  const leave = new AbortController();
  let last = 0;
  let wait = again.first;

  const hear = (name: string, data: string): boolean => {
    if (name === "session") listener.session(JSON.parse(data) as AgentSession);
    if (name === "deleted") listener.gone();
    return name !== "deleted";
  };

  /** Returns whether to reconnect after the stream has ended. */
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
        // The connection was lost.
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
