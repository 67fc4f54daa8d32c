import { exact } from "../ui/format.ts";

/** Why requests are refused; `perHour` is what the server allows, if it said so. */
export const limitedWords = (perHour: number | undefined): string =>
  `You send requests faster than this server allows${perHour === undefined ? "" : ` (${exact(perHour)} an hour)`}.`;
