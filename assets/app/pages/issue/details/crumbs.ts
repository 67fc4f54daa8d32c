import { isBranch } from "../../../api/exact-json.ts";
import type { Crumb } from "../../../api/schema.d.ts";
import { crumbWords } from "./crumb-words.ts";

/** The time before (or after) the error, such as `−3.2 s`; `undefined` if either time is unknown. */
export function distance(at: string | null, error: string): string | undefined {
  const ms = at === null ? Number.NaN : Date.parse(at) - Date.parse(error);
  return Number.isFinite(ms) ? apart(ms) : undefined;
}

/** Milliseconds before or after something, with their sign and a unit; less than half of one has no sign. */
export function apart(ms: number): string {
  const size = Math.abs(ms);
  const sign = size < 0.5 ? "" : ms > 0 ? "+" : "−";
  return `${sign}${lasting(size)}`;
}

/** A number of milliseconds, with a unit. */
export function lasting(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
}

/** The place of an event among its breadcrumbs, by how long after it they were: before the first that is later. */
export function placeAmong(times: readonly number[]): number {
  const later = times.findIndex((at) => at > 0);
  return later < 0 ? times.length : later;
}

/** Whether any part of a breadcrumb, or its description, contains the words. */
export function crumbFits(crumb: Crumb, sought: string, page: string | null = null): boolean {
  const words = sought.trim().toLowerCase();
  if (words === "") return true;
  const parts = [
    crumb.category,
    crumb.type,
    crumb.level,
    crumb.message,
    crumbWords(crumb, page).text,
    crumb.data == null ? "" : JSON.stringify(crumb.data),
  ];
  return parts.some((part) => part?.toLowerCase().includes(words));
}

/** The data, if it is not empty: an object with entries, or any other value. */
export function crumbData(crumb: Crumb): object | undefined {
  const data: unknown = crumb.data;
  if (data === null || data === undefined) return undefined;
  if (!isBranch(data)) return { data };
  return Object.keys(data).length > 0 ? data : undefined;
}
