// The instance that stack.test.mjs and its parts try: its folder, and what is asked of it.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { ask, discard, eventually, Folder, inWork, name, podman, prepare, withoutDatabase, withoutStack } from "./stack.mjs";

export const skip = withoutStack("the stack on real containers");
export const noGateway = skip || withoutDatabase("the gateway in the stack");

/** The folder whose instance runs. */
export let stack;
let project;
let key;
export const moveTo = (folder) => {
  stack = folder;
};
/** What `report` reports to. */
export const reportTo = (id, of) => {
  project = id;
  key = of;
};
export const issues = async () => (await ask("GET", `/api/v1/projects/${project}/issues?sort=first_seen`)).issues.map(({ title }) => title).sort();
export const report = async (message) => {
  await ask("POST", "/api/v1/errors", { api_key: key, message }, 202);
  await eventually(`the issue ${message}`, async () => (await issues()).includes(message));
};
export const backups = () => (existsSync(join(stack.path, "backups")) ? readdirSync(join(stack.path, "backups")).sort() : []);
/** Moves a tag of the registry. */
export const publish = (tag, as) => podman("tag", `localhost/mayday:${tag}`, `localhost/registry/mayday:${as}`);
/** What the server in its container is configured with. */
export const configuration = () => {
  podman("cp", `${name}_server_1:/run/mayday/env`, inWork("env"));
  return readFileSync(inWork("env"), "utf8");
};
export const doctor = (code = 0, more = {}) => {
  const text = stack.run("doctor.sh", "--json", { code, ...more });
  for (const name of [".env.generated", ".env.static"]) {
    for (const [, secret] of stack.read(name).matchAll(/(?:SECRET|SECRET_KEY|PASSWORD|_KEY|TOKEN)=(.{4,})$/gm)) assert.ok(!text.includes(secret), name);
  }
  return Object.fromEntries(JSON.parse(text).findings.map((finding) => [finding.about, finding]));
};

before(() => {
  if (skip) return;
  prepare();
  publish("server-v0.1.0", "stable");
  podman("tag", "localhost/mayday:server-v0.1.0", "localhost/mayday:stable");
  stack = new Folder("deploy");
});

after(() => {
  stack?.remove();
  discard();
});
