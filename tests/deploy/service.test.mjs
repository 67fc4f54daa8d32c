// Mayday without containers: install-service.sh below another root, with a systemd that only takes notes, and the log-in to
// Amazon's registry. What the installer writes is read by the real server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { binary, deploy, has, program, read, required, root, run, shells } from "./folder.mjs";
import { cannot, lacks } from "./untried.mjs";
import { spawnSync } from "../limited.mjs";

const asRoot = cannot("the service on a host", process.getuid() !== 0 && "only root can install it");

/** A host with a systemd that takes notes, and starts nothing. */
function host(files = {}) {
  const folder = deploy(files);
  const at = join(folder, "root");
  mkdirSync(at);
  const note = (name, more = "") => program(folder, name, `echo "${name} $*" >>'${folder}/calls'${more}`);
  note("systemctl");
  note("useradd", `; touch '${folder}/user'`);
  note("chgrp");
  // The user is there once it was made.
  program(folder, "getent", `[ -f '${folder}/user' ]`);
  program(folder, "runuser", 'shift 3; [ "${2:-}" = setup-token ] && echo 0123-4567; exit 0');
  program(folder, "curl", `echo "curl $*" >>'${folder}/calls'; echo ok`);
  const install = (shell, ...words) => run(shell, folder, "install-service.sh", ...(words.length > 0 ? words : [binary]), { DESTDIR: at });
  const calls = () => (existsSync(join(folder, "calls")) ? read(folder, "calls") : "");
  return { folder, at, install, calls };
}

/** What /meta says of a server with this environment file. */
async function meta(folder, file) {
  const server = spawn(binary, ["serve", "--env-file", file, "--data-dir", join(folder, "data"), "--listen", "127.0.0.1:0"], { env: { SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "true" }, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(server, "exit");
  try {
    const [said] = await once(server.stdout, "data");
    return await (await fetch(`${/http:\/\/127\.0\.0\.1:\d+/.exec(said.toString())[0]}/meta`)).json();
  } finally {
    server.kill();
    await ended;
  }
}

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("the installer makes the user, the configuration, the binary and the unit, and is safe to run again", { skip: asRoot }, () => {
      const { folder, at, install, calls } = host();
      assert.match(install(shell).all, /SITE_ADDRESS[\s\S]*SERVICE_SERVER_IMAGE_TAG/);
      assert.ok(existsSync(join(folder, ".env.static")) && !existsSync(join(at, "etc")), "first the template");
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_LISTEN=127.0.0.1:8123\nSERVICE_TRUSTED_PROXIES=10.0.0.9\nSERVICE_BACKUP_TO=/srv/backups\n`);
      const first = install(shell);
      assert.equal(first.status, 0, first.all);
      assert.match(first.all, /Claim this instance: https:\/\/mayday\.example\.net\/setup#token=0123-4567/);
      const text = read(at, "etc/mayday/env");
      for (const line of ["SERVICE_LISTEN='127.0.0.1:8123'", "SERVICE_TRUSTED_PROXIES='10.0.0.9,127.0.0.1,::1'", "SERVICE_BACKUP_TO='/srv/backups'", "SITE_ADDRESS='https://mayday.example.net'"]) assert.ok(text.includes(`${line}\n`), line);
      assert.doesNotMatch(text, /^SERVICE_DATA_DIR|172\.31\.|\/backups'$(?<!srv\/backups'$)/m);
      assert.deepEqual([statSync(join(at, "etc/mayday/env")).mode & 0o777, statSync(join(at, "etc/mayday")).mode & 0o777], [0o640, 0o750]);
      assert.equal(statSync(join(at, "usr/local/bin/mayday")).mode & 0o777, 0o755);
      assert.equal(read(at, "etc/systemd/system/mayday.service"), readFileSync(join(root, "deploy/mayday.service"), "utf8"));
      assert.equal(read(at, "etc/systemd/system/mayday.service.d/backups.conf"), "[Service]\nReadWritePaths=-/srv/backups\n");
      assert.match(calls(), /^useradd --system --home-dir \/var\/lib\/mayday --shell \S+nologin mayday\n(chgrp mayday .*\n)+systemctl daemon-reload\nsystemctl enable mayday\.service\nsystemctl restart mayday\.service\ncurl .* http:\/\/127\.0\.0\.1:8123\/health$/m);
      const secrets = read(folder, ".env.generated");
      writeFileSync(join(folder, ".env.static"), required);
      assert.equal(install(shell).status, 0);
      assert.equal(read(folder, ".env.generated"), secrets);
      assert.equal(calls().match(/^useradd/gm).length, 1);
      assert.ok(!existsSync(join(at, "etc/systemd/system/mayday.service.d/backups.conf")));
      assert.match(read(at, "etc/mayday/env"), /^SERVICE_LISTEN='127\.0\.0\.1:8000'$/m);
    });

    test("what cannot be installed changes nothing, and says what to do", { skip: asRoot }, () => {
      const { folder, at, install, calls } = host({ ".env.static": `${required}SERVICE_DISK_FLOOR_MB=many\n` });
      assert.equal(install(shell, "a", "b").status, 2);
      assert.match(install(shell, join(folder, "nothing")).all, /is not an executable file/);
      assert.match(install(shell).all, /the configuration is not valid\n.*SERVICE_DISK_FLOOR_MB/);
      assert.ok(!existsSync(join(at, "usr")));
      assert.doesNotMatch(calls(), /restart/);
      // A service that does not start.
      writeFileSync(join(folder, ".env.static"), required);
      program(folder, "systemctl", '[ "$1" != restart ]');
      const failed = install(shell);
      assert.equal(failed.status, 1);
      assert.match(failed.all, /the service did not start\n {2}journalctl -u mayday/);
    });

    test("the service reads every value as it stands in .env.static", { skip: asRoot }, async () => {
      const { folder, at, install } = host();
      // What systemd would read otherwise: backslashes, quotes, a backslash at the end of a line, #, $, spaces.
      for (const [written, expected] of [
        ["a\\b\\\\c \\n \\", "a\\b\\\\c \\n \\"],
        ["it's \"5\" wide; $HOME `x` #1", "it's \"5\" wide; $HOME `x` #1"],
        ["\"'both' \\ \"quotes\"\"", "'both' \\ \"quotes\""],
        ["'\"inner\"'", '"inner"'],
        ["\"'inner'\"", "'inner'"],
        ["# no comment", "# no comment"],
        ["ends with a quote'", "ends with a quote'"],
      ]) {
        writeFileSync(join(folder, ".env.static"), `${required}INSTANCE_NAME=${written}\nSERVICE_METRICS_TOKEN=tok\\en'"\n`);
        const { status, all } = install(shell);
        assert.equal(status, 0, all);
        // In one shell only: it takes a while, and the line is the same in all of them.
        if (shell[0] === "sh") {
          const found = await meta(folder, join(at, "etc/mayday/env"));
          assert.equal(found.capabilities.deployment.displayName, expected);
        }
        assert.ok(read(at, "etc/mayday/env").includes(`\nINSTANCE_NAME='${expected}'\n`), expected);
        assert.ok(read(at, "etc/mayday/env").includes(`\nSERVICE_METRICS_TOKEN='tok\\en'"'\n`));
      }
    });

    test("the log-in to Amazon's registry takes the region and hands the password over unseen", () => {
      const folder = deploy({ ".env.static": `${required}SERVER_IMAGE=1234.dkr.ecr.eu-west-1.amazonaws.com/mayday\n` });
      program(folder, "aws", `echo "aws $*" >>'${folder}/calls'; echo the-password`);
      program(folder, "engine", `echo "engine $*: $(cat)" >>'${folder}/calls'`);
      const login = () => run(shell, folder, "ecr-login.sh");
      assert.match(login().all, /AWS_REGION is not set/);
      writeFileSync(join(folder, ".env.static"), `${read(folder, ".env.static")}AWS_REGION=eu-west-1\n`);
      const { status, all } = login();
      assert.equal(status, 0, all);
      assert.doesNotMatch(all, /the-password/);
      assert.equal(read(folder, "calls"), "aws ecr get-login-password --region eu-west-1\nengine login --username AWS --password-stdin 1234.dkr.ecr.eu-west-1.amazonaws.com: the-password\n");
      program(folder, "aws", 'echo "Unable to locate credentials" >&2; exit 253');
      const failed = login();
      assert.equal(failed.status, 1);
      assert.match(failed.all, /Unable to locate credentials[\s\S]*gave no password[\s\S]*aws sts get-caller-identity/);
      assert.equal(read(folder, "calls").match(/^engine/gm).length, 1);
      // update.sh asks only for such a registry, and stops where it refuses.
      program(folder, "engine", 'case "$*" in login*) cat >/dev/null ;; esac; exit 0');
      assert.match(run(shell, folder, "update.sh").all, /the registry refused the log-in: .*\n {2}Check AWS_REGION/);
      writeFileSync(join(folder, ".env.static"), `${required}SERVER_IMAGE=registry.example.net/mayday\n`);
      assert.doesNotMatch(run(shell, folder, "update.sh").all, /log-in/);
    });
  });
}

const noSystemd = lacks("systemd-analyze verify and security of the unit", !has("systemd-analyze", "--version") && "systemd-analyze is not installed");

test("the unit is right for systemd, and exposes little", { skip: noSystemd }, () => {
  const { folder, at } = host();
  mkdirSync(join(at, "usr/local/bin"), { recursive: true });
  mkdirSync(join(at, "etc/systemd/system"), { recursive: true });
  writeFileSync(join(at, "usr/local/bin/mayday"), "#!/bin/sh\n");
  chmodSync(join(at, "usr/local/bin/mayday"), 0o755);
  // Without what this host has of its own; the program is looked for at its path.
  const unit = join(folder, "mayday.service");
  writeFileSync(unit, readFileSync(join(root, "deploy/mayday.service"), "utf8").replace("/usr/local/bin/mayday", join(at, "usr/local/bin/mayday").replaceAll(" ", "\\x20")));
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", "--recursive-errors=no", unit], { encoding: "utf8" });
  const about = (verified.stdout + verified.stderr).split("\n").filter((line) => line.includes("mayday.service"));
  assert.deepEqual([verified.status, about], [0, []], verified.stderr);
  const wrong = join(folder, "wrong.service");
  writeFileSync(wrong, readFileSync(unit, "utf8").replace("Type=notify", "Type=notified\nNoSuchThing=1"));
  assert.match(spawnSync("systemd-analyze", ["verify", "--man=no", "--recursive-errors=no", wrong], { encoding: "utf8" }).stderr, /wrong\.service:\d+: /, "a mistake is noticed");
  const security = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], { encoding: "utf8" });
  const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(security.stdout)?.[1]);
  assert.ok(security.status === 0 && exposure <= 2, `exposure ${exposure}: ${security.stdout}${security.stderr}`);
  console.log(`systemd-analyze security: exposure ${exposure}`);
});
