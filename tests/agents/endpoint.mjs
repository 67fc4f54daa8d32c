// Stands in for a model: an OpenAI-compatible endpoint that answers by a script. What it asks the agent's tools to do
// follows from what they answered before: it looks for the place of the error in the context, reads that file, mends the
// line, lets the repository's own test judge, and commits.

import { createServer } from "node:http";

const MODEL = "mender";

/** Starts it; `requests` is what it was asked. */
export async function start() {
  const requests = [];
  // Connections that are kept would end while an agent waits for its machine.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    requests.push({ path: request.url, authorization: request.headers.authorization, body });
    if (!request.url.endsWith("/chat/completions")) {
      response.writeHead(404).end("{}");
      return;
    }
    answer(response, body, next(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // An agent that was killed may have left a process with a connection.
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, requests, stop };
}

const text = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""));

/** What the model says next: words, or a tool and its input. */
function next({ messages, tools }) {
  if (!tools?.length) return { words: "Mend the cart" };
  const results = messages.filter((message) => message.role === "tool").map((message) => text(message.content));
  const directory = /orking directory: (\S+)/.exec(messages.map((message) => text(message.content)).join("\n"))?.[1];
  const [, file, line] = /\(https:\/\/shop\.example\/([^:]+):(\d+):/.exec(results[0] ?? "") ?? [];
  const filePath = `${directory}/${file}`;
  const bash = (command, description) => ({ tool: "bash", input: { command, description } });
  switch (results.length) {
    case 0:
      return bash('cat "$MAYDAY_CONTEXT/untrusted/stack.md"', "Reads where it was thrown");
    case 1:
      return { tool: "read", input: { filePath } };
    case 2: {
      const [, code] = new RegExp(`^0*${line}[:|]\\s?(.*)$`, "m").exec(results[1]) ?? [];
      const newString = code?.replace("item.price.amount", "(item.price?.amount ?? 0)");
      return { tool: "edit", input: { filePath, oldString: code?.trim(), newString: newString?.trim() } };
    }
    case 3:
      return bash("node check.mjs && git commit --quiet --all --message 'Items without a price cost nothing'", "Tests and commits");
    case 4:
      return bash(`echo '{"title": "Mend the cart", "summary": "An item had no price."}' > "$MAYDAY_RESULT"`, "Reports");
    default:
      return { words: "An item had no price; now it costs nothing." };
  }
}

/** Answers as OpenAI does, in pieces if that is asked for. */
function answer(response, { stream }, { words, tool, input }) {
  const calls = tool && [{ index: 0, id: `call_${Date.now()}`, type: "function", function: { name: tool, arguments: JSON.stringify(input) } }];
  const said = { role: "assistant", content: words ?? null, ...(calls && { tool_calls: calls }) };
  const finish_reason = tool ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: "answer", created: 1, model: MODEL };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...base, object: "chat.completion", choices: [{ index: 0, message: said, finish_reason }], usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice, more) =>
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }], ...more })}\n\n`);
  send({ delta: said, finish_reason: null });
  send({ delta: {}, finish_reason }, { usage });
  response.end("data: [DONE]\n\n");
}
