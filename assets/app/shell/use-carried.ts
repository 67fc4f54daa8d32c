import { useLocation, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { carried } from "../navigation/limits.ts";
import type { OpenSection } from "../navigation/lookup.ts";

/** The environment and the period of the page that is open, as a link to another page of the project takes them along. */
export function useCarried(page: "issues" | "logs"): Record<string, string> {
  // A text, so that nothing is drawn again while it stays the same.
  const text = useLocation({ select: ({ search }) => JSON.stringify(carried(page, search)) });
  return useMemo(() => JSON.parse(text) as Record<string, string>, [text]);
}

/** Opens a section, which takes them along if it has them. */
export function useOpenSectionBy(): (section: OpenSection) => void {
  const router = useRouter();
  return ({ id, to }) => {
    const way =
      id === "issues" || id === "logs" ? { to, search: carried(id, router.state.location.search) } : { href: to };
    void router.navigate(way);
  };
}
