import { useLocation } from "@tanstack/react-router";
import { useMany } from "../api/instance.ts";
import { useCurrentOrganization, useCurrentProject, useMayCreate } from "./current.ts";
import { sectionAt } from "./lookup.ts";
import type { Capabilities, Place, SectionId } from "./sections.ts";

/** Where the person is: the project and the organization that the navigation is about. */
export function usePlace(): Place {
  const project = useCurrentProject();
  const organization = useCurrentOrganization();
  return { project, organization: organization?.id, role: organization?.role };
}

export function useCapabilities(): Capabilities {
  return { many: useMany(), mayCreate: useMayCreate() };
}

/** The section that is open. */
export function useOpenSection(): SectionId | undefined {
  const place = usePlace();
  const pathname = useLocation({ select: (location) => location.pathname });
  return sectionAt(pathname, place);
}
