import type { Level } from "../../../api/schema.d.ts";

/** The word for an event: `error` only if its level says so. */
export const eventWord = (level: Level): "error" | "event" =>
  level === "error" || level === "fatal" ? "error" : "event";
