// A model as Anthropic's API has it.

import { text } from "./script.mjs";

export const path = "/v1/messages";

/** What a request says; without tools it is for a title or the like. */
export function heard({ system, messages, tools }) {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [{ type: "text", text: content }]));
  const results = parts.filter((part) => part.type === "tool_result").map((part) => text(part.content));
  return { said: `${text(system)}\n${text(parts)}`, results, hasTools: Boolean(tools?.length) };
}

/** The tool of Claude Code for a step, and its input. */
function call({ command, why, read, edit, from, to }) {
  if (command) return { name: "Bash", input: { command, description: why } };
  if (read) return { name: "Read", input: { file_path: read } };
  return { name: "Edit", input: { file_path: edit, old_string: from, new_string: to } };
}

let answers = 0;

/** Answers, in pieces if that is asked for; what a step does comes when its words have been `heard`. */
export async function answer(response, { stream, model }, step) {
  answers += 1;
  const blocks = [];
  if (step.words) blocks.push({ type: "text", text: step.words });
  const does = step.command ?? step.read ?? step.edit;
  if (does) blocks.push({ type: "tool_use", id: `toolu_${answers}`, ...call(step) });
  const stop_reason = does ? "tool_use" : "end_turn";
  const base = { id: `msg_${answers}`, type: "message", role: "assistant", model, stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...base, content: blocks, stop_reason, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type, rest) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  send("message_start", { message: { ...base, content: [], stop_reason: null, usage } });
  for (const [index, block] of blocks.entries()) {
    if (index > 0) await step.heard;
    const { begun, pieces } = inPieces(block);
    send("content_block_start", { index, content_block: begun });
    for (const delta of pieces) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}

/** A block as it begins, and the two halves of what it has. */
function inPieces(block) {
  const halves = (whole) => [whole.slice(0, whole.length / 2), whole.slice(whole.length / 2)];
  if (block.type === "text") {
    return { begun: { ...block, text: "" }, pieces: halves(block.text).map((half) => ({ type: "text_delta", text: half })) };
  }
  const pieces = halves(JSON.stringify(block.input)).map((half) => ({ type: "input_json_delta", partial_json: half }));
  return { begun: { ...block, input: {} }, pieces };
}
