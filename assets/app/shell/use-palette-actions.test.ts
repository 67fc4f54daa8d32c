import { expect, test, vi } from "vitest";
import { openSection, sectionsIn } from "../navigation/lookup.ts";
import type { Key } from "./keys.ts";
import { fitting } from "./palette-filter.ts";
import { actsOf, sectionActions } from "./use-palette-actions.ts";

const place = { project: 1, organization: 2, role: "owner" } as const;
const stay = () => undefined;
const groups = [
  { group: "This project", actions: sectionActions(sectionsIn("project-settings", place), stay) },
  { group: "Teahouse", actions: sectionActions(sectionsIn("organization-settings", place), stay, "-2", "Teahouse") },
  { group: "Mayday", actions: sectionActions([openSection("settings", place)], stay) },
];
const found = (query: string) => fitting(query, groups).flatMap(({ actions }) => actions.map(({ label }) => label));

test("the settings are found by that word, and after their link each of their sections", () => {
  expect(found("settings")[0]).toBe("Settings");
  expect(found("settings")).toEqual(expect.arrayContaining(["Project: Scrubbing", "Organization: Members"]));
});

test("what an organization has is found by its name", () => {
  expect(found("teahouse")).toContain("Organization: Members");
  expect(found("teahouse keys")).toEqual(["Organization: Keys"]);
});

test("what is closed to a person is not listed", () => {
  const own = sectionActions(sectionsIn("organization-settings", { ...place, role: "member" }), stay);
  expect(own.map(({ label }) => label)).not.toContain("Organization: Keys");
});

test("an act that was listed runs as itself or not at all", () => {
  vi.useFakeTimers();
  const ran: string[] = [];
  const group = (name: string, does: string, what = `${name}: ${does}`) => {
    const key: Key = { keys: "e", does, isAct: true, run: () => ran.push(what) };
    return { name, keys: [key, { keys: "j", does: "Next", run: () => ran.push("next") }] };
  };
  let now = [group("Issues", "Resolve"), group("Issue", "Reopen")];
  const acts = actsOf(now, () => now).flatMap(({ actions }) => actions);
  expect(acts.map(({ label }) => label)).toEqual(["Resolve", "Reopen"]);
  expect(new Set(acts.map(({ id }) => id)).size).toBe(2);
  const runAll = () => {
    for (const { onClick } of acts) onClick?.({} as never);
    vi.runAllTimers();
    return ran.splice(0);
  };
  expect(runAll()).toEqual(["Issues: Resolve", "Issue: Reopen"]);
  // As it was last rendered.
  now = [group("Issues", "Resolve", "newer"), group("Issue", "Resolve")];
  expect(runAll()).toEqual(["newer"]);
  now = [];
  expect(runAll()).toEqual([]);
  vi.useRealTimers();
});
