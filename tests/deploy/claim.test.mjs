// How a new instance is handed over: the link that claims it, whether or not its address answers yet.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { writeFileSync } from "node:fs";
import { deploy, preflight, program, required, run, shells } from "./folder.mjs";

const token = "0123-4567-89ab-cdef-0123-4567-89ab-cdef";
const link = `https://mayday.example.net/setup#token=${token}`;
const health = "https://mayday.example.net/health";

/** A folder whose stack starts and is healthy; `curl` asks for its address. */
const instance = (curl, lines = "") => {
  const folder = deploy({ ".env.static": required + lines });
  program(folder, "composer", `case "$*" in *setup-token*) echo ${token} ;; esac`);
  program(folder, "curl", curl);
  return folder;
};
/** What curl says, and how it ends. */
const failing = (status, text) => `echo "curl: (${status}) ${text}" >&2; exit ${status}`;
/** The end of bootstrap.sh alone. */
const tell = (shell, folder) => {
  writeFileSync(join(folder, "tell.sh"), `. "$(dirname "$0")/lib.sh"\nderive\ntell_address ${token}\n`);
  return run(shell, folder, "tell.sh", { MAYDAY_ADDRESS_LIMIT: "0" });
};
const bootstrap = (shell, folder, limit = "0") => run(shell, folder, "bootstrap.sh", { MAYDAY_ADDRESS_LIMIT: limit });

for (const shell of shells) {
  describe(shell.join(" "), () => {
    test("the link that claims an instance is the last word where its address answers", () => {
      const { status, stdout, stderr } = bootstrap(shell, instance('echo \'{"status": "ok", "version": "1.0.0"}\''));
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`^Address https://mayday\\.example\\.net +answers \\(\\d+ s\\)\n\nSetup token: ${token}\nClaim this instance: ${link}\n$`, "m"));
      assert.doesNotMatch(stderr, /cannot be used/);
    });

    test("the link is printed while the address cannot be used, with what does not work and the cure", () => {
      for (const [curl, why, cure] of [
        [failing(6, "Could not resolve host"), /the name mayday\.example\.net cannot be looked up/, /A or AAAA record/],
        [failing(28, "Resolving timed out"), /the name mayday\.example\.net cannot be looked up/, /A or AAAA record/],
        [failing(7, "Failed to connect"), /nothing accepts connections there/, /let port 443 be reached/],
        [failing(28, "Connection timed out"), /nothing accepts connections there/, /let port 443 be reached/],
        [failing(35, "tlsv1 alert internal error"), /there is no certificate for it yet/, /Caddy obtains one once the name leads to this host.*logs caddy\n/],
        [failing(60, "SSL certificate problem"), /its certificate is by an authority that this host does not know/, /go on where the browser warns/],
        [failing(22, "The requested URL returned error: 502"), /what answers there is not Mayday: curl: \(22\) .*502/, /curl -v https:/],
        ["echo '<h1>It works!</h1>'", /what answers there is not Mayday: <h1>It works!/, /curl -v https:/],
      ]) {
        const { status, stdout, stderr } = tell(shell, instance(curl));
        assert.equal(status, 0, stderr);
        assert.match(stdout, new RegExp(`^Address .* cannot be used yet, see below \\(\\d+ s\\)$[\\s\\S]*^Claim this instance: ${link}$\n^The link stays valid`, "m"));
        assert.match(stderr, new RegExp(`^warning: https://mayday\\.example\\.net cannot be used yet: ${why.source}.*The server itself is well\\.\n {2}.*${cure.source}`, "m"));
      }
    });

    test("an address that comes to answer within the time is waited for", () => {
      const folder = instance("");
      program(folder, "curl", `if [ -f '${folder}/asked' ]; then echo '{"status": "ok"}'; else touch '${folder}/asked'; ${failing(35, "tlsv1 alert")}; fi`);
      const { stdout, stderr } = bootstrap(shell, folder, "20");
      assert.match(stdout, /^Address .* answers/m);
      assert.equal(stderr.includes("cannot be used"), false, stderr);
    });

    test("with a public check that fails, the script fails after the link", () => {
      const folder = instance(failing(6, "Could not resolve host"), `SERVICE_PUBLIC_HEALTHCHECK_URL=${health}\n`);
      // It ends after one try.
      program(folder, "date", "case $* in +%s) s=$(cat \"$0.s\" 2>/dev/null || echo 1800000000); echo $((s + 100)) >\"$0.s\"; echo $s ;; *) exec /bin/date \"$@\" ;; esac");
      const { status, stdout, stderr } = bootstrap(shell, folder);
      assert.equal(status, 1, stdout);
      assert.match(stdout, new RegExp(`^Health of ${health} +failed[\\s\\S]*^Claim this instance: ${link}$`, "m"));
      assert.match(stderr, /wait-for-health\.sh: no healthy answer .*Could not resolve host\n[\s\S]*bootstrap\.sh: Mayday runs, and https:\S+ does not answer\n {2}Correct what is said of it above/);
    });

    test("the doctor knows a certificate that this host does not trust from an address that does not answer", () => {
      const folder = instance("echo 'curl: (60) SSL certificate problem' >&2; printf '\\n000'; exit 60");
      program(folder, "engine", 'case "$*" in ps*service=server*) echo "abc mayday_server_1" ;; inspect*Status*) echo running ;; esac');
      tell(shell, folder);
      assert.match(run(shell, folder, "doctor.sh").stdout, /^error {4}address .*curl: \(60\) SSL certificate problem\n *-> This host does not know the authority of the certificate\..*CURL_CA_BUNDLE=FILE/m);
    });

    test("preflight speaks of no image while there is no tag, and says why a validator cannot run", () => {
      const folder = deploy({ ".env.static": "#SITE_ADDRESS=\n" });
      program(folder, "engine", 'case "$*" in "image inspect"*) exit 1 ;; esac');
      const found = preflight(shell, folder, { MAYDAY_BIN: "" });
      assert.match(found.errors.join("\n"), /SERVICE_SERVER_IMAGE_TAG is required/);
      assert.doesNotMatch(found.warnings.join("\n"), /the image /);
      writeFileSync(join(folder, ".env.static"), required);
      program(folder, "engine", '[ "$1" != run ] || { printf "time=1 level=error msg=noise\\nError: cannot run\\n" >&2; exit 125; }');
      assert.match(preflight(shell, folder, { MAYDAY_BIN: "" }).errors.join("\n"), /validator could not run: Error: cannot run/);
    });
  });
}
