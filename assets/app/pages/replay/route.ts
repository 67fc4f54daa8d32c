import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../../routes/lazy-page.ts";
import { projectRoute } from "../../routes/project.ts";
import { type Search, textOf } from "../../search-params.ts";

/** `t`: the second at which it begins. */
interface ReplaySearch {
  t?: number | undefined;
}

export const replayRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/replays/$replayId",
  validateSearch: (search: Search): ReplaySearch => {
    const seconds = Number(textOf(search.t));
    return Number.isFinite(seconds) && seconds > 0 ? { t: seconds } : {};
  },
  component: lazyPage(() => import("./ReplayPage.tsx")),
});
