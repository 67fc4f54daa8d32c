// Parses server-sent events.

/** An event of a stream. */
export interface StreamEvent {
  name: string;
  data: string;
}

/** A parser that takes text as it arrives, and returns the events that it completes. */
export function eventReader(): (text: string) => StreamEvent[] {
  let rest = "";
  return (text) => {
    const parts = (rest + text).replaceAll("\r\n", "\n").split("\n\n");
    rest = parts.pop() ?? "";
    return parts.flatMap((part) => read(part) ?? []);
  };
}

/** The event in these lines; none if they are only a comment. */
function read(part: string): StreamEvent | undefined {
  let name = "message";
  const data: string[] = [];
  for (const line of part.split("\n")) {
    const [, field, value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { name, data: data.join("\n") };
}

/** The events of a body; those that arrive together form one batch. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const take = eventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const batch = take(decoder.decode(value, { stream: true }));
      if (batch.length > 0) yield batch;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
