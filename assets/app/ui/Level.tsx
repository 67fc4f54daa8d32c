import { Bug, CircleAlert, Footprints, Info, OctagonX, TriangleAlert } from "lucide-react";
import type { Level as LevelName, LogLevel as LogLevelName } from "../api/schema.d.ts";
import { Badge } from "./Badge.tsx";

const icons = {
  fatal: OctagonX,
  error: CircleAlert,
  warning: TriangleAlert,
  warn: TriangleAlert,
  info: Info,
  debug: Bug,
  trace: Footprints,
};

/** A severity of an event or a log entry: its shape, its colour, and its word (for screen readers only, when `quiet`). */
export function Level({ level, quiet = false }: { level: LevelName | LogLevelName; quiet?: boolean }) {
  const Icon = icons[level];
  return (
    <Badge Icon={Icon} tone={level} title={quiet ? level : undefined} quiet={quiet}>
      {level}
    </Badge>
  );
}
