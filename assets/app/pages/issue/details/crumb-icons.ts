import { CircleAlert, CircleDot, Database, Globe, MousePointerClick, Navigation, SquareTerminal } from "lucide-react";
import type { CrumbKind } from "./crumb-words.ts";

/** What a breadcrumb is of, wherever it is listed. */
export const crumbIcons: Record<CrumbKind, typeof Globe> = {
  user: MousePointerClick,
  navigation: Navigation,
  request: Globe,
  console: SquareTerminal,
  query: Database,
  error: CircleAlert,
  other: CircleDot,
};
