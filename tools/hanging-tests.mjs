// A reporter for Node's test runner, beside its own: names the tests that ran when the time of their file was over. Node's
// own names the file alone.

export default async function* hangingTests(events) {
  const running = new Map();
  for await (const { type, data } of events) {
    if (type !== "test:dequeue" && type !== "test:complete") continue;
    const key = `${data.file}:${data.line}:${data.column}`;
    if (data.name !== data.file) {
      if (type === "test:dequeue") running.set(key, data);
      else running.delete(key);
    } else if (type === "test:complete") {
      for (const [each, { name, file }] of running) {
        if (file !== data.file) continue;
        running.delete(each);
        yield `HANGS: ${name} (${each}) had not ended when its file did\n`;
      }
    }
  }
}
