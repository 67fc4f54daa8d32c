// One script at a time changes something in a folder.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { deploy, read, required, run, shells } from "./folder.mjs";

for (const shell of shells) {
  describe(shell.join(" "), () => {
    /** A script that is at work until it is killed. */
    const working = async (folder, name) => {
      writeFileSync(join(folder, name), '. "$(dirname "$0")/lib.sh"\nalone\necho ready\nread -r never\n');
      const [program, ...first] = shell;
      const child = spawn(program, [...first, join(folder, name)], { stdio: ["pipe", "pipe", "inherit"] });
      await once(child.stdout, "data");
      return child;
    };

    test("a script that changes something says which other one is at work, and since when", async () => {
      const folder = deploy({ ".env.static": required, ".env": "MAYDAY_IMAGE=mayday:stable\n" });
      const other = await working(folder, "update.sh");
      try {
        for (const [script, ...words] of [["bootstrap.sh"], ["ensure-secrets.sh"], ["stop.sh", "--yes"]]) {
          const { status, stderr, stdout } = run(shell, folder, script, ...words);
          assert.deepEqual([status, stdout], [1, ""], script);
          assert.match(stderr, new RegExp(`^${script}: update\\.sh has been at work here since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC \\(process ${other.pid}\\)\\n  Run this script again once that one has ended\\. Nothing was changed\\.\\n$`));
        }
        // What changes nothing goes on, as does another folder.
        assert.equal(run(shell, folder, "preflight.sh").status, 0);
        assert.equal(run(shell, deploy({ ".env.static": required }), "ensure-secrets.sh").status, 0);
        assert.deepEqual(readdirSync(join(folder, ".lock")), [String(other.pid)]);
      } finally {
        other.kill("SIGKILL");
        await once(other, "exit");
      }
      // Killed, it has left its mark, which is nobody's.
      assert.equal(run(shell, folder, "ensure-secrets.sh").status, 0);
      assert.ok(!readdirSync(join(folder, ".lock")).includes(String(other.pid)));
    });

    test("what a script starts belongs to it", () => {
      const folder = deploy({ ".env.static": required });
      writeFileSync(join(folder, "outer.sh"), '. "$(dirname "$0")/lib.sh"\nalone\n"$here/ensure-secrets.sh"\n');
      const { status, all } = run(shell, folder, "outer.sh");
      assert.equal(status, 0, all);
      assert.match(read(folder, ".env.generated"), /^JWT_SECRET=/m);
      // Only in the same folder, and only while that one is there.
      const second = run(shell, folder, "ensure-secrets.sh", { MAYDAY_ALONE: "1" });
      assert.equal(second.status, 0, second.all);
      assert.ok(!readdirSync(join(folder, ".lock")).includes("1"));
    });

    test("another process that has the number of one that has ended is not taken for it", () => {
      const folder = deploy({ ".env.static": required });
      mkdirSync(join(folder, ".lock"));
      writeFileSync(join(folder, ".lock", String(process.pid)), "1\nupdate.sh has been at work here since some day\n");
      const { status, all } = run(shell, folder, "ensure-secrets.sh");
      assert.equal(status, 0, all);
      assert.ok(!readdirSync(join(folder, ".lock")).includes(String(process.pid)));
    });
  });
}
