import { expect, test } from "vitest";
import { openSection, sectionsIn } from "../navigation/lookup.ts";
import { fitting } from "./palette-filter.ts";
import { sectionActions } from "./use-palette-actions.ts";

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
