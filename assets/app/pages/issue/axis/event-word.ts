import type { Level } from "../../../api/schema.d.ts";

/** What an event is called in a line: only one that is an error is called so. */
export const eventWord = (level: Level): "error" | "event" =>
  level === "error" || level === "fatal" ? "error" : "event";
