// Stands in for a provider of models: an endpoint in the manner of OpenAI or Anthropic (`openai.mjs`, `anthropic.mjs`) that
// answers by a script.

import { createServer } from "node:http";
import { next } from "./script.mjs";

/** Starts it; `requests` is what it was asked. */
export async function start(manner, script = next) {
  const requests = [];
  // Connections that are kept would end while an agent waits for its machine.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const { pathname } = new URL(request.url, "http://model");
    const { authorization, "x-api-key": key } = request.headers;
    requests.push({ path: pathname, authorization, key, body });
    if (pathname !== manner.path) {
      response.writeHead(404).end("{}");
      return;
    }
    const { hasTools, ...heard } = manner.heard(body);
    await manner.answer(response, body, hasTools ? script(heard) : { words: "Mend the cart" });
  });
  // Whoever takes it for a proxy gets nowhere.
  server.on("connect", (request, socket) => {
    requests.push({ path: `CONNECT ${request.url}`, body: {} });
    socket.destroy();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // An agent that was killed may have left a process with a connection.
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, requests, stop };
}
