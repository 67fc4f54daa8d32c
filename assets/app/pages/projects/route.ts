import { createRoute } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { insideRoute } from "../../routes/inside.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { idOf, type Search } from "../../search-params.ts";

interface NewProjectSearch {
  /** The organization that the form begins with. */
  organization?: number;
}

export const newProjectRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.newProject,
  validateSearch: (search: Search): NewProjectSearch => {
    const organization = idOf(search.organization);
    return organization === undefined ? {} : { organization };
  },
  component: lazyPage(() => import("./NewProjectPage.tsx")),
});
