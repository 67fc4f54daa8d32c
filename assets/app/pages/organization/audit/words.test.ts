import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { auditWords, detailRows, groups, knownActions } from "./words.ts";

const server = fileURLToPath(new URL("../../../../../src/", import.meta.url));

/** The actions that the server's sources name; `destination.id` and the like are fields. */
function actionsOf(): string[] {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".rs") && !/\btests\b/.test(name),
  );
  const writing = files
    .map((name) => readFileSync(`${server}${name}`, "utf8"))
    .filter((code) => /\baudit::|\bNote::new\(|\.did\(/.test(code));
  const named = writing.flatMap((code) => [...code.matchAll(/"([a-z_]+\.[a-z_]+|sign_out)"/g)].map(([, name]) => name));
  return [...new Set(named)].filter((name) => name !== undefined && !/[._]id$/.test(name)) as string[];
}

const actions = actionsOf();

test("every action of the server has a description", () => {
  expect([...knownActions].sort()).toEqual([...actions].sort());
  for (const action of actions) expect(auditWords({ action, detail: {} }), action).toMatch(/^[A-Z][^_]*$/);
});

test("details are part of the description if they help", () => {
  expect(auditWords({ action: "sign_in.succeeded", detail: { method: "sso" } })).toBe(
    "Signed in through single sign-on",
  );
  expect(auditWords({ action: "sign_in.failed", detail: { method: "password", reason: "wrong_password" } })).toBe(
    "Failed to sign in with a password: wrong password",
  );
  expect(
    auditWords({ action: "member.role_changed", detail: { from: "member", to: "admin", why: "ADMIN_EMAILS" } }),
  ).toBe("Changed a role from member to admin (ADMIN_EMAILS)");
  expect(auditWords({ action: "sign_in.succeeded", detail: { method: 7 } })).toBe("Signed in");
});

test("an unknown action is shown by its name", () => {
  expect(auditWords({ action: "backup.made", detail: {} })).toBe("backup.made");
  expect(auditWords({ action: "constructor", detail: {} })).toBe("constructor");
});

test("a filter finds something", () => {
  for (const { value } of groups)
    expect(
      actions.some((action) => action.startsWith(value)),
      value,
    ).toBe(true);
});

test("details are text", () => {
  expect(detailRows({ a: "x", b: 1, c: null, d: ["y"] })).toEqual([
    ["a", "x"],
    ["b", "1"],
    ["c", "null"],
    ["d", '["y"]'],
  ]);
});
