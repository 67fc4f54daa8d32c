// What published libraries sign, a trigger takes: Standard Webhooks and GitHub's own.

import assert from "node:assert/strict";
import { Webhooks } from "@octokit/webhooks";
import { Webhook } from "standardwebhooks";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";

let server;
before(async () => {
  server = await sharedServer();
});

async function trigger(provider, config) {
  const { automation } = await server.post("/api/automations", { name: provider }, { expect: 200 });
  const path = `/api/automations/${automation.id}`;
  const made = await server.post(`${path}/triggers`, { provider, config }, { expect: 201 });
  const events = async () => (await server.request(`${path}/events`)).events;
  return { ...made.trigger, url: `${server.origin}/webhooks/${made.trigger.webhook_url_path}`, events };
}

const post = (url, body, headers) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

test("what the library of Standard Webhooks signs is taken once, and nothing else", async () => {
  const { url, webhook_secret, events } = await trigger("webhook");
  const webhook = new Webhook(webhook_secret);
  const body = JSON.stringify({ text: "größer than 0 €" });
  const call = (id, at, text = body) => {
    const seconds = Math.floor(at.getTime() / 1000);
    const headers = { "webhook-id": id, "webhook-timestamp": `${seconds}`, "webhook-signature": webhook.sign(id, at, body) };
    return post(url, text, headers);
  };
  const taken = await call("msg_1", new Date());
  assert.equal(taken.status, 200);
  assert.equal((await taken.json()).duplicate, false);
  assert.equal((await (await call("msg_1", new Date())).json()).duplicate, true);
  assert.equal((await call("msg_2", new Date(Date.now() - 6 * 60_000))).status, 401);
  assert.equal((await call("msg_3", new Date(Date.now() + 6 * 60_000))).status, 401);
  assert.equal((await call("msg_4", new Date(), body.replace("0", "1"))).status, 401);
  const [event, ...others] = await events();
  assert.equal(others.length, 0);
  assert.equal(event.status, "queued");
});

test("what GitHub's library signs is taken, and only what the trigger asks for runs", async () => {
  const { url, webhook_secret, events } = await trigger("github", { events: ["push"], branches: ["main"] });
  const call = async (name, payload, secret = webhook_secret) => {
    const body = JSON.stringify(payload);
    const headers = {
      "x-github-event": name,
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": await new Webhooks({ secret }).sign(body),
    };
    return post(url, body, headers);
  };
  const repository = { id: 1, full_name: "acme/shop" };
  assert.equal((await call("ping", { zen: "Keep it logically awesome.", repository })).status, 200);
  assert.equal((await call("push", { ref: "refs/heads/main", repository })).status, 200);
  assert.equal((await call("push", { ref: "refs/heads/other", repository })).status, 200);
  assert.equal((await call("push", { ref: "refs/heads/main", repository }, "another secret")).status, 401);
  const found = (await events()).map(({ kind, status, reason }) => [kind, status, reason]);
  assert.deepEqual(found, [
    ["github.push", "skipped", "filter"],
    ["github.push", "queued", null],
  ]);
});
