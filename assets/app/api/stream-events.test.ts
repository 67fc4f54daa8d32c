import { expect, test } from "vitest";
import { eventReader, events } from "./stream-events.ts";

test("an event is emitted once it is complete, however it is split", () => {
  const text = 'retry: 1000\nid: 0\n\n: alive\n\nevent: session\nid: 3\ndata: {"a":1}\n\ndata: one\ndata: two\n\n';
  const expected = [
    { name: "session", data: '{"a":1}' },
    { name: "message", data: "one\ntwo" },
  ];
  for (let size = 1; size <= text.length; size += 7) {
    const take = eventReader();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...take(text.slice(at, at + size)));
    expect(found, `in pieces of ${size}`).toEqual(expected);
  }
});

test("lines may end with CR and LF, and values may contain colons", () => {
  expect(eventReader()("event: message\r\ndata: a: b\r\n\r\n")).toEqual([{ name: "message", data: "a: b" }]);
});

test("a body is read to its end, including split characters", async () => {
  const bytes = new TextEncoder().encode("data: ü\n\ndata: 2\n\ndata: unfinished");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const found = [];
  for await (const batch of events(body)) found.push(...batch.map(({ data }) => data));
  expect(found).toEqual(["ü", "2"]);
});
