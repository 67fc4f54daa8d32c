// Mayday without containers: install-service.sh below another root, with a systemd that only takes notes, and the log-in to
// Amazon's registry. What the installer writes is read by the real server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { binary, deploy, has, program, read, required, root, run, shells } from "./folder.mjs";
import { Host } from "./host.mjs";
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
  program(folder, "runuser", 'shift 3; case " $* " in *" setup-token "*) echo 0123-4567 ;; *" healthcheck "*) echo ok ;; *) exec "$@" ;; esac');
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
      assert.match(calls(), /^useradd --system --home-dir \/var\/lib\/mayday --shell \S+nologin mayday\n(chgrp mayday .*\n)+systemctl daemon-reload\nsystemctl reset-failed mayday\.service\nsystemctl enable mayday\.service\nsystemctl restart mayday\.service\n$/);
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
      assert.match(install(shell, join(folder, "nothing")).all, /nothing is no file/);
      const downloaded = join(folder, "it's downloaded");
      writeFileSync(downloaded, "");
      const [, cure] = /is not executable\n.*: (chmod \+x .*)$/m.exec(install(shell, downloaded).all);
      spawnSync("sh", ["-c", cure]);
      assert.ok(statSync(downloaded).mode & 0o100);
      assert.match(install(shell).all, /error: SERVICE_DISK_FLOOR_MB[\s\S]*is not ready\n.*Nothing was changed/);
      assert.ok(!existsSync(join(at, "usr")) && !existsSync(join(at, "etc")));
      assert.doesNotMatch(calls(), /restart/);
      // A service that does not start.
      writeFileSync(join(folder, ".env.static"), required);
      program(folder, "systemctl", '[ "$1" != restart ]');
      const failed = install(shell);
      assert.equal(failed.status, 1);
      assert.match(failed.all, /the service did not start: .*\n {2}Read its log: journalctl -u mayday/);
    });

    test("the service reads every value as it stands in .env.static", { skip: asRoot }, async () => {
      const { folder, at, install } = host();
      // What systemd would read otherwise: backslashes, quotes, a backslash at the end of a line, #, $, spaces.
      const values = [
        ["a\\b\\\\c \\n \\", "a\\b\\\\c \\n \\"],
        ["it's \"5\" wide; $HOME `x` #1", "it's \"5\" wide; $HOME `x` #1"],
        ["\"'both' \\ \"quotes\"\"", "'both' \\ \"quotes\""],
        ["'\"inner\"'", '"inner"'],
        ["\"'inner'\"", "'inner'"],
        ["# no comment", "# no comment"],
        ["ends with a quote'", "ends with a quote'"],
      ];
      writeFileSync(join(folder, ".env.static"), `${required}${values.map(([written], at) => `INSTANCE_${at}=${written}\n`).join("")}SERVICE_METRICS_TOKEN=tok\\en'"\n`);
      const { status, all } = install(shell);
      assert.equal(status, 0, all);
      const text = read(at, "etc/mayday/env");
      assert.ok(text.includes(`\nSERVICE_METRICS_TOKEN='tok\\en'"'\n`));
      for (const [each, [, expected]] of values.entries()) {
        assert.ok(text.includes(`\nINSTANCE_${each}='${expected}'\n`), expected);
        // In one shell only: it takes a while, and the line is the same in all of them.
        if (shell[0] !== "sh") continue;
        writeFileSync(join(folder, "named"), text.replace(`\nINSTANCE_${each}=`, "\nINSTANCE_NAME="));
        const found = await meta(folder, join(folder, "named"));
        assert.equal(found.capabilities.deployment.displayName, expected);
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

const shell = shells.at(-1);
const claimed = async (host) => {
  const installed = host.run(shell, "install-service.sh", host.release(""));
  assert.match(installed, /^Address http:\S+ +answers \(\d+ s\)\n\nSetup token: [0-9a-f-]+\nClaim this instance: /m);
  const setup_token = /#token=([0-9a-f-]+)/.exec(installed)?.[1];
  const owner = { email: "ada@example.net", password: "a long passphrase" };
  host.token = (await host.ask("POST", "/auth/setup", { setup_token, ...owner, organization_name: "Acme" }, 201)).access_token;
  await host.ask("POST", "/api/v1/organizations/1/projects", { name: "before" }, 201);
  host.calls();
  return { MAYDAY_CHECK_EMAIL: owner.email, MAYDAY_CHECK_PASSWORD: owner.password };
};
const projects = async (host) => (await host.ask("GET", "/api/v1/organizations/1/projects")).projects.map((project) => project.name).sort();
const wayBack = (said) => /The way back, without what is accepted from now on: (.*)$/m.exec(said)?.[1];
const backups = (host) => (existsSync(join(host.folder, "backups")) ? readdirSync(join(host.folder, "backups")) : []);

/** A test on a host with a server that runs, was claimed and has a project. */
const onHost = (name, body) =>
  test(name, { skip: asRoot }, async () => {
    const host = await Host.make();
    try {
      await body(host, await claimed(host));
    } finally {
      host.end();
    }
  });

onHost("an update of the service backs up, stops, migrates and starts; the printed line goes back", async (host, owner) => {
  const said = host.run(shell, "install-service.sh", host.release("0.2.0"));
  const steps = ["Secrets", "Preflight", "Configuration", "Data", "Checksums", "Stop", "Migrations", "Binary and unit", "Start", "Health of the server"];
  assert.match(said, new RegExp(steps.map((step) => `^${step} .* \\(\\d+ s\\)$`).join("[\\s\\S]*"), "m"));
  assert.match(said, /^Migrations +main\.db: .*migrated.*; logs\.db: up to date.*[^.] \(\d+ s\)$/m);
  assert.match(host.calls(), /is-active.*\nstop mayday\.service\ndaemon-reload\nreset-failed mayday\.service\nenable mayday\.service\nrestart mayday\.service\n/);
  assert.equal(await host.version(), "0.2.0");
  const [backup] = backups(host);
  assert.match(backup, /^before-update-\d{8}T\d{6}Z$/);
  assert.equal(statSync(join(host.folder, "backups", backup)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(join(host.root, "var/lib")), ["mayday"]);
  assert.deepEqual(readdirSync(join(host.root, "usr/local/bin")).sort(), ["mayday", "mayday.previous"]);
  assert.ok(!existsSync(join(host.folder, ".update")));
  await host.ask("POST", "/api/v1/organizations/1/projects", { name: "after" }, 201);
  const line = wayBack(said);
  assert.equal(line, `'${host.folder}/restore.sh' '${host.folder}/backups/${backup}'`);
  const back = host.type(line, owner);
  assert.match(back, /Restore check .*health, meta, http.*, sign-in/);
  assert.equal(await host.version(), "0.1.0");
  assert.deepEqual(await projects(host), ["before"]);
  assert.deepEqual(readdirSync(join(host.root, "var/lib")), ["mayday"]);
  assert.deepEqual(readdirSync(join(host.root, "etc/mayday")), ["env"]);
  assert.match(host.run(shell, "restore.sh", "--yes", "--remove-kept"), /before-restore-/);
});

onHost("the same binary applies the configuration, without a backup", async (host) => {
  host.configure("INSTANCE_NAME=Ours");
  host.run(shell, "install-service.sh", host.release(""));
  assert.equal((await host.ask("GET", "/meta")).capabilities.deployment.displayName, "Ours");
  assert.deepEqual(backups(host), []);
  assert.doesNotMatch(host.calls(), /^stop/m);
});

onHost("a migration that fails starts the previous binary of the service again, and the data is unharmed", async (host) => {
  for (const version of ["0.3.0,failing", "0.4.0,half"]) {
    host.configure("INSTANCE_NAME=Other");
    const said = host.run(shell, "install-service.sh", host.release(version), { code: 1 });
    assert.match(said, /^Migrations +failed \(\d+ s\)\n.*could not be migrated: .*rehears.*\n {2}The data is unchanged, and the previous binary runs again/m);
    assert.equal(await host.version(), "0.1.0");
    assert.notEqual((await host.ask("GET", "/meta")).capabilities.deployment.displayName, "Other");
    assert.deepEqual(await projects(host), ["before"]);
    assert.deepEqual(readdirSync(join(host.root, "usr/local/bin")), ["mayday"]);
    assert.ok(!existsSync(join(host.folder, ".update")));
  }
});

onHost("where the previous binary does not run either, the service's update says so, with the way back", async (host) => {
  program(host.folder, "systemctl-real", read(host.folder, "systemctl").replace("#!/bin/sh\n", ""));
  program(host.folder, "systemctl", `[ "$1" != restart ] || exit 1\nexec '${host.folder}/systemctl-real' "$@"`);
  const said = host.run(shell, "install-service.sh", host.release("0.3.0,failing"), { code: 1 });
  assert.match(said, /The previous binary does not run with this data either: see journalctl -u mayday.* The way back: .*\/restore\.sh' .*before-update-/);
});

onHost("what fails before the stop leaves the service as it is", async (host) => {
  const refused = (...words) => {
    const said = host.run(shell, "install-service.sh", host.release("0.2.0"), { code: 1, ...words[0] });
    assert.doesNotMatch(host.calls(), /stop|restart/);
    assert.deepEqual(readdirSync(join(host.root, "usr/local/bin")), ["mayday"]);
    return said;
  };
  assert.match(refused({ MAYDAY_TEST_AT: "failing backup" }), /the data could not be backed up: mayday: backup fails/);
  assert.deepEqual(backups(host), []);
  const env = read(host.root, "etc/mayday/env");
  host.configure("SERVICE_DISK_FLOOR_MB=many");
  assert.match(refused(), /is not ready\n.*Nothing was changed/);
  assert.equal(read(host.root, "etc/mayday/env"), env);
  assert.equal(await host.version(), "0.1.0");
  assert.deepEqual(await projects(host), ["before"]);
});

for (const when of ["after backup", "before stop", "after stop", "after migrate", "after place"]) {
  onHost(`an update of the service that was killed ${when} is finished by running it again`, async (host) => {
    const next = host.release("0.2.0");
    host.killed(when, shell, "install-service.sh", next);
    const said = host.run(shell, "install-service.sh", next);
    assert.equal(await host.version(), "0.2.0");
    assert.deepEqual(await projects(host), ["before"]);
    assert.equal(/An update was interrupted; this finishes it/.test(said), !/backup|before stop/.test(when), said);
    // One backup of the old version, whole: the line leads to it.
    assert.ok(backups(host).every((name) => !name.endsWith(".part")), backups(host).join());
    host.type(wayBack(said));
    assert.equal(await host.version(), "0.1.0");
    assert.deepEqual(await projects(host), ["before"]);
    assert.deepEqual(readdirSync(join(host.root, "var/lib")), ["mayday"]);
  });
}

onHost("backup.sh, restore.sh and doctor.sh know the service; update.sh names what updates it", async (host) => {
  assert.match(host.run(shell, "update.sh", { code: 1 }), /runs without containers here\n.*install-service\.sh BINARY/);
  assert.match(host.run(shell, "doctor.sh"), /^ok +service[\s\S]*^ok +health .* is Mayday 0\.1\.0/m);
  const kept = join(host.folder, "kept");
  assert.match(host.run(shell, "backup.sh", kept), /^Backup: /m);
  assert.deepEqual(readdirSync(kept).sort(), [".env.generated", ".env.static", "SHA256SUMS", "data.tar.zst", "mayday"]);
  await host.ask("POST", "/api/v1/organizations/1/projects", { name: "after" }, 201);
  // One that fails leaves everything as it is.
  host.run(shell, "restore.sh", "--yes", kept, { code: 1, MAYDAY_TEST_AT: "failing restore" });
  assert.deepEqual(await projects(host), ["after", "before"]);
  assert.deepEqual(readdirSync(join(host.root, "usr/local/bin")), ["mayday"]);
  // So does one with the secrets of another instance.
  const foreign = join(host.folder, "foreign");
  cpSync(kept, foreign, { recursive: true });
  rmSync(join(foreign, "SHA256SUMS"));
  const own = read(host.folder, ".env.generated");
  writeFileSync(join(foreign, ".env.generated"), own.replace(/^(CLOUD_SECRET_KEY=).*$/m, `$1${"0f".repeat(32)}`));
  const refused = host.run(shell, "restore.sh", "--yes", foreign, { code: 1 });
  assert.match(refused, /the data could not be restored: mayday: .*CLOUD_SECRET_KEY.*\n {2}What was here is unchanged, and runs again/);
  assert.deepEqual(await projects(host), ["after", "before"]);
  assert.equal(read(host.folder, ".env.generated"), own);
  // Killed with the data restored or not, the same line finishes it.
  for (const when of ["before restore", "after restore"]) host.killed(when, shell, "restore.sh", "--yes", kept);
  host.run(shell, "restore.sh", "--yes", kept);
  assert.deepEqual(await projects(host), ["before"]);
  // The data alone, and a stopped server.
  await host.ask("POST", "/api/v1/organizations/1/projects", { name: "later" }, 201);
  host.type("systemctl stop mayday.service");
  host.run(shell, "backup.sh", join(host.folder, "stopped"));
  host.run(shell, "restore.sh", "--yes", join(kept, "data.tar.zst"));
  assert.deepEqual(await projects(host), ["before"]);
  host.run(shell, "restore.sh", "--yes", join(host.folder, "stopped"));
  assert.deepEqual(await projects(host), ["before", "later"]);
});

const noDisk = asRoot || cannot("a backup on a disk that is full", !has("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt") && "no file system can be mounted");

test("a backup of the service that does not fit on its disk leaves nothing, and the server runs", { skip: noDisk }, async () => {
  const host = await Host.make();
  try {
    host.run(shell, "install-service.sh", host.release(""));
    mkdirSync(join(host.at, "small"));
    // A disk that goes with the program.
    const said = host.type(`unshare --mount sh -c 'mount -t tmpfs -o size=16k tmpfs "$1" && ! "$2" "$1/kept" && ls -A "$1"' sh '${host.at}/small' '${host.folder}/backup.sh'`);
    assert.match(said, /^Data +failed \(\d+ s\)\nbackup\.sh: the data could not be written to .*\/kept: .*No space left on device\n {2}Make room there, or name a directory on another disk\. The server was not touched\.\n$/);
    assert.deepEqual(readdirSync(join(host.root, "var/lib")), ["mayday"]);
    assert.equal(await host.version(), "0.1.0");
  } finally {
    host.end();
  }
});

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
