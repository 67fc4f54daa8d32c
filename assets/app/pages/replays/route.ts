import { createRoute } from "@tanstack/react-router";
import { type Period, periodOf } from "../../navigation/limits.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";
import { type Search, idOf, textOf } from "../../search-params.ts";

/** The filters, as the address has them. */
export interface ReplaysSearch {
  /** A part of an id, e-mail or name. */
  user?: string | undefined;
  /** A part of the address of a page. */
  url?: string | undefined;
  has_error?: "true" | "false" | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  /** Of one of this issue's events. */
  issue?: number | undefined;
  /** In which they began. */
  period?: Period | undefined;
}

export const replaysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/replays",
  validateSearch: (search: Search): ReplaysSearch => {
    const has = textOf(search.has_error);
    return {
      user: textOf(search.user),
      url: textOf(search.url),
      has_error: has === "true" || has === "false" ? has : undefined,
      environment: textOf(search.environment),
      release: textOf(search.release),
      issue: idOf(search.issue),
      period: periodOf(search.period),
    };
  },
  component: lazyPage(() => import("./ReplaysPage.tsx")),
});
