import { useLocation, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { carried, isLimitedPage, type LimitedPage, rememberedSearch } from "./limits.ts";
import type { OpenSection } from "./lookup.ts";

/** The environment and the period of the page that is open, as a link to another page of the project takes them along. */
export function useCarried(page: LimitedPage): Record<string, string> {
  // A text, so that nothing is drawn again while it stays the same.
  const text = useLocation({
    select: ({ pathname, search }) => JSON.stringify(carried(page, rememberedSearch(pathname, search))),
  });
  return useMemo(() => JSON.parse(text) as Record<string, string>, [text]);
}

/** Opens a section, keeping environment and period if it has them. */
export function useOpenSectionBy(): (section: OpenSection) => void {
  const router = useRouter();
  return ({ id, to }) => {
    const { pathname, search } = router.state.location;
    const way = isLimitedPage(id) ? { to, search: carried(id, rememberedSearch(pathname, search)) } : { href: to };
    void router.navigate(way);
  };
}
