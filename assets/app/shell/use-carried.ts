import { useLocation, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import type { OpenSection } from "../navigation/lookup.ts";
import { carried } from "../pages/lists/limits.ts";

/** The environment and period of the open page, which links to other pages of the project keep. */
export function useCarried(page: "issues" | "logs"): Record<string, string> {
  // As a string, so that an unchanged value causes no new rendering.
  const text = useLocation({ select: ({ search }) => JSON.stringify(carried(page, search)) });
  return useMemo(() => JSON.parse(text) as Record<string, string>, [text]);
}

/** Opens a section, keeping environment and period if it has them. */
export function useOpenSectionBy(): (section: OpenSection) => void {
  const router = useRouter();
  return ({ id, to }) => {
    const way =
      id === "issues" || id === "logs" ? { to, search: carried(id, router.state.location.search) } : { href: to };
    void router.navigate(way);
  };
}
