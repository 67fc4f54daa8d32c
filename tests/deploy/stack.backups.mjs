// Backups of the instance, and what restores them. A part of stack.test.mjs.

import assert from "node:assert/strict";
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { backups, configuration, doctor, issues, moveTo, report, skip, stack } from "./instance.mjs";
import { eventually, Folder, host, inWork, name, podman, secureSite, site, version } from "./stack.mjs";
import { startStorage } from "./storage.mjs";
import { cannot } from "./untried.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

test("what cannot be had or read changes nothing", { skip }, async () => {
  const present = await issues();
  const damaged = inWork("damaged");
  cpSync(join(stack.path, "backups", backups()[0]), damaged, { recursive: true });
  writeFileSync(join(damaged, "data.tar.zst"), "not an archive");
  assert.match(stack.run("restore.sh", "--yes", damaged, { code: 1 }), /damaged/);
  // A disk without room for a backup. The server's own has room.
  const small = inWork("small");
  mkdirSync(small);
  if (!cannot("a backup on a disk that is full", spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]).status !== 0 && "no file system can be mounted")) {
    try {
      const full = stack.run("backup.sh", join(small, "kept"), { code: 1 });
      assert.match(full, /^Data +failed \(\d+ s\)\n.*the data could not be backed up: mayday: there is not enough room in .*, and [\d.]+ KiB are free .*\n {2}All of the output/m);
      assert.deepEqual(readdirSync(small), []);
    } finally {
      execFileSync("umount", [small]);
    }
  }
  stack.configure("server-v9.9.9");
  assert.match(stack.run("update.sh", { code: 1 }), /could not be pulled/);
  assert.equal(await version(), "0.1.0");
  assert.deepEqual(await issues(), present);
});

test("a backup restores the instance in a fresh directory, with https", { skip }, async () => {
  const present = await issues();
  // With a file that only root may read here, and the server there.
  const app = inWork("secret", "app.pem");
  const pem = "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n";
  mkdirSync(inWork("secret"), { mode: 0o700 });
  writeFileSync(app, pem, { mode: 0o600 });
  const health = `${secureSite}/health`;
  stack.configure("server-v0.1.0", `SITE_ADDRESS=${secureSite}`, `SERVICE_PUBLIC_HEALTHCHECK_URL=${health}`, `SERVICE_HOST_APP_PRIVATE_KEY_FILE=${app}`);
  // Nobody knows the authority yet that Caddy makes for itself.
  writeFileSync(inWork(".curlrc"), "insecure\n");
  assert.match(stack.run("bootstrap.sh", { CURL_HOME: inWork() }), new RegExp(`^Health of ${health} +healthy`, "m"));
  const authority = inWork("authority.crt");
  podman("cp", `${name}_caddy_1:/data/caddy/pki/authorities/local/root.crt`, authority);
  const curl = (...words) => execFileSync("curl", ["--silent", "--show-error", "--max-time", "60", "--cacert", authority, ...words], { encoding: "utf8" });
  assert.match(curl(health), /"ok"/);
  assert.match(curl("--head", site), /^HTTP\/1\.1 308 [\s\S]*location: https:\/\/localhost/i);
  assert.match(curl("--head", secureSite), /strict-transport-security: /i);
  assert.match(doctor(0, { CURL_CA_BUNDLE: authority }).certificate.text, /is by Caddy's own authority/);
  const target = inWork("kept");
  assert.match(stack.run("backup.sh", target), /^Certificates +done [\s\S]*Backup: /m);
  assert.deepEqual([target, join(target, "certificates.tar")].map((path) => statSync(path).mode & 0o077), [0, 0]);
  stack.remove();
  rmSync(inWork("secret"), { recursive: true });
  moveTo(new Folder("elsewhere"));
  // The image is of another host.
  const digest = `registry.example.net/mayday@sha256:${"0".repeat(64)}`;
  writeFileSync(join(target, "image"), `MAYDAY_IMAGE=localhost/mayday:server-v0.1.0\nMAYDAY_IMAGE_ID=${"0".repeat(64)}\nMAYDAY_IMAGE_DIGEST=${digest}\n`);
  rmSync(join(target, "SHA256SUMS"));
  const said = stack.run("restore.sh", target, { CURL_CA_BUNDLE: authority });
  // Its certificate is by the authority of before.
  assert.match(said, /^Certificates +done /m);
  assert.match(said, /health, meta, https:\S+, sign-in/);
  assert.match(said, new RegExp(`warning: the image that ran .* is not on this host, and localhost/mayday:server-v0\\.1\\.0 is started\\. To have the same one, .* pull ${digest}, then run this again`));
  assert.deepEqual([readFileSync(app, "utf8"), statSync(app).mode & 0o777], [pem, 0o600]);
  // The server refuses to start with a key that it cannot read.
  assert.match(configuration(), /^SERVICE_HOST_APP_PRIVATE_KEY_FILE=\/run\/mayday\/host-app-private-key\.pem$/m);
  stack.configure("server-v0.1.0");
  stack.run("bootstrap.sh");
  assert.deepEqual(await issues(), present);
});

test("backups of the schedule go to a directory of this host, and restore.sh takes one", { skip }, async () => {
  const [target, passphrase] = [inWork("scheduled"), inWork("passphrase")];
  const schedule = ["SERVICE_BACKUP_SCHEDULE=0 3 * * *", `SERVICE_BACKUP_TO=${target}`, `SERVICE_BACKUP_PASSPHRASE_FILE=${passphrase}`];
  const present = await issues();
  stack.configure("server-v0.1.0", ...schedule);
  const refused = stack.run("bootstrap.sh", { code: 1 });
  assert.match(refused, /SERVICE_BACKUP_TO=.*scheduled is no directory of this host\. Make it: install -d -o 10001/);
  assert.match(refused, /SERVICE_BACKUP_PASSPHRASE_FILE=.* is no file that can be read/);
  mkdirSync(target, { mode: 0o700 });
  writeFileSync(passphrase, "$a 'passphrase' with \\ of signs\n", { mode: 0o600 });
  assert.match(stack.run("bootstrap.sh", { code: 1 }), /cannot be written by the server, which runs as 10001: chown 10001:10001/);
  chownSync(target, 10001, 10001);
  stack.run("bootstrap.sh");
  await eventually("the first backup", async () => doctor().backup.level === "ok" && /last success/.test(doctor().backup.text));
  const archives = () => readdirSync(target).map((name) => join(target, name));
  assert.equal(archives().length, 1);
  assert.match(archives()[0], /mayday-[0-9a-f]{12}-\d{8}T\d{6}Z\.tar\.zst$/);
  // The data alone: who is configured how stays.
  await report("after the backup");
  const kept = inWork("scheduled.tar.zst");
  renameSync(archives()[0], kept);
  const configured = stack.read(".env.static");
  const [mode, uid] = [statSync(kept).mode, statSync(kept).uid];
  assert.match(stack.run("restore.sh", kept, { input: "n\n", code: 1 }), /The data of this host are replaced/);
  assert.match(stack.run("restore.sh", "--yes", kept), /health, meta, http:\S+, sign-in/);
  assert.deepEqual(await issues(), present);
  assert.equal(stack.read(".env.static"), configured);
  assert.deepEqual([statSync(kept).mode, statSync(kept).uid], [mode, uid]);
  assert.match(stack.run("restore.sh", "--yes", inWork("nothing.tar.zst"), { code: 1 }), /neither a directory nor a file/);
});

test("backup.sh takes the data to S3-compatible storage, and restore.sh brings both parts back", { skip }, async () => {
  const { port, stop, list } = await startStorage();
  const endpoint = `http://${host}:${port}`;
  try {
    const access = [`SERVICE_BACKUP_S3_ENDPOINT=${endpoint}`, "SERVICE_BACKUP_S3_ACCESS_KEY_ID=AKIATEST", "SERVICE_BACKUP_S3_SECRET_ACCESS_KEY=a secret access key"];
    stack.configure("server-v0.1.0", ...access);
    stack.run("bootstrap.sh");
    const present = await issues();
    const target = inWork("in-storage");
    assert.match(stack.run("backup.sh", "--data-to", "s3://backups/mayday/", target), /s3:\/\/backups\/mayday\/in-storage\.tar\.zst/);
    assert.deepEqual(await list(), ["mayday/in-storage.tar.zst"]);
    assert.ok(!existsSync(join(target, "data.tar.zst")) && existsSync(join(target, ".env.generated")));
    await report("after the backup");
    stack.configure("server-v0.1.0");
    assert.match(stack.run("restore.sh", "--yes", target), /health, meta, http:\S+, sign-in/);
    assert.deepEqual(await issues(), present);
    assert.ok(stack.read(".env.static").includes(endpoint), "the configuration came back, too");
    // The data alone, by its address.
    await report("once more");
    assert.match(stack.run("restore.sh", "--yes", "s3://backups/mayday/in-storage.tar.zst"), /health, meta, http:\S+, sign-in/);
    assert.deepEqual(await issues(), present);
    assert.match(stack.run("restore.sh", "--yes", "s3://backups/mayday/other.tar.zst", { code: 1 }), /could not be restored: mayday: there is no backup at s3:.*\n {2}What was here is unchanged/);
    assert.deepEqual(await issues(), present);
    assert.match(stack.run("backup.sh", "--data-to", "/tmp", { code: 2 }), /usage/);
    // What restores have kept is named, and goes when it is asked to.
    assert.match(doctor().kept.cure, /restore\.sh --remove-kept$/);
    assert.match(stack.run("restore.sh", "--remove-kept", { input: "n\n", code: 1 }), /before-restore-.*Nothing was removed/s);
    assert.match(stack.run("restore.sh", "--remove-kept", { input: "y\n" }), /\/data\/mayday\/before-restore-.*Removed\.\n$/s);
    assert.equal(doctor().kept, undefined);
  } finally {
    stop();
  }
});
