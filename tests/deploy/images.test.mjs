// Which image is started, where it comes from, and what starts when the host boots, with an engine of the test's own.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { binary, instance, program, read, required, root as source, run, shells } from "./folder.mjs";
import { execFileSync } from "../limited.mjs";

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("an update takes an image that was loaded from a file, and none of a registry that does not answer", () => {
      const folder = instance("600");
      program(folder, "engine", 'case "$*" in pull*) echo "no such host" >&2; exit 1 ;; esac');
      const update = (source) => {
        writeFileSync(join(folder, ".env.static"), `${required}${source}`);
        return run(shell, folder, "update.sh", "--no-backup");
      };
      for (const source of ["", "SERVER_IMAGE=localhost/mayday\n"]) {
        const { status, all } = update(source);
        assert.equal(status, 0, all);
        assert.match(all, /^Image +\S*mayday:server-v1\.0\.0 /m);
      }
      assert.match(update("SERVER_IMAGE=registry.example.net/mayday\n").all, /could not be pulled: no such host/);
      program(folder, "engine", 'case "$*" in pull* | "image inspect"*) exit 1 ;; esac');
      assert.match(update("").all, /could not be pulled/);
    });

    test("the image that a moving tag means is started by an update only, and the tag keeps its meaning until then", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_SERVER_IMAGE_TAG=stable\nSERVER_IMAGE=registry.example.net/mayday\n`);
      writeFileSync(join(folder, ".env"), "MAYDAY_IMAGE=registry.example.net/mayday:stable\n");
      const calls = join(folder, "calls");
      program(folder, "engine", `echo "$*" >>"${calls}"
case "$*" in
  ps*service=server*) echo "abc mayday_server_1" ;;
  "inspect --format {{.Image}} abc") echo old ;;
  "image inspect --format {{.Id}}"*) echo new ;;
esac`);
      program(folder, "composer", 'case "$*" in *backup*) echo "no space left" >&2; exit 1 ;; esac');
      const update = run(shell, folder, "update.sh");
      assert.equal(update.status, 1);
      assert.match(update.all, /no space left/);
      assert.match(readFileSync(calls, "utf8"), /^tag old registry\.example\.net\/mayday:stable$/m);
      // What runs has what was derived for it, and a backup tells of it.
      const derived = () => [".env", ".env.runtime", ".handed/server/env"].map((name) => existsSync(join(folder, name)) && read(folder, name));
      const before = derived();
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_SERVER_IMAGE_TAG=server-v2.0.0\nSERVER_IMAGE=registry.example.net/mayday\n`);
      assert.match(run(shell, folder, "bootstrap.sh").all, /mayday:server-v2\.0\.0 is another image than the one that runs[\s\S]*Run update\.sh/);
      assert.deepEqual(derived(), before);
    });

    test("an image that is not here is pulled, loaded from its file, or has the name that a restore gave it", () => {
      const folder = instance("600");
      program(folder, "engine", 'case "$*" in "image inspect"*mayday:* | pull*) exit 1 ;; esac');
      for (const [source, tag, cure] of [
        ["registry.example.net/mayday", "server-v1.0.0", /Pull it: .*engine pull registry\.example\.net\/mayday:server-v1\.0\.0$/m],
        ["mayday", "server-v1.0.0", /Load it: gunzip --stdout mayday-image-server-v1\.0\.0\.tar\.gz \| .*engine load\. If it is in a registry, SERVER_IMAGE/],
        ["registry.example.net/mayday", "restored-20261126T180000Z", /A restore gave it that tag\. .*engine tag IMAGE registry\.example\.net\/mayday:restored-20261126T180000Z$/m],
      ]) {
        writeFileSync(join(folder, ".env.static"), `${required}SERVER_IMAGE=${source}\nSERVICE_SERVER_IMAGE_TAG=${tag}\n`);
        assert.match(run(shell, folder, "bootstrap.sh").all, cure);
      }
      writeFileSync(join(folder, ".env.static"), required);
      assert.match(run(shell, folder, "update.sh").all, /The running server was not touched\. Load it: gunzip --stdout/);
    });

    test("an image that does not accept the configuration is not started", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), required);
      // The image that runs accepts it; the one that was pulled does not.
      program(folder, "validator", `if [ -f "${folder}/pulled" ]; then (cat; echo SSO_ENABLED=perhaps) | ${binary} "$@"; else exec ${binary} "$@"; fi`);
      program(folder, "engine", `case "$*" in pull*) touch "${folder}/pulled" ;; esac`);
      const { status, all } = run(shell, folder, "update.sh", { MAYDAY_BIN: join(folder, "validator") });
      assert.equal(status, 1, all);
      assert.match(all, /SSO_ENABLED[\s\S]*does not accept the configuration\n {2}Correct the errors above/);
      assert.doesNotMatch(all, /^Stop/m);
    });

    test("after the host has booted, the containers are started as they ran last", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), required);
      const calls = join(folder, "calls");
      const engine = (names) => program(folder, "engine", `echo "$*" >>"${calls}"\ncase "$*" in ps*Names*) printf '${names}' ;; --version) echo "podman version 4.3.1" ;; esac`);
      engine("mayday_server_1\\nmayday-once-backup\\nmayday_caddy_1\\n");
      const { status, all } = run(shell, folder, "start.sh");
      assert.equal(status, 0, all);
      assert.match(read(folder, "calls"), /^start mayday_server_1 mayday_caddy_1$/m);
      // What update.sh stopped may not run on data that was migrated.
      rmSync(calls);
      writeFileSync(join(folder, ".update"), "BACKUP=\n");
      assert.match(run(shell, folder, "start.sh").all, /an update was interrupted\n {2}Run update\.sh/);
      rmSync(join(folder, ".update"));
      // After stop.sh.
      engine("");
      assert.match(run(shell, folder, "start.sh").all, /^Containers +there are none/m);
      assert.doesNotMatch(read(folder, "calls"), /^start/m);
    });

    test("the doctor says that podman starts nothing when the host boots, unless systemd has the guide's unit", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), required);
      const root = join(folder, "a root");
      const boots = (engine) => {
        program(folder, "engine", `case "$*" in --version) echo "${engine}" ;; esac`);
        const { stdout } = run(shell, folder, "doctor.sh", "--json", { DESTDIR: root });
        return JSON.parse(stdout).findings.find(({ about }) => about === "boot");
      };
      program(folder, "systemctl", "exit 0");
      assert.match(boots("podman version 4.3.1").cure, /start\.sh/);
      assert.equal(boots("Docker version 27.0.1, build 1"), undefined);
      const guide = readFileSync(join(source, "docs", "install.md"), "utf8");
      const lines = /^cat >\/etc\/systemd[\s\S]*?^END$/m.exec(guide)[0].replace(">/etc", `>'${root}'/etc`);
      mkdirSync(join(root, "etc/systemd/system"), { recursive: true });
      execFileSync("sh", ["-c", lines], { cwd: folder });
      assert.equal(boots("podman version 4.3.1"), undefined);
      // No systemd runs here.
      rmSync(join(root, "etc/systemd/system/mayday-stack.service"));
      program(folder, "systemctl", "exit 1");
      assert.equal(boots("podman version 4.3.1"), undefined);
    });
  });
}
