// Which variables the scripts know, who gets them, and what files of this host become of them.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assignments, deploy, derive, made, preflight, program, read, required, root, run, shells } from "./folder.mjs";

const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIhidden\n-----END RSA PRIVATE KEY-----\n";

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("a name that nothing reads is reported, whatever it begins with, and none that something reads", () => {
      const typos = ["SERVICE_RETENTION_EVENT_DAYS", "SSO_OIDC_ISSUER", "SERVICE_SSO_ENABLE", "INSTANCE_TITLE", "AGENT_GATEWAY_URL", "PROXY_MASTERKEY", "SERVICE_MAYDAY_API_KEY", "TYPO_NAME"];
      const folder = deploy({ ".env.static": `${required}${typos.map((name) => `${name}=1\n`).join("")}` });
      // Without the binary, too, as before the first pull.
      const { warnings } = preflight(shell, folder, { MAYDAY_BIN: "/nowhere" });
      assert.deepEqual(warnings.find((warning) => /nothing reads/.test(warning))?.split(": ")[1].split(" "), [...typos].sort());

      const known = read(folder, ".env.static.example").match(/^#?[A-Z][A-Z0-9_]*(?==)/gm).map((name) => name.replace("#", ""));
      assert.ok(known.length > 90);
      const twins = known.filter((name) => /^(SSO|INSTANCE)_/.test(name)).map((name) => `SERVICE_${name}`);
      const others = ["CELERY_BROKER_URL", "REDBEAT_LOCK", "SENTRY_DSN", "CUSTOMERIO_KEY", "CLOUD_MCP_URL", "LITELLM_MODE", "GROQ_API_KEY", "AWS_ACCESS_KEY_ID", "HF_TOKEN"];
      writeFileSync(join(folder, ".env.static"), [...known, ...twins, ...others].map((name) => `${name}=\n`).join(""));
      const unknown = preflight(shell, folder, { MAYDAY_BIN: "/nowhere" }).warnings.filter((warning) => /nothing reads/.test(warning));
      assert.deepEqual(unknown, []);
    });

    test("what providers need reaches the gateway's container and no other", () => {
      const provider = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "eu-west-1", AWS_REGION_NAME: "eu-west-1", HF_TOKEN: "c", OPENAI_ORGANIZATION: "d", WATSONX_URL: "e", VERTEXAI_PROJECT: "f", MISTRAL_API_BASE: "g", HOUSE_MODEL_PASSWORD: "h" };
      const server = { MAIL_API_KEY: "m", SERVICE_BACKUP_S3_ACCESS_KEY_ID: "s", SERVICE_BACKUP_S3_SECRET_ACCESS_KEY: "t" };
      const lines = Object.entries({ ...provider, ...server }).map(([name, value]) => `${name}=${value}\n`);
      const folder = deploy({ ".env.static": `${required}AGENT_GATEWAY_ENABLED=true\nSERVICE_GATEWAY_VARIABLES=HOUSE_MODEL_PASSWORD, OTHER_ONE\n${lines.join("")}` });
      run(shell, folder, "ensure-secrets.sh");
      const runtime = derive(shell, folder);
      const gateway = assignments(read(folder, ".env.gateway"));
      for (const [name, value] of Object.entries(provider)) assert.deepEqual([runtime[name], gateway[name]], [undefined, value], name);
      for (const [name, value] of Object.entries(server)) assert.deepEqual([runtime[name], gateway[name]], [value, undefined], name);
      // The scripts read it for the registry as ever.
      writeFileSync(join(folder, "region.sh"), '. "$(dirname "$0")/lib.sh"\nsetting AWS_REGION\n');
      assert.equal(run(shell, folder, "region.sh").stdout, "eu-west-1\n");
      writeFileSync(join(folder, ".env.static"), `${required}SERVICE_GATEWAY_VARIABLES=A|B; rm\n`);
      assert.match(preflight(shell, folder).errors[0], /SERVICE_GATEWAY_VARIABLES: expected names/);
    });

    test("the private key of the code-host app is checked, and handed to the container", () => {
      const folder = deploy();
      const key = join(folder, "the app's key.pem");
      const configure = (value) => writeFileSync(join(folder, ".env.static"), `${required}SERVICE_HOST_APP_PRIVATE_KEY_FILE=${value}\n`);
      const errors = () => preflight(shell, folder).errors.filter((error) => error.includes("HOST_APP"));
      configure("app.pem");
      assert.match(errors()[0], /expected an absolute path/);
      configure(key);
      assert.match(errors()[0], /is no file that can be read/);
      writeFileSync(key, "-----BEGIN CERTIFICATE-----\nhidden\n", { mode: 0o600 });
      assert.match(errors()[0], /is no private key in PEM form/);
      assert.doesNotMatch(errors()[0], /hidden/);
      writeFileSync(key, pem);
      assert.deepEqual(errors(), []);
      assert.equal(derive(shell, folder).SERVICE_HOST_APP_PRIVATE_KEY_FILE, "/run/mayday/host-app-private-key.pem");
      const handed = join(folder, ".handed/server/host-app-private-key.pem");
      assert.equal(readFileSync(handed, "utf8"), pem);
      // Whoever is the container's user reads it; nobody else gets there.
      assert.deepEqual([statSync(handed).mode & 0o777, statSync(join(handed, "../..")).mode & 0o777], [0o444, 0o700]);
      writeFileSync(join(folder, ".env.static"), required);
      assert.equal(derive(shell, folder).SERVICE_HOST_APP_PRIVATE_KEY_FILE, undefined);
      assert.ok(!existsSync(handed));
    });

    test("a Web app of this host is mounted into the container", () => {
      const folder = deploy();
      const web = join(folder, "web").replace("mayday deploy ", "mayday-web-");
      made.push(web.slice(0, -"/web".length));
      const configure = (value, more = "") => writeFileSync(join(folder, ".env.static"), `${required}WEB_DIST_DIR=${value}\n${more}`);
      const errors = () => preflight(shell, folder).errors;
      configure("web");
      assert.match(errors()[0], /^WEB_DIST_DIR=web: expected the absolute path of a directory/);
      configure(join(folder, "has a space"));
      assert.match(errors()[0], /with letters, digits, dots, _ and - only$/);
      configure(web);
      assert.match(errors()[0], /^WEB_DIST_DIR=\S+ has no index\.html on this host/);
      mkdirSync(web, { recursive: true });
      writeFileSync(join(web, "index.html"), "<!doctype html>", { mode: 0o600 });
      chmodSync(web, 0o755);
      assert.match(errors()[0], /cannot be read by the server, which runs as 10001: chmod -R a\+rX \S+web$/);
      chmodSync(join(web, "index.html"), 0o644);
      assert.deepEqual(errors(), []);
      assert.equal(derive(shell, folder).WEB_DIST_DIR, "/web");
      assert.equal(assignments(read(folder, ".env")).MAYDAY_WEB, web);
      // A service reads it where it is.
      writeFileSync(join(folder, "derive.sh"), '. "$(dirname "$0")/lib.sh"\nderive\n');
      assert.equal(run(shell, folder, "derive.sh", { MAYDAY_SERVICE: "yes" }).status, 0);
      assert.equal(assignments(read(folder, ".env.runtime")).WEB_DIST_DIR, web);
      configure("");
      assert.deepEqual(errors(), []);
      assert.equal(derive(shell, folder).WEB_DIST_DIR, "");
      assert.equal(assignments(read(folder, ".env")).MAYDAY_WEB, undefined);
    });

    test("paths that no container sees are refused or reported, unless compose.local.yml has them", () => {
      const folder = deploy({ ".env.static": required });
      const look = (lines) => {
        writeFileSync(join(folder, ".env.static"), `${required}${lines}\n`);
        return preflight(shell, folder);
      };
      assert.match(look("SERVICE_SETUP_TOKEN_FILE=/srv/mayday/token").errors[0], /^SERVICE_SETUP_TOKEN_FILE=\/srv\/mayday\/token: the server's container writes to \/data only\. Leave it out: bootstrap\.sh prints the token/);
      assert.deepEqual(look("SERVICE_SETUP_TOKEN_FILE=/data/token").errors, []);
      assert.match(look("SERVICE_DATA_DIR=/srv/mayday").warnings[0], /^SERVICE_DATA_DIR=\/srv\/mayday is not used: the data is in the volume mayday_data$/);
      assert.deepEqual(look("SERVICE_DATA_DIR=/data/mayday").warnings, []);
      const file = join(folder, "account.json");
      writeFileSync(file, "{}");
      const gateway = `AGENT_GATEWAY_ENABLED=true\nAGENT_GATEWAY_PROXY_MASTER_KEY=sk-1\nGOOGLE_APPLICATION_CREDENTIALS=${file}\nVERTEXAI_PROJECT=/nowhere/at/all`;
      assert.match(look(gateway).warnings[0], /^files of this host that the gateway's container does not see: .*compose\.local\.yml.*: GOOGLE_APPLICATION_CREDENTIALS$/);
      writeFileSync(join(folder, "compose.local.yml"), `services: {server: {volumes: ["/srv/mayday:/srv/mayday"]}, gateway: {volumes: ["${file}:${file}:ro"]}}\n`);
      assert.deepEqual(look(gateway).warnings, []);
      assert.deepEqual(look("SERVICE_SETUP_TOKEN_FILE=/srv/mayday/token").errors, []);
    });

    test(".env.local overrides .env.static under either name of a setting", () => {
      const folder = deploy({
        ".env.static": `${required}SSO_DISPLAY_NAME=static\nSERVICE_SSO_LOGIN_POLICY=required\nSERVICE_INSTANCE_NAME=static\nSSO_JIT_POLICY=disabled\nSSO_DEFAULT_ROLE=admin\n`,
        ".env.local": "SERVICE_SSO_DISPLAY_NAME=local\nSSO_LOGIN_POLICY=optional\nINSTANCE_NAME=\nSSO_JIT_POLICY=existing_user\n",
      });
      const { errors } = preflight(shell, folder);
      assert.deepEqual(errors, []);
      const runtime = derive(shell, folder);
      const both = (name) => [runtime[name], runtime[`SERVICE_${name}`]];
      assert.deepEqual(both("SSO_DISPLAY_NAME"), [undefined, "local"]);
      assert.deepEqual(both("SSO_LOGIN_POLICY"), ["optional", undefined]);
      assert.deepEqual(both("INSTANCE_NAME"), ["", undefined]);
      assert.deepEqual(both("SSO_JIT_POLICY"), ["existing_user", undefined]);
      assert.deepEqual(both("SSO_DEFAULT_ROLE"), ["admin", undefined]);
      // So does what the scripts themselves look at.
      writeFileSync(join(folder, "look.sh"), '. "$(dirname "$0")/lib.sh"\nfor each in SSO_DISPLAY_NAME SSO_LOGIN_POLICY INSTANCE_NAME SSO_DEFAULT_ROLE; do setting $each none; done\n');
      assert.deepEqual(run(shell, folder, "look.sh").stdout.trim().split("\n"), ["local", "optional", "none", "admin"]);
      // In one file, neither is the right one.
      writeFileSync(join(folder, ".env.local"), "SSO_DISPLAY_NAME=a\nSERVICE_SSO_DISPLAY_NAME=b\n");
      assert.match(preflight(shell, folder).errors.join("\n"), /SSO_DISPLAY_NAME and SERVICE_SSO_DISPLAY_NAME differ/);
    });

    test("every character of the password reaches the gateway's database", () => {
      const folder = deploy();
      for (const password of ["plain-0.1_2~3", "p@ss/word:with#all%40?of+it&é \\ x", "%"]) {
        writeFileSync(join(folder, ".env.static"), `${required}AGENT_GATEWAY_ENABLED=true\nPROXY_POSTGRES_PASSWORD=${password}\nPROXY_POSTGRES_USER=a@b\nPROXY_POSTGRES_DB=c/d\n`);
        rmSync(join(folder, ".env.generated"), { force: true });
        run(shell, folder, "ensure-secrets.sh");
        derive(shell, folder);
        const address = new URL(assignments(read(folder, ".env.gateway")).DATABASE_URL);
        assert.deepEqual([address.username, address.password, address.host, address.pathname.slice(1)].map(decodeURIComponent), ["a@b", password, "gateway-database:5432", "c/d"]);
        assert.equal(assignments(read(folder, ".env.gateway-database")).POSTGRES_PASSWORD, password);
        if (password.startsWith("plain")) assert.equal(address.password, password);
      }
    });

    test("the server's file gives back every value as it stands in .env.static", () => {
      const values = { A: "se cret #x", B: "$HOME ${HOME} `x`", C: "'unpaired", D: "a\\b\\\\c \\n \\", E: "100 %d é", F: '"\'both\'"', G: '\'"inner"\'', H: '" outer "', I: "it's \"5\"", J: "a=b", K: "#x", L: "" };
      const folder = deploy({ ".env.static": `${required}${Object.entries(values).map(([name, value]) => `INSTANCE_${name}=${value}\n`).join("")}` });
      derive(shell, folder);
      const inode = statSync(join(folder, ".handed/server")).ino;
      writeFileSync(join(folder, "values.sh"), '. "$(dirname "$0")/lib.sh"\nassignments "$handed/server/env" | grep ^INSTANCE_\n');
      const expected = Object.entries(values).map(([name, value]) => `INSTANCE_${name}=${/^(["']).*\1$/.test(value) ? value.slice(1, -1) : value}\n`);
      assert.equal(run(shell, folder, "values.sh").stdout, expected.join(""));
      // Whoever is the container's user reads it, and nobody else gets there; a container that runs keeps the folder.
      derive(shell, folder);
      assert.equal(statSync(join(folder, ".handed/server")).ino, inode);
      assert.deepEqual([".handed", ".handed/server", ".handed/server/env"].map((path) => statSync(join(folder, path)).mode & 0o777), [0o700, 0o755, 0o444]);
    });

    test("values that podman-compose changes are refused for the gateway", () => {
      const folder = deploy();
      const composer = (version) => program(folder, version.includes("podman") ? "podman-compose" : "docker-compose", `echo "${version}"`);
      composer("podman-compose version 1.6.0");
      composer("Docker Compose version v2.30.0");
      const errors = (compose, values) => {
        writeFileSync(join(folder, ".env.static"), `${required}AGENT_GATEWAY_ENABLED=true\n${values.map((value, at) => `P${at}_API_KEY=${value}\n`).join("")}`);
        return preflight(shell, folder, { MAYDAY_COMPOSE: compose }).errors.filter((error) => error.includes("podman-compose"));
      };
      const values = ["sk #1", "$HOME", "it's", 'a"b', "a\\b", '" x"', "sk-proj_1234+/=:@.,~ x"];
      const [error, ...more] = errors("podman-compose", values);
      assert.match(error, /would change values .*: P0_API_KEY P1_API_KEY P2_API_KEY P3_API_KEY P4_API_KEY P5_API_KEY$/);
      assert.deepEqual(more, []);
      for (const value of values) assert.ok(!error.includes(value), value);
      assert.deepEqual(errors("docker-compose", values), []);
      assert.deepEqual(errors("podman-compose", values.slice(-1)), []);
    });

    test("the network of the stack is one", () => {
      const folder = deploy({ ".env.static": `${required}SERVICE_PROXY_NETWORK=172.31.300.0/24\n` });
      assert.match(preflight(shell, folder).errors.join("\n"), /^SERVICE_PROXY_NETWORK=172\.31\.300\.0\/24: expected/m);
      writeFileSync(join(folder, "networks.sh"), '. "$(dirname "$0")/lib.sh"\n. "$here/lib/host.sh"\nfor each; do if is_network "$each"; then echo "$each"; fi; done\n');
      const right = ["172.31.213.0/24", "10.0.0.0/8", "10.1.2.8/29", "192.168.0.128/25"];
      const wrong = ["172.31.300.0/24", "172.31.213.5/24", "10.0.0.0/31", "10.0.0.0", "fd00::/64", "a.b.c.d/24", "10.0.0.0/024x"];
      assert.deepEqual(run(shell, folder, "networks.sh", ...wrong, ...right).stdout.trim().split("\n"), right);
    });

    test("an image's digest is that of its registry", () => {
      const folder = deploy({ ".env.static": `${required}SERVER_IMAGE=registry.example.net/mayday\n` });
      writeFileSync(join(folder, "digest.sh"), '. "$(dirname "$0")/lib.sh"\ndigest_of 1\n');
      writeFileSync(join(folder, "engine"), '#!/bin/sh\nprintf "%s\\n" other.example.net/mayday@sha256:1 registry.example.net/mayday@sha256:2 registry.example.net/mayday@sha256:3\n', { mode: 0o755 });
      const digest = () => run(shell, folder, "digest.sh").stdout;
      assert.equal(digest(), "registry.example.net/mayday@sha256:2\n");
      // Podman, once the tag means another image; Docker has no such history.
      const podman = (...history) => program(folder, "engine", `case "$*" in *NamesHistory*) printf '%s sha256:4\\n' ${history.join(" ")} ;; *) echo localhost/mayday@sha256:4 ;; esac`);
      podman("localhost/mayday:previous", "registry.example.net/mayday:stable");
      assert.equal(digest(), "registry.example.net/mayday@sha256:4\n");
      podman("localhost/mayday:previous", "registry.example.net/mayday:restored-20261126T180000Z");
      assert.equal(digest(), "");
      program(folder, "engine", 'case "$*" in *NamesHistory*) exit 1 ;; *) echo registry.example.net/mayday@sha256:5 ;; esac');
      assert.equal(digest(), "registry.example.net/mayday@sha256:5\n");
    });

    test("the images of the stack are those of the compose file, or of the configuration", () => {
      const folder = deploy({ ".env.static": `${required}AGENT_GATEWAY_ENABLED=true\nSERVICE_GATEWAY_IMAGE=registry.example.net/gateway:1\n` });
      writeFileSync(join(folder, "images.sh"), '. "$(dirname "$0")/lib.sh"\nimages\n');
      assert.deepEqual(run(shell, folder, "images.sh").stdout.trim().split("\n"), ["mayday:server-v1.0.0", "docker.io/library/caddy:2", "registry.example.net/gateway:1", "docker.io/library/postgres:16-alpine"]);
    });
  });
}

test("only update.sh pulls: no service of the compose file does", () => {
  const compose = readFileSync(join(root, "deploy", "compose.yml"), "utf8");
  assert.equal(compose.match(/^ {4}image: /gm).length, 4);
  assert.equal(compose.match(/^ {4}pull_policy: never$/gm).length, 4);
  const shared = readdirSync(join(root, "deploy", "lib")).map((name) => join("lib", name));
  for (const name of ["bootstrap.sh", "restore.sh", "backup.sh", "lib.sh", ...shared]) assert.doesNotMatch(readFileSync(join(root, "deploy", name), "utf8"), /(engine\)"|compose) pull /, name);
});
