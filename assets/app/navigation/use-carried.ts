import { useLocation, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { carried, isLimitedPage, type LimitedPage, rememberedSearch } from "./limits.ts";
import type { OpenSection } from "./lookup.ts";
import { usePlace } from "./place.ts";

/** The environment and the period of the project that the navigation shows, as links to its pages take them along. */
export function useCarried(page: LimitedPage): Record<string, string> {
  const { project } = usePlace();
  // A text, so that nothing is drawn again while it stays the same.
  const text = useLocation({
    select: ({ pathname, search }) => JSON.stringify(carried(page, rememberedSearch(pathname, search, project))),
  });
  return useMemo(() => JSON.parse(text) as Record<string, string>, [text]);
}

/** Opens a section, keeping environment and period if it has them. */
export function useOpenSectionBy(): (section: OpenSection) => void {
  const router = useRouter();
  const { project } = usePlace();
  return ({ id, to }) => {
    const { pathname, search } = router.state.location;
    const way = isLimitedPage(id)
      ? { to, search: carried(id, rememberedSearch(pathname, search, project)) }
      : { href: to };
    void router.navigate(way);
  };
}
