import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { useCarried } from "./use-carried.ts";

interface Props {
  project: number;
  version: string;
  className?: string;
  children: ReactNode;
}

/** Leads to a release, with the environment and the period of the page that is open. */
export function ReleaseLink({ project, version, children, ...link }: Props) {
  return (
    <Link to={paths.release(project, version)} search={useCarried("releases")} {...link}>
      {children}
    </Link>
  );
}
