import { expect, test } from "vitest";
import { accountSections, instanceSections, organizationSections, settingsSections } from "../paths.ts";
import {
  ancestorsOf,
  fullName,
  groupsIn,
  isWithin,
  openSection,
  sectionAt,
  sectionOf,
  sectionsIn,
  sectionsWithKeys,
  tabTitle,
} from "./lookup.ts";
import { sections } from "./sections.ts";

const place = { project: 1, organization: 2, role: "owner" } as const;
const labels = (...args: Parameters<typeof sectionsIn>) => sectionsIn(...args).map(({ label }) => label);

test("a group has the sections that exist at a place", () => {
  expect(labels("project", place)).toEqual(["Issues", "Logs", "Replays", "Releases", "Alerts"]);
  expect(labels("automate", place)).toEqual(["Sessions", "Automations", "Runners"]);
  expect(labels("organization-settings", place)).toContain("Repositories");
  expect(labels("project", { organization: 2 })).toEqual([]);
  expect(labels("organization-settings", { project: 1 })).toEqual([]);
  expect(labels("account-settings", {})).toEqual([
    "Profile",
    "Notifications",
    "Devices",
    "Access tokens",
    "Connect an agent (MCP)",
  ]);
});

test("every settings section with a route is listed, in the order of the routes", () => {
  const named = (group: Parameters<typeof sectionsIn>[0], prefix: string) =>
    sectionsIn(group, place).flatMap(({ id }) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
  expect(named("project-settings", "project-")).toEqual(settingsSections.filter((id) => id !== "alerts"));
  expect(named("organization-settings", "organization-")).toEqual([...organizationSections]);
  expect(named("account-settings", "account-")).toEqual([...accountSections]);
  expect(named("instance-settings", "instance-")).toEqual([...instanceSections]);
});

test("with many organizations, none has sign-in settings", () => {
  expect(labels("organization-settings", place, { many: true })).not.toContain("Sign-in");
  expect(labels("organization-settings", place, { many: false })).toContain("Sign-in");
  expect(labels("organization-settings", place)).toContain("Sign-in");
});

test("what may be created depends on the person's rights", () => {
  expect(openSection("new-project", place)).toBeUndefined();
  expect(openSection("new-project", place, { mayCreate: true })?.to).toBe("/projects/new");
  expect(openSection("new-organization", place, { many: undefined })).toBeUndefined();
});

test("sections for owners and admins are closed to members once the role is known", () => {
  const lockedFor = (role: "owner" | "member" | undefined) =>
    sectionsIn("organization-settings", { ...place, role }).flatMap(({ label, locked }) => (locked ? label : []));
  expect(lockedFor("member")).toEqual(["Keys", "Sign-in", "Audit log"]);
  expect(lockedFor("owner")).toEqual([]);
  expect(lockedFor(undefined)).toEqual([]);
});

test("a shortcut leads to one section", () => {
  const keys = sectionsWithKeys(place).map((section) => section.keys);
  expect(keys).toContain("g i");
  expect(new Set(keys).size).toBe(keys.length);
  const main = sections.filter(({ group }) => group === "project" || group === "automate");
  expect(main.filter((section) => section.keys === undefined).map(({ id }) => id)).toEqual([]);
  expect(sectionsWithKeys({}).map(({ id }) => id)).toEqual(["notifications", "settings", "account-profile"]);
});

test("the settings link opens the project's, else the organization's, else the person's own", () => {
  expect(openSection("settings", place)?.to).toBe("/projects/1/settings/general");
  expect(openSection("settings", { organization: 2 })?.to).toBe("/organizations/2/settings");
  expect(openSection("settings", {})?.to).toBe("/account");
});

test("ids are unique, and no section contains itself", () => {
  expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
  for (const { id } of sections) expect(ancestorsOf(id).map((section) => section.id)).not.toContain(id);
});

test("an address belongs to the section whose address it begins with", () => {
  const at = (pathname: string) => sectionAt(pathname, place);
  expect(at("/projects/1/issues")).toBe("issues");
  expect(at("/projects/1/issues/7")).toBe("issues");
  expect(at("/projects/1/issuesx")).toBeUndefined();
  expect(at("/projects/12/issues")).toBeUndefined();
  expect(at("/projects/1/settings/general")).toBe("project-general");
  expect(at("/organizations/2/settings")).toBe("organization-general");
  expect(at("/organizations/2/settings/members")).toBe("organization-members");
  expect(at("/account")).toBe("account-profile");
  expect(at("/account/tokens")).toBe("account-tokens");
  expect(at("/projects/1/start")).toBe("start");
  expect(at("/projects/1/traces/4bf92f35")).toBe("trace");
});

test("all settings and the setup are within the settings", () => {
  for (const { id } of groupsIn("settings").flatMap((group) => sectionsIn(group.id, place)))
    expect(isWithin("settings", id), id).toBe(true);
  expect(isWithin("settings", "issues")).toBe(false);
  expect(isWithin("releases", "release")).toBe(true);
  expect(isWithin("logs", sectionAt("/projects/1/traces/4bf92f35", place))).toBe(true);
  expect(isWithin("issues", undefined)).toBe(false);
});

test("names and titles say what a section belongs to", () => {
  expect(fullName(sectionOf("organization-keys"))).toBe("Organization: Keys");
  expect(fullName(sectionOf("logs"))).toBe("Logs");
  expect(tabTitle("project-keys")).toBe("Keys · Project settings");
  expect(tabTitle("release", "1.4.2")).toBe("1.4.2 · Releases");
  expect(tabTitle("issues")).toBe("Issues");
});
