import type { OrganizationSection } from "../../paths.ts";

export const sectionNames: Record<OrganizationSection, string> = { general: "General", members: "Members", keys: "Keys", "sign-in": "Sign-in", audit: "Audit log" };
