import { useLocation } from "@tanstack/react-router";
import { createContext, useContext, useMemo } from "react";
import { useMany } from "../api/instance.ts";
import { useCurrentOrganization, useCurrentProject, useMayCreate } from "./current.ts";
import { sectionAt } from "./lookup.ts";
import type { Capabilities, Place, SectionId } from "./sections.ts";

/** Computed once, by the frame around all pages, because many components use it and it rarely changes. */
export const PlaceContext = createContext<Place>({ project: undefined, organization: undefined, role: undefined });

/** For the frame. */
export function useFoundPlace(): Place {
  const project = useCurrentProject();
  const { id: organization, role } = useCurrentOrganization() ?? {};
  return useMemo(() => ({ project, organization, role }), [project, organization, role]);
}

/** The project and organization that the navigation shows. */
export const usePlace = (): Place => useContext(PlaceContext);

export function useCapabilities(): Capabilities {
  return { many: useMany(), mayCreate: useMayCreate() };
}

/** The section that is open. */
export function useOpenSection(): SectionId | undefined {
  const place = usePlace();
  const pathname = useLocation({ select: (location) => location.pathname });
  return sectionAt(pathname, place);
}
