// What preflight finds on a host, and scripts that meet files which they may not read.

import assert from "node:assert/strict";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assignments, deploy, instance, nobody, preflight, program, read, required, run, shells } from "./folder.mjs";
import { cannot } from "./untried.mjs";
import { execFileSync } from "../limited.mjs";

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("a port that another program has is an error, one of our own Caddy's is not", () => {
      const folder = deploy({ ".env.static": required });
      mkdirSync(join(folder, "net"));
      const tables = { MAYDAY_PROC_NET: join(folder, "net") };
      const head = "  sl  local_address rem_address   st\n";
      // Something listens on 443 of all addresses and on 8080; a connection from port 80 is not a listener.
      writeFileSync(join(folder, "net", "tcp"), `${head}   0: 00000000:01BB 00000000:0000 0A\n   1: 0100007F:1F90 00000000:0000 0A\n   2: 0100007F:0050 0100007F:9C40 01\n`);
      const ports = () => preflight(shell, folder, tables).errors.filter((error) => error.startsWith("port"));
      assert.deepEqual(ports(), ["port 443 is in use by another program: Caddy needs it"]);
      writeFileSync(join(folder, "net", "tcp6"), `${head}   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A\n`);
      assert.equal(ports().length, 2);
      program(folder, "engine", 'case "$*" in ps*caddy*) echo "abc mayday_caddy_1" ;; esac');
      assert.deepEqual(ports(), []);
      // It is to have another one from now on.
      writeFileSync(join(folder, ".env"), "MAYDAY_HTTP_PORT=80\nMAYDAY_HTTPS_PORT=443\n");
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_HTTP_PORT=8080\n`);
      assert.deepEqual(ports(), ["port 8080 is in use by another program: Caddy needs it"]);
    });

    test("a disk that is nearly full is an error, one that fills a warning", () => {
      const folder = deploy({ ".env.static": required });
      const found = (mebibytes) => {
        program(folder, "df", `echo "Filesystem 1024-blocks Used Available Capacity Mounted on"\necho "/dev/x 99 9 ${mebibytes * 1024} 9% /"`);
        const { errors, warnings } = preflight(shell, folder);
        return [errors.filter((text) => text.includes("free")), warnings.filter((text) => text.includes("free"))].map((texts) => texts.length);
      };
      assert.deepEqual(found(1023), [1, 0]);
      assert.deepEqual(found(1024), [0, 1]);
      assert.deepEqual(found(5119), [0, 1]);
      assert.deepEqual(found(5120), [0, 0]);
    });

    test("the disk of the data is looked at as well as that of the scripts", () => {
      const folder = deploy({ ".env.static": required });
      const [storage, volume] = ["storage", "disk"].map((name) => join(folder, name));
      for (const each of [storage, volume]) mkdirSync(each);
      const found = (format) => {
        program(folder, "engine", `case "$*" in "info --format ${format}") echo '${storage}' ;; "info --format"*) exit 1 ;; "volume inspect --format"*mayday_data) echo '${volume}' ;; esac`);
        const { errors, warnings } = preflight(shell, folder);
        return [...errors, ...warnings].filter((text) => text.includes("free"));
      };
      const df = (...disks) => program(folder, "df", `case $2 in ${disks.map(([path, free, on]) => `*/${path}) set -- ${free * 1024} ${on} ;;`).join(" ")} *) set -- 9999999 / ;; esac\nprintf 'Filesystem\\n/dev/x 99 9 %s 9%% %s\\n' "$1" "$2"`);
      df(["storage", 500, "/var"], ["disk", 2000, "/mnt"]);
      for (const format of ["{{.Store.GraphRoot}}", "{{.DockerRootDir}}"]) {
        const [error, warning] = found(format);
        assert.match(error, /^only 500 MiB are free on the disk of .*\/storage, the engine's: at least 1024 are needed$/);
        assert.match(warning, /^only 2000 MiB are free on the disk of .*\/disk, which has the data$/);
      }
      // One disk is one finding.
      df(["storage", 2000, "/var"], ["disk", 2000, "/var"]);
      assert.equal(found("{{.DockerRootDir}}").length, 1);
      // An engine elsewhere has its disk there.
      rmSync(storage, { recursive: true });
      rmSync(volume, { recursive: true });
      assert.deepEqual(found("{{.DockerRootDir}}"), []);
    });

    test("the validator has a network only where it looks up a gateway's name", () => {
      const folder = deploy();
      const calls = join(folder, "calls");
      program(folder, "engine", `[ "$1" != run ] || { echo "$*" >'${calls}'; cat >/dev/null; echo "The configuration is valid."; }`);
      const words = (lines) => {
        writeFileSync(join(folder, ".env.static"), `${required}${lines}`);
        assert.deepEqual(preflight(shell, folder, { MAYDAY_BIN: "" }).errors, []);
        return readFileSync(calls, "utf8").trim();
      };
      const of = (network) => `run --rm --interactive ${network}--read-only mayday:server-v1.0.0 check-config --deploy --env-file /dev/stdin`;
      const elsewhere = "AGENT_GATEWAY_PROXY_BASE_URL=https://models.example.net:4000/\n";
      assert.equal(words(""), of("--network none "));
      assert.equal(words(elsewhere), of("--network none "));
      assert.equal(words("AGENT_GATEWAY_ENABLED=true\n"), of("--network none "));
      assert.equal(words("AGENT_GATEWAY_ENABLED=true\nAGENT_GATEWAY_PROXY_BASE_URL=http://gateway:4000\n"), of("--network none "));
      assert.equal(words(`AGENT_GATEWAY_ENABLED=true\n${elsewhere}`), of(""));
    });

    test("a clock of another time is an error, one that nobody keeps a warning", () => {
      const folder = deploy({ ".env.static": required });
      const about = () => {
        const { errors, warnings } = preflight(shell, folder);
        return [errors, warnings].map((texts) => texts.filter((text) => text.includes("clock")));
      };
      program(folder, "timedatectl", "echo yes");
      assert.deepEqual(about(), [[], []]);
      program(folder, "timedatectl", "echo no");
      assert.match(about()[1][0], /not synchronised: switch NTP on/);
      program(folder, "date", 'case "$*" in *%Y*) echo 1970 ;; *) echo "Thu Jan  1 00:00:09 UTC 1970" ;; esac');
      assert.match(about()[0][0], /the clock says Thu Jan {2}1/);
    });

    test("a host without an engine, or whose engine does not answer, is told so", () => {
      const folder = deploy({ ".env.static": required });
      // As Docker without its service, too.
      for (const says of ["exit 1", '[ $# != 1 ]']) {
        program(folder, "engine", says);
        assert.match(preflight(shell, folder).errors.join("\n"), /engine does not answer: start its service/, says);
      }
    });

    const asRoot = cannot("files of somebody else", process.getuid() !== 0 && "only root can become another user");

    test("a backup whose data cannot be read fails, and says as whom it would not", { skip: asRoot }, () => {
      const folder = instance("000");
      const { status, all } = run(shell, folder, "backup.sh", join(folder, "kept"), { uid: nobody });
      assert.equal(status, 1, all);
      assert.match(all, /was backed up as another user, and its file cannot be read\n {2}Run this script as root/);
      assert.ok(!existsSync(join(folder, "kept")));
      // Without root, podman can give the file to who asks.
      const mended = instance("000", 'case "$*" in "unshare chown 0:0 "*) shift 3; chmod 600 "$1" ;; esac');
      const second = run(shell, mended, "backup.sh", join(mended, "kept"), { uid: nobody });
      assert.equal(second.status, 0, second.all);
      assert.match(readFileSync(join(mended, "kept", "SHA256SUMS"), "utf8"), / \.\/data\.tar\.zst$/m);
    });

    test("a file that cannot be hashed is never left out in silence", () => {
      const folder = instance("600");
      program(folder, "sha256sum", 'for last in "$@"; do :; done; for each in "$@"; do [ "$each" = "$last" ] || echo "00  $each"; done; echo "sha256sum: $last: Permission denied" >&2; exit 1');
      const { status, all } = run(shell, folder, "backup.sh", join(folder, "kept"));
      assert.equal(status, 1, all);
      assert.match(all, /could not be read: sha256sum: .*Permission denied/);
      assert.ok(!existsSync(join(folder, "kept")));
    });

    test("an archive of somebody else is restored from a copy, and one that cannot be read says so", { skip: asRoot }, () => {
      const folder = instance("600");
      const archive = join(folder, "theirs.tar.zst");
      writeFileSync(archive, "data");
      chownSync(archive, 0, 0);
      chmodSync(archive, 0o600);
      const refused = run(shell, folder, "restore.sh", "--yes", archive, { uid: nobody });
      assert.equal(refused.status, 1, refused.all);
      assert.match(refused.all, /theirs\.tar\.zst cannot be read: .*\n {2}Run this script as a user who may/);
      chmodSync(archive, 0o644);
      program(folder, "composer", `case "$*" in *"restore --yes"*) cat '${folder}/.restore/backup/data.tar.zst' >'${folder}/restored' ;; esac`);
      run(shell, folder, "restore.sh", "--yes", archive, { uid: nobody });
      assert.equal(read(folder, "restored"), "data");
    });

    test("an archive that nobody else may read stays so while it is restored", () => {
      const folder = instance("600");
      const archive = join(folder, "own.tar.zst");
      writeFileSync(archive, "data", { mode: 0o600 });
      const looks = `stat -c %a '${archive}' '${folder}/.restore/backup/data.tar.zst' '${folder}/.restore' >'${folder}/modes'`;
      program(folder, "composer", `case "$*" in *"restore --yes"*) ${looks} ;; esac`);
      run(shell, folder, "restore.sh", "--yes", archive);
      assert.equal(read(folder, "modes").trim(), "600\n644\n700");
    });

    test("the code-host app's private key is in a backup, and comes back to its place", () => {
      const folder = instance("600");
      const key = join(folder, "etc", "app.pem");
      mkdirSync(join(folder, "etc"));
      writeFileSync(key, "the key\n", { mode: 0o600 });
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_HOST_APP_PRIVATE_KEY_FILE=${key}\n`);
      const target = join(folder, "kept");
      assert.equal(run(shell, folder, "backup.sh", target).status, 0);
      assert.equal(read(target, "host-app-private-key.pem"), "the key\n");
      const restore = () => run(shell, folder, "restore.sh", "--yes", target, { MAYDAY_CHECK_EMAIL: "" }).all;
      writeFileSync(key, "another key\n");
      restore();
      assert.equal(readFileSync(key, "utf8"), "the key\n");
      const aside = readdirSync(folder).find((name) => name.startsWith("before-restore-"));
      assert.equal(read(join(folder, aside), "host-app-private-key.pem"), "another key\n");
      // A restore that fails puts the other one back.
      writeFileSync(key, "another key\n");
      program(folder, "engine", 'case "$*" in "image inspect"*) exit 1 ;; esac');
      assert.match(restore(), /is not on this host/);
      assert.equal(readFileSync(key, "utf8"), "another key\n");
      // As does one that ends anywhere before it touches the data: here the key's folder cannot be made.
      const configured = `${required}SERVICE_HOST_APP_PRIVATE_KEY_FILE=/etc/hostname/key.pem\n`;
      writeFileSync(join(target, ".env.static"), configured);
      rmSync(join(target, "SHA256SUMS"));
      const before = read(folder, ".env.static");
      assert.match(restore(), /ended early. The configuration is again as it was/);
      assert.equal(read(folder, ".env.static"), before);
    });

    test("a restore that fails hands the server the configuration that it had", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), `${required}INSTANCE_NAME=Former\n`);
      const target = join(folder, "kept");
      assert.equal(run(shell, folder, "backup.sh", target).status, 0);
      writeFileSync(join(folder, ".env.static"), `${required}INSTANCE_NAME=Present\n`);
      program(folder, "composer", 'case "$*" in *"restore --yes"*) exit 1 ;; esac');
      assert.match(run(shell, folder, "restore.sh", "--yes", target).all, /the data could not be restored/);
      assert.match(read(folder, ".handed/server/env"), /^INSTANCE_NAME=Present$/m);
    });

    test("a public address that does not answer is named apart from the server, which does", () => {
      const folder = instance("600");
      const url = "https://mayday.example.net/health";
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_PUBLIC_HEALTHCHECK_URL=${url}\n`);
      const wait = () => run(shell, folder, "wait-for-health.sh", "", "0");
      program(folder, "curl", `for url in "$@"; do :; done; [ "$url" = ${url} ]`);
      assert.match(wait().stdout, /^Health of the server +healthy .*\nHealth of https:\/\/mayday\.example\.net\/health +healthy \(\d+ s\)\n$/);
      program(folder, "curl", 'echo "curl: (6) Could not resolve host" >&2; exit 6');
      const { status, all } = wait();
      assert.equal(status, 1, all);
      assert.match(all, /healthy answer within 0 s: curl: \(6\) Could not resolve host\n {2}The server itself is well\. .*curl -v https:/);
      assert.equal(run(shell, folder, "wait-for-health.sh", "--here", "0").status, 0);
      // What curl says first is why; explanations follow.
      program(folder, "curl", 'printf "curl: (60) SSL certificate problem\\nhow to fix it, see the page\\n" >&2; exit 60');
      assert.match(wait().all, /: curl: \(60\) SSL certificate problem\n/);
    });

    test("a restore is done where the name leads to another host, and says what was not tried", () => {
      const folder = instance("600");
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_PUBLIC_HEALTHCHECK_URL=https://mayday.example.net/health\n`);
      const target = join(folder, "kept");
      assert.equal(run(shell, folder, "backup.sh", target).status, 0);
      program(folder, "curl", 'echo "curl: (7) Failed to connect" >&2; exit 7');
      program(folder, "sleep", "exit 0");
      const restore = (email) => run(shell, folder, "restore.sh", "--yes", target, { MAYDAY_CHECK_EMAIL: email });
      const { status, stdout, stderr } = restore("");
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^Restore check +health, meta \(\d+ s\)$/m);
      assert.match(stderr, /^warning: https:\/\/mayday\.example\.net\/meta does not answer from this host: curl: \(7\) Failed to connect\. Check/m);
      assert.match(restore("ada@example.net").all, /^Restore check +failed \(\d+ s\)$[\s\S]*can sign in was not tried: https:\S+ does not answer from this host: curl: \(7\) Failed to connect\n {2}The data is restored/m);
      // A folder without a configuration has nothing to keep.
      for (const name of readdirSync(folder).filter((name) => /^(before-restore-|\.env\.(static|local|generated|runtime)$)/.test(name))) rmSync(join(folder, name), { recursive: true });
      assert.match(restore("").stdout, /^Configuration and secrets +done /m);
      assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith("before-restore-")), []);
    });

    test("a step that ends its script is said to have failed", () => {
      const folder = deploy();
      writeFileSync(join(folder, "ends.sh"), '. "$(dirname "$0")/lib.sh"\nstep Copy\ncp "$here/nothing" "$here/copy"\nfinish\n');
      const { status, stdout, stderr } = run(shell, folder, "ends.sh");
      assert.deepEqual([status, stdout.replace(/\d+ s/, "0 s").replace(/ +/g, " ")], [1, "Copy failed (0 s)\n"]);
      assert.match(stderr, /cp: .*nothing[\s\S]*ends\.sh: ended in the step "Copy"/);
    });

    test("what belongs to a host stays when the backup of another stack is restored", () => {
      const folder = instance("600");
      const of = (name, site) => `${required}SITE_ADDRESS=${site}\nSERVICE_STACK_NAME=${name}\nSERVICE_BACKUP_SCHEDULE=0 3 * * *\nSERVICE_HTTPS_PORT=8443\n`;
      writeFileSync(join(folder, ".env.static"), of("staging", "staging.example.net:8443").replace("0 3 * * *", "0 5 * * *"));
      const target = join(folder, "kept");
      assert.equal(run(shell, folder, "backup.sh", target).status, 0);
      rmSync(join(target, "SHA256SUMS"));
      writeFileSync(join(target, ".env.static"), `${of("mayday", "mayday.example.net").replace("SERVICE_HTTPS_PORT=8443\n", "")}INSTANCE_NAME=Production\n`);
      run(shell, folder, "restore.sh", "--yes", target);
      const found = assignments(read(folder, ".env.static"));
      const { SITE_ADDRESS, SERVICE_STACK_NAME, SERVICE_HTTPS_PORT, SERVICE_BACKUP_SCHEDULE, INSTANCE_NAME } = found;
      assert.deepEqual([SITE_ADDRESS, SERVICE_STACK_NAME, SERVICE_HTTPS_PORT, SERVICE_BACKUP_SCHEDULE, INSTANCE_NAME], ["staging.example.net:8443", "staging", "8443", "0 5 * * *", "Production"]);
    });
  });
}

test("compose.local.yml is in a backup, and comes to a folder that has no configuration", () => {
  const [from, to, other] = [1, 2, 3].map(() => {
    const folder = deploy();
    program(folder, "curl", "echo answered");
    program(folder, "composer", 'for each in "$@"; do case $each in *:/backup) echo data >"${each%:/backup}/data.tar.zst" ;; esac; done');
    return folder;
  });
  for (const folder of [from, other]) for (const name of [".env.static", ".env.runtime"]) writeFileSync(join(folder, name), required);
  writeFileSync(join(from, "compose.local.yml"), "services: {}\n");
  const target = join(from, "kept");
  const done = (folder, ...words) => {
    const { status, all } = run(shells[0], folder, ...words);
    assert.equal(status, 0, all);
  };
  done(from, "backup.sh", target);
  // A restore that fails leaves nothing of it.
  program(to, "engine", 'case "$*" in "image inspect"*) exit 1 ;; esac');
  assert.match(run(shells[0], to, "restore.sh", target).all, /is not on this host/);
  assert.ok(!existsSync(join(to, "compose.local.yml")));
  program(to, "engine", "exit 0");
  done(to, "restore.sh", target);
  assert.equal(read(to, "compose.local.yml"), "services: {}\n");
  done(other, "restore.sh", "--yes", target);
  assert.ok(!existsSync(join(other, "compose.local.yml")));
});

test("a host that has certificates keeps them, and one that has none gets those of the backup", () => {
  const folder = deploy({ ".env.static": required, ".env.runtime": "", ".env": "MAYDAY_IMAGE=mayday:server-v1.0.0\n" });
  const [had, put] = ["had.tar", "put.tar"].map((name) => join(folder, name));
  program(folder, "engine", `case "$*" in "cp "*":/data/caddy -") cat '${had}' ;; "cp - "*:/data) cat >'${put}' ;; esac`);
  program(folder, "curl", "echo answered");
  program(folder, "composer", 'for each in "$@"; do case $each in *:/backup) echo data >"${each%:/backup}/data.tar.zst" ;; esac; done');
  mkdirSync(join(folder, "caddy", "certificates"), { recursive: true });
  const pack = () => execFileSync("tar", ["-C", folder, "-cf", had, "caddy"]);
  pack();
  assert.match(run(["sh"], folder, "backup.sh", join(folder, "without")).all, /^Certificates +there are none yet/m);
  writeFileSync(join(folder, "caddy", "certificates", "mayday.example.net.key"), "a key");
  pack();
  const target = join(folder, "kept");
  assert.equal(run(["sh"], folder, "backup.sh", target).status, 0);
  const restore = () => run(["sh"], folder, "restore.sh", "--yes", target, { MAYDAY_CHECK_EMAIL: "" }).all;
  assert.match(restore(), /^Certificates +those of this host stay/m);
  assert.ok(!existsSync(put));
  const packed = readFileSync(had);
  writeFileSync(had, "");
  assert.match(restore(), /^Certificates +done/m);
  assert.deepEqual(readFileSync(put), packed);
});
