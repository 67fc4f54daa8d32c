import { expect, test } from "vitest";
import { auditWords, detailRows, groups, knownActions } from "./words.ts";

const actions = [
  "instance.claimed",
  "sign_in.succeeded",
  "sign_in.failed",
  "sign_in.throttled",
  "sign_out",
  "session.ended",
  "password.changed",
  "password.reset_asked",
  "password.reset",
  "password.reset_link_made",
  "email.change_asked",
  "email.changed",
  "profile.renamed",
  "identity.linked",
  "identity.unlinked",
  "account.secured",
  "invitation.created",
  "invitation.resent",
  "invitation.revoked",
  "invitation.accepted",
  "member.joined",
  "member.role_changed",
  "member.disabled",
  "member.enabled",
  "member.removed",
  "member.reinstated",
  "owner.handed_over",
  "organization.created",
  "organization.renamed",
  "agent_caps.changed",
  "agent_session.deleted",
  "organization_key.created",
  "organization_key.revoked",
  "project_key.created",
  "project_key.revoked",
  "project.created",
  "alert_channel.created",
  "alert_channel.updated",
  "alert_channel.deleted",
  "alert_rule.created",
  "alert_rule.updated",
  "alert_rule.deleted",
  "project.deleted",
  "project.retention_changed",
  "token.created",
  "token.revoked",
  "sign_in.tested",
  "set_aside.retried",
  "set_aside.deleted",
  "set_aside.cleared",
];

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
