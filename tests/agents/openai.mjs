// A model as OpenAI's API has it.

import { text } from "./script.mjs";

export const path = "/v1/chat/completions";

/** What a request says; without tools it is for a title or the like. */
export function heard({ messages, tools }) {
  const results = messages.filter((message) => message.role === "tool").map((message) => text(message.content));
  return { said: messages.map((message) => text(message.content)).join("\n"), results, hasTools: Boolean(tools?.length) };
}

/** The tool of opencode for a step, and its input. */
function call({ command, why, read, edit, from, to }) {
  if (command) return { name: "bash", input: { command, description: why } };
  if (read) return { name: "read", input: { filePath: read } };
  return { name: "edit", input: { filePath: edit, oldString: from, newString: to } };
}

/** Answers, in pieces if that is asked for. */
export function answer(response, { stream, model }, step) {
  const { name, input } = step.words ? {} : call(step);
  const calls = name && [{ index: 0, id: `call_${Date.now()}`, type: "function", function: { name, arguments: JSON.stringify(input) } }];
  const said = { role: "assistant", content: step.words ?? null, ...(calls && { tool_calls: calls }) };
  const finish_reason = calls ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id: "answer", created: 1, model };
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
