// tools/release.sh on a copy of what it reads, with an engine and a cargo that only take notes. The image itself is
// built by the stack's test.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { lacks } from "./untried.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const version = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
const gnu = spawnSync("tar", ["--version"], { encoding: "utf8" }).stdout.includes("GNU tar") && spawnSync("strip", ["--version"]).status === 0;
const skip = lacks("a release", !gnu && "GNU tar or strip is not installed");

const npm = spawnSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();

const made = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function sources() {
  const folder = mkdtempSync(join(tmpdir(), "mayday release "));
  made.push(folder);
  for (const name of ["Cargo.toml", "Cargo.lock", "CHANGELOG.md", "LICENSE", ".env.static.example", "deploy", "docs", "tools"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "assets/client/dist"), { recursive: true });
  cpSync(join(root, "assets/client/package.json"), join(folder, "assets/client/package.json"));
  writeFileSync(join(folder, "assets/client/dist/index.js"), `export const version = "${version}";\n`);
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, "assets", name), join(folder, "assets", name));
  const program = (name, text) => {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  };
  program("cargo-cyclonedx", "exit 0");
  program("cargo", 'echo "$*" >>calls; echo "{}" >mayday-sbom.json');
  // What is packed is real.
  program("npm", `case $1 in pack) exec '${npm}' "$@" ;; esac\necho "{}"`);
  program("engine", 'echo "$*" >>calls; [ "$1" = save ] && echo image >"$3"; exit 0');
  program("mayday", `echo "mayday ${version}"`);
  // The binary is a script here.
  program("strip", "exit 0");
  return folder;
}

function run(folder, words, env = {}) {
  const { status, stdout, stderr } = spawnSync(join(folder, "tools", "release.sh"), words, {
    cwd: folder,
    env: { PATH: `${join(folder, "bin")}:${process.env.PATH}`, ENGINE: join(folder, "bin", "engine"), BINARY: join(folder, "bin", "mayday"), SOURCE_DATE_EPOCH: "1700000000", ...env },
    encoding: "utf8",
  });
  return { status, all: stdout + stderr };
}

const released = (folder) => join(folder, "target", `release-${version}`);
const cut = (folder, as) => writeFileSync(join(folder, "CHANGELOG.md"), readFileSync(join(folder, "CHANGELOG.md"), "utf8").replace("## Unreleased\n", `## Unreleased\n\n## ${as} (2026-11-23)\n`));

test("the script is clean for shellcheck", { skip: lacks("shellcheck of the release script", spawnSync("shellcheck", ["--version"]).status !== 0 && "it is not installed") }, () => {
  const { status, stdout } = spawnSync("shellcheck", ["-s", "sh", join(root, "tools", "release.sh")], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("a release has the binary, the deploy folder, the images, the client, the SBOMs and their checksums", { skip }, () => {
  const folder = sources();
  cut(folder, version);
  const { status, all } = run(folder, ["release", version]);
  assert.equal(status, 0, all);
  assert.match(all, new RegExp(`git tag -a server-v${version.replaceAll(".", "\\.")}`));
  const names = readdirSync(released(folder)).sort();
  assert.deepEqual(names.map((name) => name.replace(/-linux-.*/, "-linux")).sort(), ["SHA256SUMS", `mayday-ci-image-server-v${version}.tar.gz`, `mayday-client-${version}.tgz`, `mayday-deploy-server-v${version}.tar.gz`, `mayday-image-server-v${version}.tar.gz`, `mayday-server-v${version}-linux`, `mayday-server-v${version}.cdx.json`, `mayday-web-server-v${version}.cdx.json`].sort());
  execFileSync("sha256sum", ["--quiet", "--check", "SHA256SUMS"], { cwd: released(folder) });
  const calls = readFileSync(join(folder, "calls"), "utf8");
  assert.match(calls, new RegExp(`build .*--tag mayday:server-v${version} .*--target binary --build-arg BASE=gcr\\.io/distroless/cc-debian12`));
  assert.match(calls, new RegExp(`build .*--tag mayday-ci:server-v${version} .*--target binary --build-arg BASE=docker\\.io/library/debian:12-slim`));
});

test("each image of a release has a base of its own", { skip }, () => {
  const folder = sources();
  cut(folder, version);
  const { status, all } = run(folder, ["release", version], { BASE: "localhost/bare", CI_BASE: "localhost/shell" });
  assert.equal(status, 0, all);
  const calls = readFileSync(join(folder, "calls"), "utf8");
  assert.match(calls, /--tag mayday:server-v\S+ .*BASE=localhost\/bare/);
  assert.match(calls, /--tag mayday-ci:server-v\S+ .*BASE=localhost\/shell/);
});

test("the client's package is what users install, of the same version", { skip }, () => {
  const folder = sources();
  cut(folder, version);
  const { status, all } = run(folder, ["release", version]);
  assert.equal(status, 0, all);
  const packed = join(released(folder), `mayday-client-${version}.tgz`);
  const names = execFileSync("tar", ["tzf", packed], { encoding: "utf8" }).trim().split("\n").sort();
  assert.deepEqual(names, ["LICENSE", "README.md", "dist/index.js", "package.json"].map((name) => `package/${name}`));
  const text = (name) => execFileSync("tar", ["xzOf", packed, `package/${name}`], { encoding: "utf8" });
  assert.equal(text("README.md"), readFileSync(join(root, "docs/client.md"), "utf8"));
  assert.equal(JSON.parse(text("package.json")).version, version);
});

test("a client that was not built, or of another version, is refused before anything is built", { skip }, () => {
  const folder = sources();
  cut(folder, version);
  const built = join(folder, "assets/client/dist/index.js");
  const refused = (says) => {
    const { status, all } = run(folder, ["release", version]);
    assert.equal(status, 1, all);
    assert.match(all, says);
    assert.throws(() => readFileSync(join(folder, "calls")));
  };
  writeFileSync(built, 'export const version = "0.0.1";\n');
  refused(/assets\/client\/dist is not of version .*[\s\S]*make build/);
  rmSync(built);
  refused(/assets\/client\/dist is not of version .*[\s\S]*make build/);
  writeFileSync(join(folder, "assets/client/package.json"), '{\n  "name": "mayday-client",\n  "version": "0.0.1"\n}\n');
  refused(/assets\/client\/package\.json says 0\.0\.1[\s\S]*make cut/);
});

test("the image's archive has the name that SERVER_IMAGE means in Docker, whichever engine made it", { skip }, () => {
  for (const [name, saved] of [
    ["podman", (name) => new RegExp(`^push --quiet ${name}:server-v\\S+ docker-archive:\\S+/image\\.tar:${name}:server-v\\S+$`, "m")],
    ["docker", (name) => new RegExp(`^save --output \\S+/image\\.tar ${name}:server-v\\S+$`, "m")],
  ]) {
    const folder = sources();
    cut(folder, version);
    const engine = join(folder, "bin", name);
    writeFileSync(engine, '#!/bin/sh\necho "$*" >>calls\ncase $1 in save) echo image >"$3" ;; push) to=${4#docker-archive:}; echo image >"${to%%:*}" ;; esac\n', { mode: 0o755 });
    const { status, all } = run(folder, ["release", version], { ENGINE: engine });
    assert.equal(status, 0, all);
    for (const name of ["mayday", "mayday-ci"]) assert.match(readFileSync(join(folder, "calls"), "utf8"), saved(name));
  }
});

test("the image for pipelines is built around the same binary", { skip }, () => {
  const folder = sources();
  const engine = join(folder, "bin", "engine");
  writeFileSync(engine, '#!/bin/sh\necho "$*" >>calls\nfor last; do :; done\n[ ! -f "$last/Dockerfile" ] || cat "$last/Dockerfile" >built-from\ncp "$last/mayday" built\n');
  const { status, all } = run(folder, ["ci-image", "mayday-ci:1"]);
  assert.equal(status, 0, all);
  assert.equal(all, "mayday-ci:1\n");
  assert.match(readFileSync(join(folder, "calls"), "utf8"), /build .*--tag mayday-ci:1 .*--target binary --build-arg BASE=docker\.io\/library\/debian:12-slim/);
  assert.equal(readFileSync(join(folder, "built-from"), "utf8"), readFileSync(join(root, "deploy/ci/Dockerfile"), "utf8"));
  assert.equal(readFileSync(join(folder, "built"), "utf8"), readFileSync(join(folder, "bin", "mayday"), "utf8"));
  assert.match(run(folder, ["ci-image", "mayday-ci:1"], { BASE: "localhost/base" }).all, /mayday-ci:1/);
  assert.match(readFileSync(join(folder, "calls"), "utf8"), /BASE=localhost\/base/);
});

test("the vendor's address has to be in the binary, where one is named", { skip }, () => {
  const folder = sources();
  cut(folder, version);
  const address = "https://heartbeat.example.net/v1";
  const { status, all } = run(folder, ["release", version], { MAYDAY_TELEMETRY_ENDPOINT: address });
  assert.equal(status, 1, all);
  assert.match(all, /was built without MAYDAY_TELEMETRY_ENDPOINT=https:\/\/heartbeat\.example\.net\/v1/);
  writeFileSync(join(folder, "bin", "mayday"), `${readFileSync(join(folder, "bin", "mayday"), "utf8")}# ${address}\n`);
  assert.match(run(folder, ["release", version], { MAYDAY_TELEMETRY_ENDPOINT: address }).all, /^heartbeat {3}to https:\/\/heartbeat/m);
  assert.match(run(folder, ["release", version]).all, /^heartbeat {3}none/m);
});

test("the deploy folder's archive is the same bytes again, and complete", { skip }, () => {
  const hashes = [0o022, 0o077].map((mask) => {
    const before = process.umask(mask);
    const folder = sources();
    cut(folder, version);
    assert.equal(run(folder, ["release", version]).status, 0);
    process.umask(before);
    const archive = join(released(folder), `mayday-deploy-server-v${version}.tar.gz`);
    const listed = execFileSync("tar", ["tzvf", archive], { encoding: "utf8" });
    for (const name of ["bootstrap.sh", "doctor.sh", "lib.sh", "lib/steps.sh", "compose.yml", "Caddyfile", "mayday.service", ".env.static.example", "docs/install.md", "LICENSE", "volume/.keep"]) assert.ok(listed.includes(` mayday/${name}\n`), name);
    assert.match(listed, /-rwxr-xr-x 0\/0 .* mayday\/bootstrap\.sh/);
    assert.match(listed, /-rw-r--r-- 0\/0 .* mayday\/compose\.yml/);
    return createHash("sha256").update(readFileSync(archive)).digest("hex");
  });
  assert.equal(hashes[0], hashes[1]);
});

test("what is not ready is refused before anything is built", { skip }, () => {
  const folder = sources();
  for (const [words, says, env] of [
    [["check", "1.2"], /expected X\.Y\.Z/],
    [["check", "99.0.0"], /Cargo\.toml says .*[\s\S]*make cut VERSION=99\.0\.0/],
    [["check", version], /CHANGELOG\.md has no section/],
    [["release", version], /CHANGELOG\.md has no section/],
  ]) {
    const { status, all } = run(folder, words, env);
    assert.equal(status, 1, all);
    assert.match(all, says);
  }
  cut(folder, version);
  assert.equal(run(folder, ["check", version]).status, 0);
  rmSync(join(folder, "bin", "cargo-cyclonedx"));
  const bare = { PATH: `${join(folder, "bin")}:/usr/bin:/bin` };
  const { status, all } = run(folder, ["check", version], bare);
  assert.equal(status, 1);
  assert.match(all, /cargo-cyclonedx \(the SBOM\): cargo install/);
  writeFileSync(join(folder, "bin", "cargo-cyclonedx"), "", { mode: 0o755 });
  writeFileSync(join(folder, "bin", "mayday"), "#!/bin/sh\necho mayday 0.0.1\n", { mode: 0o755 });
  assert.match(run(folder, ["release", version]).all, /is "mayday 0\.0\.1", and not mayday/);
});

test("a cut writes the version and the section's title, and nothing else", () => {
  const folder = sources();
  const before = readFileSync(join(folder, "Cargo.lock"), "utf8");
  const { status, all } = run(folder, ["cut", "9.8.7"]);
  assert.equal(status, 0, all);
  assert.match(readFileSync(join(folder, "Cargo.toml"), "utf8"), /^\[package\]\nname = "mayday"\nversion = "9\.8\.7"\n/);
  const changed = readFileSync(join(folder, "Cargo.lock"), "utf8").split("\n").filter((line, at) => line !== before.split("\n")[at]);
  assert.deepEqual(changed, ['version = "9.8.7"']);
  const client = JSON.parse(readFileSync(join(folder, "assets/client/package.json"), "utf8"));
  assert.deepEqual(client, { ...JSON.parse(readFileSync(join(root, "assets/client/package.json"), "utf8")), version: "9.8.7" });
  assert.match(readFileSync(join(folder, "CHANGELOG.md"), "utf8"), /^## Unreleased\n\n## 9\.8\.7 \(\d{4}-\d\d-\d\d\)\n/m);
  assert.match(run(folder, ["cut", "9.8.7"]).all, /has a section for 9\.8\.7 already/);
});
