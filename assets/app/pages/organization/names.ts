import { type OrganizationSection, organizationSections } from "../../paths.ts";

export const sectionNames: Record<OrganizationSection, string> = {
  general: "General",
  members: "Members",
  keys: "Keys",
  "sign-in": "Sign-in",
  audit: "Audit log",
};

/** The parts of an organization's page. Of many organizations none says how people sign in. */
export const sectionsOf = (many: boolean | undefined): readonly OrganizationSection[] =>
  many ? organizationSections.filter((section) => section !== "sign-in") : organizationSections;
