// The configuration flow of deploy/: secrets, preflight and the derived files. Needs sh and the binary, no
// container engine: MAYDAY_ENGINE names a program that says what a host with a working engine would.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assignments, binary, deploy, derive, has, program, read, required, root, run, shells } from "./folder.mjs";
import { lacks } from "./untried.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

test("the scripts are clean for shellcheck", { skip: lacks("shellcheck", !has("shellcheck", "--version") && "it is not installed") }, () => {
  const scripts = execFileSync("sh", ["-c", "ls *.sh lib/*.sh ci/*.sh"], { cwd: join(root, "deploy"), encoding: "utf8" }).trim().split("\n");
  assert.ok(scripts.includes("ci/upload-source-maps.sh"));
  const { status, stdout } = spawnSync("shellcheck", ["-s", "sh", "-x", ...scripts], { cwd: join(root, "deploy"), encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

/** A server over TLS, in a process of its own because the scripts are waited for; its port. */
async function serve(folder, days, answers) {
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost", "-days", String(days), "-keyout", join(folder, "key"), "-out", join(folder, "certificate")], { stdio: "ignore" });
  const code = `const [key, cert] = ["key", "certificate"].map((name) => require("fs").readFileSync(name)); const answers = ${JSON.stringify(answers)};
    const server = require("https").createServer({ key, cert }, (ask, answer) => { const found = answers[ask.url]; answer.statusCode = found ? 200 : 404; answer.end(found && JSON.stringify(found)); });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const server = spawn(process.execPath, ["-e", code], { cwd: folder });
  const [port] = await once(server.stdout, "data");
  return { port: Number(port), stop: () => server.kill() };
}

test("the doctor reads certificates, and asks the provider of single sign-on", { skip: lacks("the doctor's look at certificates", !has("openssl", "version") && "openssl is not installed") }, async () => {
  const folder = deploy();
  const document = "/.well-known/openid-configuration";
  const { port, stop } = await serve(folder, 5, { [document]: { issuer: "https://elsewhere.example.net/" }, [`/right${document}`]: { token_endpoint: "x", issuer: "https://right.example.net" } });
  const about = (issuer, name) => {
    writeFileSync(join(folder, ".env.static"), `SITE_ADDRESS=https://localhost:${port}\nSERVICE_TELEMETRY_MODE=self_managed\nSERVICE_SERVER_IMAGE_TAG=stable\nSSO_ENABLED=1\nSERVICE_SSO_OIDC_ISSUER_URL=${issuer}\n`);
    // Its certificate is nobody's: the trust is not what is looked at here.
    const { stdout } = spawnSync(join(folder, "doctor.sh"), ["--json"], { env: { PATH: process.env.PATH, MAYDAY_ENGINE: join(folder, "engine"), MAYDAY_COMPOSE: "true", MAYDAY_BIN: binary, CURL_HOME: folder, CURL_CA_BUNDLE: join(folder, "certificate") }, encoding: "utf8" });
    return JSON.parse(stdout).findings.filter((finding) => finding.about === name);
  };
  try {
    for (const { level, text } of about(`https://localhost:${port}`, "certificate")) {
      assert.equal(level, "warning");
      assert.match(text, /ends in [45] days/);
    }
    assert.match(about(`https://localhost:${port}`, "sso")[0].cure, /Set SSO_OIDC_ISSUER_URL=https:\/\/elsewhere\.example\.net\/:/);
    assert.match(about(`https://localhost:${port}/none`, "sso")[0].text, /configuration answers 404$/);
    assert.match(about("http://localhost:1", "sso")[0].text, /is not https/);
    assert.match(about(`https://localhost:${port}/right/`, "sso")[0].text, /calls itself https:\/\/right\.example\.net,/);
  } finally {
    stop();
  }
});

test("the doctor tells how many backups lie beside the scripts, and how large they are", () => {
  const folder = deploy({ ".env.static": required });
  const look = () => JSON.parse(run(["sh"], folder, "doctor.sh", "--json").stdout).findings.find(({ about }) => about === "backups");
  assert.equal(look(), undefined);
  for (const name of ["one", "two", "three.part"]) mkdirSync(join(folder, "backups", name), { recursive: true });
  writeFileSync(join(folder, "backups", "one", "data.tar.zst"), Buffer.alloc(3 << 20, "x"));
  const { level, text } = look();
  assert.equal(level, "ok");
  assert.match(text, /^2 in .*\/backups, 3 MiB in all; \d+ MiB are free there$/);
  program(folder, "df", 'echo "Filesystem 1024-blocks Used Available Capacity Mounted on"; echo "/dev/x 99 9 2048 9% /"');
  assert.deepEqual([look().level, look().cure], ["warning", "Move the older ones to another disk, or remove those that nobody needs."]);
});

test("the doctor tells how the backups of the schedule are doing", async () => {
  const folder = deploy();
  const [data, target, clock] = ["data", "backups", "clock"].map((name) => join(folder, name));
  mkdirSync(target);
  writeFileSync(clock, "0");
  const variables = { SERVICE_BACKUP_SCHEDULE: "0 3 * * *", SERVICE_BACKUP_TO: target, MAYDAY_CLOCK_OFFSET: clock, SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "true" };
  // The stack's server: a container that is there, in which commands run as they would here.
  writeFileSync(join(folder, "engine"), '#!/bin/sh\ncase "$*" in ps*) echo "abc mayday_server_1" ;; inspect*Status*) echo running ;; esac\n');
  rmSync(join(folder, "composer"));
  writeFileSync(join(folder, "composer"), `#!/bin/sh\nwhile [ "$1" != server ]; do [ $# -gt 0 ] || exit 0; shift; done\nshift 2\n. ./in-container\nexec '${binary}' --data-dir '${data}' "$@"\n`, { mode: 0o755 });
  const inContainer = (given) => writeFileSync(join(folder, "in-container"), Object.entries(given).map(([name, value]) => `export ${name}='${value}'\n`).join(""));
  inContainer(variables);
  writeFileSync(join(folder, ".env.static"), `${required}SERVICE_BACKUP_SCHEDULE=0 3 * * *\nSERVICE_BACKUP_TO=${target}\n`);
  const look = () => {
    const { findings, backups } = JSON.parse(run(["sh"], folder, "doctor.sh", "--json").stdout);
    return { ...findings.find(({ about }) => about === "backup"), backups };
  };

  assert.match(look().text, /cannot be read: .*has no main\.db/);
  const server = spawn(binary, ["serve", "--data-dir", data, "--listen", "127.0.0.1:0"], { env: variables, stdio: "ignore" });
  const ended = once(server, "exit");
  try {
    let found = look();
    for (const until = Date.now() + 60_000; !found.text.includes("the last success") && Date.now() < until; found = look()) await new Promise((done) => setTimeout(done, 200));
    assert.equal(found.level, "ok", found.text);
    assert.match(found.text, /^on schedule: the last success began at \d{4}-\S+ \([\d.]+ [KM]iB\), to .*backups, and the next is due at \S+$/);
    assert.equal(found.backups.schedule.target, target);
    assert.equal(found.backups.last_failure, null);
    // Days later, nothing has been made.
    writeFileSync(clock, String(3 * 86_400_000));
    const late = look();
    assert.equal(late.level, "error");
    assert.match(late.text, /^on schedule: overdue since \S+, and not tried/);
    assert.equal(late.backups.level, "error");
    assert.deepEqual(late.backups.last_success, found.backups.last_success);
    assert.match(run(["sh"], folder, "doctor.sh").stdout, /^error {4}backup {9}on schedule: overdue[^\n]*\n *-> .*docs\/backup\.md/m);
  } finally {
    server.kill();
    await ended;
  }
  writeFileSync(join(folder, "engine"), "#!/bin/sh\nexit 0\n");
  assert.match(look().text, /does not run/);
  writeFileSync(join(folder, ".env.static"), required);
  assert.equal(look().backups, null);
});

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("secrets are generated once, kept private and never printed", () => {
      const folder = deploy({ ".env.static": required });
      const first = run(shell, folder, "ensure-secrets.sh");
      assert.equal(first.status, 0, first.all);
      const secrets = assignments(read(folder, ".env.generated"));
      assert.deepEqual(Object.keys(secrets), ["JWT_SECRET", "CLOUD_SECRET_KEY", "POSTGRES_PASSWORD"]);
      for (const secret of Object.values(secrets)) {
        assert.match(secret, /^[0-9a-f]{64}$/);
        assert.ok(!first.all.includes(secret));
      }
      assert.equal(new Set(Object.values(secrets)).size, 3);
      assert.equal(statSync(join(folder, ".env.generated")).mode & 0o777, 0o600);
      assert.equal(run(shell, folder, "ensure-secrets.sh").status, 0);
      assert.deepEqual(assignments(read(folder, ".env.generated")), secrets);
    });

    test("a configured secret is kept, .env.local before .env.static, and a generated one beats both", () => {
      const [a, b] = ["a".repeat(40), "b".repeat(40)];
      const folder = deploy({ ".env.static": `${required}JWT_SECRET=${a}\nCLOUD_SECRET_KEY=${a}\n`, ".env.local": `CLOUD_SECRET_KEY=${b}\n` });
      run(shell, folder, "ensure-secrets.sh");
      const kept = assignments(read(folder, ".env.generated"));
      assert.equal(kept.JWT_SECRET, a);
      assert.equal(kept.CLOUD_SECRET_KEY, b);
      writeFileSync(join(folder, ".env.local"), `CLOUD_SECRET_KEY=${"c".repeat(40)}\n`, { mode: 0o600 });
      run(shell, folder, "ensure-secrets.sh");
      assert.equal(derive(shell, folder).CLOUD_SECRET_KEY, b);
      assert.match(run(shell, folder, "preflight.sh").all, /warning: CLOUD_SECRET_KEY .* is not used/);
    });

    test("values are literal, and the files are read as the server reads them", () => {
      const odd = [
        "\ufeffSITE_ADDRESS = mayday.example.net\r",
        "SERVICE_TELEMETRY_MODE=self_managed\r",
        "SERVICE_SERVER_IMAGE_TAG='stable'",
        'INSTANCE_NAME="A $HOME #1 `x` \\ \'quoted\' name"',
        "SSO_DISPLAY_NAME=it's 5\" wide & $5",
        "  # a comment",
        "WEB_DIST_DIR=",
        "ADMIN_EMAILS=first@example.net",
        "ADMIN_EMAILS=last@example.net",
      ];
      const folder = deploy({ ".env.static": `${odd.join("\n")}\n` });
      const runtime = derive(shell, folder);
      assert.equal(runtime.INSTANCE_NAME, "A $HOME #1 `x` \\ 'quoted' name");
      assert.equal(runtime.SSO_DISPLAY_NAME, "it's 5\" wide & $5");
      assert.equal(runtime.WEB_DIST_DIR, "");
      assert.equal(runtime.ADMIN_EMAILS, "last@example.net");
      assert.equal(runtime.SITE_ADDRESS, "https://mayday.example.net");
      assert.equal(assignments(read(folder, ".env")).MAYDAY_IMAGE, "mayday:stable");
      assert.match(run(shell, folder, "preflight.sh").all, /warning: \.env\.static sets these more than once, and the last one counts: ADMIN_EMAILS/);
    });

    for (const [name, given, expected] of [
      ["a name", "SITE_ADDRESS=mayday.example.net", ["https://mayday.example.net", "https://mayday.example.net"]],
      ["this machine", "SITE_ADDRESS=localhost:8080", ["http://localhost:8080", "http://localhost:8080"]],
      ["an explicit scheme", "SITE_ADDRESS=http://mayday.lan/", ["http://mayday.lan", "http://mayday.lan"]],
      ["one address of its own", "SITE_ADDRESS=mayday.example.net\nAPI_BASE_URL=https://api.example.net", ["https://api.example.net", "https://mayday.example.net"]],
    ]) {
      test(`addresses derived from ${name}`, () => {
        const runtime = derive(shell, deploy({ ".env.static": `${given}\n` }));
        assert.deepEqual([runtime.API_BASE_URL, runtime.FRONTEND_BASE_URL], expected);
      });
    }

    test("what is wrong is an error, what is odd a warning, which --strict counts as an error", () => {
      const clean = deploy({ ".env.static": required });
      const ready = run(shell, clean, "preflight.sh", "--strict");
      assert.equal(ready.status, 0, ready.all);
      const wrong = "SITE_ADDRESS=\nSSO_ENABLED=true\nHOST_OAUTH_CLIENT_ID=abc\nJWT_SECRET=short\nADMIN_EMAILS=<your address>\nSERVICE_DISK_FLOOR_MB=many\n";
      const all = run(shell, deploy({ ".env.static": `${required}${wrong}` }), "preflight.sh");
      for (const words of [
        /^error: SITE_ADDRESS is required/m,
        /^error: .*SSO_OIDC_ISSUER_URL/m,
        /^error: .*HOST_OAUTH_CLIENT_SECRET/m,
        /^error: .*JWT_SECRET/m,
        /^error: these still hold a placeholder of the template: ADMIN_EMAILS/m,
        /^error: SERVICE_DISK_FLOOR_MB="many"/m,
      ]) {
        assert.match(all.stdout, words);
      }
      for (const [line, words] of [
        ["SERVICE_DISK_FLOOR_MB=many", /^error: SERVICE_DISK_FLOOR_MB="many".*\n$/],
        ["not an assignment", /error: .*line 4: expected NAME=value, got no `=`/],
      ]) {
        const { status, stdout } = run(shell, deploy({ ".env.static": `${required}${line}\n` }), "preflight.sh");
        assert.equal(status, 1, line);
        assert.match(stdout, words);
      }
      const odd = deploy({ ".env.static": `${required}TYPO_NAME=1\nCELERY_BROKER_URL=x\nREDBEAT_LOCK=1\nLITELLM_MODE=old\n` });
      const warned = run(shell, odd, "preflight.sh");
      assert.equal(warned.status, 0, warned.all);
      assert.match(warned.stdout, /^warning: \.env\.static has variables that nothing reads: TYPO_NAME$/m);
      assert.equal(run(shell, odd, "preflight.sh", "--strict").status, 1);
      const { errors, warnings } = JSON.parse(run(shell, odd, "preflight.sh", "--json").stdout);
      assert.deepEqual(errors, []);
      assert.equal(warnings.length, 1);
      assert.equal(run(shell, odd, "preflight.sh", "--wrong").status, 2);
    });

    test("the gateway needs nothing but to be enabled, and its administration stays private", () => {
      const enabled = `${required}AGENT_GATEWAY_ENABLED=true\n`;
      const checked = (lines = "", secrets = true) => {
        const folder = deploy({ ".env.static": `${enabled}${lines}` });
        if (secrets) run(shell, folder, "ensure-secrets.sh");
        return run(shell, folder, "preflight.sh");
      };
      const ready = checked();
      assert.equal(ready.status, 0, ready.all);
      assert.doesNotMatch(ready.all, /GATEWAY/);
      for (const [lines, words, secrets] of [
        ["AGENT_GATEWAY_PROXY_MASTER_KEY=sk-hidden\n", /error: AGENT_GATEWAY_PROXY_MASTER_KEY and PROXY_MASTER_KEY differ/],
        ["AGENT_GATEWAY_PROXY_BASE_URL=http://8.8.8.8:4000\n", /error: AGENT_GATEWAY_PROXY_BASE_URL=.* must not be reachable/],
        ["AGENT_GATEWAY_PROXY_BASE_URL=https://mayday.example.net/llm\n", /error: AGENT_GATEWAY_PROXY_BASE_URL=.* must not be reachable/],
        ["AGENT_GATEWAY_PROXY_BASE_URL=gateway\n", /error: AGENT_GATEWAY_PROXY_BASE_URL="gateway" is not accepted/],
        ["", /error: AGENT_GATEWAY_ENABLED=true needs AGENT_GATEWAY_PROXY_MASTER_KEY/, false],
      ]) {
        const { status, all } = checked(lines, secrets);
        assert.equal(status, 1, lines);
        assert.match(all, words);
        assert.doesNotMatch(all, /hidden/);
      }
    });

    test("a secret is never shown by preflight", () => {
      const { all } = run(shell, deploy({ ".env.static": `${required}JWT_SECRET=tooshortsecret\nMAIL_API_KEY=hidden\u0007key\n` }), "preflight.sh");
      assert.doesNotMatch(all, /tooshortsecret|hidden/);
    });

    test("a compose command that cannot read the stack's file is refused", () => {
      const folder = deploy({ ".env.static": required });
      rmSync(join(folder, "composer"));
      const says = (...lines) => {
        writeFileSync(join(folder, "composer"), `#!/bin/sh\ncat <<'E'\n${lines.join("\n")}\nE\n`, { mode: 0o755 });
        return /(\S+) is (\S+), which cannot read compose\.yml: install (\S+) or newer/.exec(run(shell, folder, "preflight.sh").stdout)?.slice(1);
      };
      assert.deepEqual(says("['podman', '--version', '']", "using podman version: 4.3.1", "podman-composer version  1.0.3"), ["podman-compose", "1.0", "1.2"]);
      assert.deepEqual(says("Docker Compose version 2.26.1-4"), ["Compose", "2.26", "2.30"]);
      for (const fine of ["podman-compose version 1.6.0", "Docker Compose version v2.30.3", "Docker Compose version v5.0.0", "docker-compose 9"]) assert.equal(says(fine), undefined);
    });

    test("what scheduled backups need of this host is checked, and translated for the container", () => {
      const folder = deploy();
      const [target, file] = [join(folder, "has a space"), join(folder, "passphrase")];
      const configure = (...lines) => writeFileSync(join(folder, ".env.static"), `${required}SERVICE_BACKUP_SCHEDULE=0 3 * * *\n${lines.join("\n")}\n`);
      const errors = () => JSON.parse(run(shell, folder, "preflight.sh", "--json").stdout).errors.filter((error) => error.includes("BACKUP"));
      configure(`SERVICE_BACKUP_TO=${target}`);
      assert.match(errors()[0], /with letters, digits, dots, _ and - only$/);
      configure("SERVICE_BACKUP_TO=/nowhere/at/all", `SERVICE_BACKUP_PASSPHRASE_FILE=${file}`);
      assert.match(errors()[0], /is no file that can be read/);
      assert.match(errors()[1], /install -d -o 10001 -g 10001 -m 700 \/nowhere\/at\/all$/);
      // The validator sees what the container gets.
      writeFileSync(file, "short\n");
      assert.match(errors().join("\n"), /^SERVICE_BACKUP_PASSPHRASE\b.*12/m);
      writeFileSync(file, "long enough = a $passphrase\nand a second line\n");
      configure("SERVICE_BACKUP_TO=/tmp", `SERVICE_BACKUP_PASSPHRASE_FILE=${file}`);
      assert.deepEqual(errors(), []);
      const runtime = derive(shell, folder);
      assert.deepEqual([runtime.SERVICE_BACKUP_TO, runtime.SERVICE_BACKUP_PASSPHRASE, runtime.SERVICE_BACKUP_PASSPHRASE_FILE], ["/backups", "long enough = a $passphrase", undefined]);
      assert.equal(assignments(read(folder, ".env")).MAYDAY_BACKUPS, "/tmp");
      configure("SERVICE_BACKUP_TO=/tmp", `SERVICE_BACKUP_PASSPHRASE_FILE=${file}`, "SERVICE_BACKUP_PASSPHRASE=another passphrase");
      assert.match(errors()[0], /are both set/);
      // Storage elsewhere needs nothing of this host but its access key.
      configure("SERVICE_BACKUP_TO=s3://backups/mayday");
      assert.match(errors()[0], /SERVICE_BACKUP_S3_ACCESS_KEY_ID/);
      configure("SERVICE_BACKUP_TO=s3://backups/mayday", "SERVICE_BACKUP_S3_ACCESS_KEY_ID=a", "SERVICE_BACKUP_S3_SECRET_ACCESS_KEY=b");
      assert.deepEqual(errors(), []);
      const remote = derive(shell, folder);
      assert.deepEqual([remote.SERVICE_BACKUP_TO, remote.SERVICE_BACKUP_S3_SECRET_ACCESS_KEY], ["s3://backups/mayday", "b"]);
      assert.equal(assignments(read(folder, ".env")).MAYDAY_BACKUPS, undefined);
    });

    test("the doctor says what is missing, in words and as JSON, and never a secret", () => {
      const quoted = 'a "quoted" \\ secret';
      const folder = deploy({ ".env.static": `${required}MAIL_API_KEY=${quoted}\nSERVICE_MAIL_SMTP_URL=smtp://me:hidden-word@mail.example.net\nSSO_ENABLED=true\nSSO_OIDC_ISSUER_URL=http://sso.example.net\nSSO_OIDC_CLIENT_ID=a\nSSO_OIDC_CLIENT_SECRET=xyz-secret\n` });
      run(shell, folder, "ensure-secrets.sh");
      // An engine that says what it should not.
      const secret = assignments(read(folder, ".env.generated")).JWT_SECRET;
      writeFileSync(join(folder, "engine"), `#!/bin/sh\ncase "$*" in ps*server*) echo "abc mayday_server_1" ;; *exec*) echo 'bad: ${quoted} ${secret} hidden-word xyz-secret "' >&2; exit 1 ;; inspect*Status*) echo running ;; esac\n`);
      const words = run(shell, folder, "doctor.sh");
      assert.equal(words.status, 1, words.all);
      assert.match(words.stdout, /^ok {7}server {9}runs$/m);
      assert.match(words.stdout, /^error {4}caddy {10}has no container\n *-> Run bootstrap\.sh\.$/m);
      assert.match(words.stdout, /^error {4}health .*bad: \[secret\] \[secret\]/m);
      assert.match(words.stdout, /^error {4}sso .*not https/m);
      const { status, stdout } = run(shell, folder, "doctor.sh", "--json");
      assert.equal(status, 1);
      const { ok, findings } = JSON.parse(stdout);
      assert.equal(ok, false);
      assert.deepEqual([...new Set(findings.map(({ level }) => level))].sort(), ["error", "ok", "warning"]);
      for (const text of [words.all, stdout]) for (const each of [secret, "xyz-secret", "hidden-word", "quoted", "smtp://"]) assert.ok(!text.includes(each), each);
      assert.equal(run(shell, folder, "doctor.sh", "--wrong").status, 2);
    });

    test("a provider's key and the gateway's secrets are the gateway's alone", () => {
      const folder = deploy({ ".env.static": `${required}AGENT_GATEWAY_ENABLED=true\nPERPLEXITYAI_API_KEY=p\nAZURE_API_BASE=https://a.example\nMAIL_API_KEY=m\nPROXY_POSTGRES_USER=g\n` });
      run(shell, folder, "ensure-secrets.sh");
      const runtime = derive(shell, folder);
      for (const name of ["PERPLEXITYAI_API_KEY", "AZURE_API_BASE", "PROXY_MASTER_KEY", "PROXY_POSTGRES_PASSWORD", "PROXY_POSTGRES_USER"]) assert.equal(runtime[name], undefined, name);
      assert.equal(runtime.MAIL_API_KEY, "m");
      const gateway = assignments(read(folder, ".env.gateway"));
      assert.deepEqual([gateway.PERPLEXITYAI_API_KEY, gateway.AZURE_API_BASE, gateway.MAIL_API_KEY], ["p", "https://a.example", undefined]);
      assert.equal(runtime.AGENT_GATEWAY_PROXY_MASTER_KEY, gateway.LITELLM_MASTER_KEY);
    });

    test("bootstrap without a configuration copies the template and says what to fill in", () => {
      const folder = deploy();
      const { status, stdout } = run(shell, folder, "bootstrap.sh");
      assert.equal(status, 0, stdout);
      assert.match(stdout, /SITE_ADDRESS[\s\S]*SERVICE_TELEMETRY_MODE[\s\S]*SERVICE_SERVER_IMAGE_TAG/);
      assert.equal(read(folder, ".env.static"), read(folder, ".env.static.example"));
      assert.ok(!existsSync(join(folder, ".env.runtime")));
    });

    test("a link in the place of the secrets is refused", () => {
      const folder = deploy({ ".env.static": required, elsewhere: "" });
      symlinkSync(join(folder, "elsewhere"), join(folder, ".env.generated"));
      const { status, stderr } = run(shell, folder, "ensure-secrets.sh");
      assert.equal(status, 1);
      assert.match(stderr, /is a symbolic link/);
      assert.equal(read(folder, "elsewhere"), "");
    });
  });
}
