import { createRoute, redirect } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { insideRoute } from "./inside.ts";
import { ProjectFrame } from "./ProjectFrame.tsx";
import { numberParam } from "./params.ts";

/** Around every page of a project. */
export const projectRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/projects/$projectId",
  params: numberParam("projectId"),
  component: ProjectFrame,
});

export const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ href: paths.issues(params.projectId), replace: true });
  },
});
