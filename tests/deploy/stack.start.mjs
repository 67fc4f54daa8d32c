// From nothing to an instance that runs, and what it runs in. A part of stack.test.mjs.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configuration, doctor, issues, publish, report, reportTo, skip, stack } from "./instance.mjs";
import { freePort } from "./programs.mjs";
import { ask, calls, Folder, inWork, name, owner, podman, root, signIn, version } from "./stack.mjs";
import { execFileSync } from "../limited.mjs";

test("from nothing to the first error", { skip }, async () => {
  assert.match(stack.run("bootstrap.sh"), /SITE_ADDRESS/);
  stack.configure("server-v9.9.9");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /server-v9\.9\.9 is not on this host/);
  assert.equal(doctor(1).server.text, "has no container");
  // Nor is any other image fetched.
  stack.configure("stable", "SERVICE_CADDY_IMAGE=localhost/other-caddy:1");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /localhost\/other-caddy:1 is not on this host\n {2}Pull it: /);
  assert.doesNotMatch(calls(), /^pull/m);
  stack.configure("stable");
  // A server that cannot start is waited for by nobody.
  writeFileSync(join(stack.path, "compose.local.yml"), "services:\n  server:\n    entrypoint: /nowhere\n");
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /the stack did not start: .*\/nowhere.*\n {2}All of its output/);
  rmSync(join(stack.path, "compose.local.yml"));
  const setup = /#token=([0-9a-f-]+)/.exec(stack.run("bootstrap.sh"))?.[1];
  const { access_token: token } = await ask("POST", "/auth/setup", { setup_token: setup, ...owner }, 201);
  signIn(token);
  const { id } = await ask("POST", "/api/v1/organizations/1/projects", { name: "Shop" }, 201);
  const { key } = await ask("POST", `/api/v1/projects/${id}/api-keys`, { name: "browser" }, 201);
  reportTo(id, key);
  await report("first");
});

test("the guide's line loads an image from the file of a release", { skip }, () => {
  const guide = readFileSync(join(root, "docs", "install.md"), "utf8");
  const [, file, line] = /^ +(?=gunzip .*(\.\.\/mayday-image-\S+))(gunzip [^#\n]*\| docker load)/m.exec(guide);
  const image = "localhost/mayday-test-loaded:1";
  podman("tag", "localhost/mayday-test-base:1", image);
  const archive = inWork("image.tar");
  podman("push", "--quiet", image, `docker-archive:${archive}:${image}`);
  execFileSync("gzip", ["-n", archive]);
  podman("rmi", image);
  assert.match(stack.type(line.replace(file, `${archive}.gz`).replace("docker", "podman")), /Loaded image: localhost\/mayday-test-loaded:1/);
  podman("rmi", image);
});

test("bootstrap changes nothing, and never pulls", { skip }, async () => {
  publish("server-v0.3.0", "stable");
  assert.doesNotMatch(stack.run("bootstrap.sh"), /#token=/);
  assert.doesNotMatch(calls(), /^pull/m);
  assert.equal(await version(), "0.1.0");
});

test("a second instance on this host needs a name, ports and a network of its own", { skip }, async () => {
  const second = new Folder("second");
  second.configure("stable");
  const refused = new RegExp(`belong to ${stack.path}: give this instance a SERVICE_STACK_NAME`);
  assert.match(second.run("bootstrap.sh", { code: 1 }), refused);
  assert.equal(await version(), "0.1.0");
  const [http, https] = [await freePort(), await freePort()];
  const own = [`SITE_ADDRESS=http://localhost:${http}`, `SERVICE_STACK_NAME=${name}-second`, `SERVICE_HTTP_PORT=${http}`, `SERVICE_HTTPS_PORT=${https}`, "SERVICE_PROXY_NETWORK=172.29.7.0/24"];
  second.configure("stable", ...own);
  assert.match(second.run("bootstrap.sh"), /#token=/);
  assert.equal((await fetch(`http://localhost:${http}/health`)).status, 200);
  assert.deepEqual(await issues(), ["first"]);
  // Its network may become another one, its name may not.
  second.configure("stable", ...own.slice(0, 4), "SERVICE_PROXY_NETWORK=172.29.8.0/24");
  second.run("bootstrap.sh");
  assert.match(podman("network", "inspect", `${name}-second_front`), /172\.29\.8\.0/);
  second.configure("stable", ...own.with(1, `SERVICE_STACK_NAME=${name}-third`));
  assert.match(second.run("bootstrap.sh", { code: 1 }), new RegExp(`is in the volume ${name}-second_data: keep SERVICE_STACK_NAME=${name}-second`));
  second.configure("stable", ...own);
  second.remove();
  assert.doesNotMatch(podman("network", "ls") + podman("volume", "ls") + podman("ps", "--all"), /-second/);
});

test("the server gets every value as it stands in .env.static", { skip }, async () => {
  const said = "it's \"5\" $HOME ${HOME} #1 %s é \\n \\";
  // An unpaired quote takes no line with it.
  stack.configure("stable", "INSTANCE_FAVICON_URL='", `INSTANCE_NAME=${said}`, "HOST_OAUTH_CLIENT_ID=1", "HOST_OAUTH_CLIENT_SECRET=se cret #x");
  stack.run("bootstrap.sh");
  assert.equal((await ask("GET", "/meta")).capabilities.deployment.displayName, said);
  assert.match(configuration(), /^HOST_OAUTH_CLIENT_SECRET=se cret #x$/m);
  // The next update applies it.
  stack.configure("stable");
});

test("the doctor finds a running instance well, and what is missing", { skip }, () => {
  const found = doctor();
  for (const [about, level, text] of [
    ["server", "ok", /^runs/],
    ["caddy", "ok", /^runs/],
    ["health", "ok", /is Mayday 0\.1\.0/],
    ["address", "ok", /\/health and \/meta answer, version 0\.1\.0/],
    ["certificate", "ok", /needs none/],
    ["version", "ok", /the server runs 0\.1\.0, the image of localhost\/mayday:stable/],
    ["disk", "ok", /MiB are free, and the data has \d+ MiB/],
    ["backup", "warning", /there is none/],
    ["clock", "ok", /UTC/],
  ]) {
    assert.equal(found[about]?.level, level, about);
    assert.match(found[about].text, text);
  }
  assert.match(stack.run("doctor.sh"), /^ok {7}server/m);
});

test("the server has no rights in its container, and writes to its volume and /tmp only", { skip }, () => {
  const pid = podman("inspect", "--format", "{{.State.Pid}}", `${name}_server_1`).trim();
  const of = Object.fromEntries(readFileSync(`/proc/${pid}/status`, "utf8").split("\n").map((line) => line.split(/:\s+/)));
  for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) assert.match(of[set], /^0+$/, set);
  assert.equal(of.NoNewPrivs, "1");
  for (const ids of ["Uid", "Gid"]) assert.match(of[ids], /^10001\s+10001\s+10001\s+10001$/, ids);
  // What is mounted there, as the kernel tells it. Some files of the network are the engine's, and podman adds places in memory.
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").trim().split("\n").map((line) => line.split(" "));
  const disks = mounts.filter((words) => !/^\/(proc|sys|dev)(\/|$)|^\/etc\/(hosts|hostname|resolv\.conf)$|^\/run\/\.containerenv$/.test(words[4]));
  assert.ok(disks.some((words) => words[4] === "/"));
  const writable = disks.filter((words) => /^rw(,|$)/.test(words[5]));
  const kept = writable.filter((words) => words[words.indexOf("-") + 1] !== "tmpfs");
  assert.deepEqual(kept.map((words) => words[4]).sort(), ["/backups", "/data"]);
  for (const words of writable) if (!kept.includes(words)) assert.match(words[5], /nosuid,nodev/, words[4]);
});
