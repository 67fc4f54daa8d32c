import { CircleAlert, CircleDot, Database, Globe, MousePointerClick, Navigation, SquareTerminal } from "lucide-react";
import type { CrumbKind } from "./crumb-words.ts";

/** The icons of breadcrumbs, by kind. */
export const crumbIcons: Record<CrumbKind, typeof Globe> = {
  user: MousePointerClick,
  navigation: Navigation,
  request: Globe,
  console: SquareTerminal,
  query: Database,
  error: CircleAlert,
  other: CircleDot,
};
