// The configuration flow of deploy/: secrets, preflight and the derived files. Needs sh and the binary, no
// container engine: MAYDAY_ENGINE names a program that says what a host with a working engine would.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const binary = process.env.MAYDAY_BIN ?? join(root, "target", "debug", "mayday");
const has = (program, ...words) => spawnSync(program, words).status === 0;
/** Every shell of this machine that the scripts have to work in. */
const shells = [["sh"], ["dash"], ["busybox", "sh"], ["bash", "--posix"]].filter(([program]) => has(program, ...(program === "busybox" ? ["true"] : ["-c", "true"])));

const made = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A deploy folder of its own, with these files in it. */
function deploy(files = {}) {
  const folder = mkdtempSync(join(tmpdir(), "mayday deploy "));
  made.push(folder);
  cpSync(join(root, "deploy"), folder, { recursive: true });
  cpSync(join(root, ".env.static.example"), join(folder, ".env.static.example"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  // An engine that is there and has no container.
  const engine = join(folder, "engine");
  writeFileSync(engine, "#!/bin/sh\nexit 0\n");
  chmodSync(engine, 0o755);
  return folder;
}

function run(shell, folder, script, ...words) {
  const [program, ...first] = shell;
  const env = { PATH: process.env.PATH, MAYDAY_ENGINE: join(folder, "engine"), MAYDAY_COMPOSE: join(folder, "engine"), MAYDAY_BIN: binary };
  const { status, stdout, stderr } = spawnSync(program, [...first, join(folder, script), ...words], { env, encoding: "utf8" });
  return { status, stdout, stderr, all: stdout + stderr };
}

const read = (folder, name) => readFileSync(join(folder, name), "utf8");
const assignments = (text) => Object.fromEntries(text.split("\n").filter((line) => /^[A-Z]/.test(line)).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
const required = "SITE_ADDRESS=mayday.example.net\nSERVICE_TELEMETRY_MODE=self_managed\nSERVICE_SERVER_IMAGE_TAG=server-v1.0.0\n";

/** Derives the runtime files as bootstrap.sh does. */
const derive = (shell, folder) => {
  writeFileSync(join(folder, "derive.sh"), '. "$(dirname "$0")/lib.sh"\nderive\n');
  const { status, all } = run(shell, folder, "derive.sh");
  assert.equal(status, 0, all);
  return assignments(read(folder, ".env.runtime"));
};

test("the scripts are clean for shellcheck", { skip: !has("shellcheck", "--version") && "shellcheck is not installed" }, () => {
  const scripts = execFileSync("sh", ["-c", "ls *.sh"], { cwd: join(root, "deploy"), encoding: "utf8" }).trim().split("\n");
  const { status, stdout } = spawnSync("shellcheck", ["-s", "sh", "-x", ...scripts], { cwd: join(root, "deploy"), encoding: "utf8" });
  assert.equal(status, 0, stdout);
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
      for (const [line, words] of [
        ["SITE_ADDRESS=", /error: SITE_ADDRESS is required/],
        ["SSO_ENABLED=true", /error: .*SSO_OIDC_ISSUER_URL/],
        ["HOST_OAUTH_CLIENT_ID=abc", /error: .*HOST_OAUTH_CLIENT_SECRET/],
        ["JWT_SECRET=short", /error: .*JWT_SECRET/],
        ["ADMIN_EMAILS=<your address>", /error: these still hold a placeholder of the template: ADMIN_EMAILS/],
        ["SERVICE_DISK_FLOOR_MB=many", /error: SERVICE_DISK_FLOOR_MB="many"/],
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

    test("a secret is never shown by preflight", () => {
      const { all } = run(shell, deploy({ ".env.static": `${required}JWT_SECRET=tooshortsecret\nMAIL_API_KEY=hidden\u0007key\n` }), "preflight.sh");
      assert.doesNotMatch(all, /tooshortsecret|hidden/);
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
