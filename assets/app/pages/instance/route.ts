import { createRoute } from "@tanstack/react-router";
import { instanceSections, paths } from "../../paths.ts";
import { insideRoute } from "../../routes/inside.ts";
import { lazyPage } from "../../routes/lazy-page.ts";
import { sectionParam } from "../../routes/params.ts";

const InstancePage = lazyPage(() => import("./InstancePage.tsx"));

export const instanceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: paths.instance(),
  component: InstancePage,
});

export const instanceSectionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/instance/$section",
  params: sectionParam(instanceSections),
  component: InstancePage,
});
