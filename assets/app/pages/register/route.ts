import { createRoute } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { rootRoute } from "../../routes/root.ts";
import { type Search, textOf } from "../../search-params.ts";

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.register,
  validateSearch: (search: Search): { token?: string } => {
    const token = textOf(search.token);
    return token === undefined ? {} : { token };
  },
  component: lazyPage(() => import("./RegisterPage.tsx")),
});
