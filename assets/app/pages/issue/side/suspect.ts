import type { Rise } from "../../../api/schema.d.ts";

export const riseWords: Record<Rise, string> = {
  first_seen: "the first event",
  regressed: "the issue regressed",
  escalating: "the issue began to escalate",
};

const units: [size: number, unit: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
];

/** `12 min before`, `as`, `4 min after`: the time from a release to the rise of an issue. */
export function between(out: string, rose: string): string {
  const passed = Date.parse(rose) - Date.parse(out);
  const far = Math.abs(passed);
  const found = units.find(([size]) => far >= size);
  if (!found) return "just before";
  return `${Math.floor(far / found[0])} ${found[1]} ${passed < 0 ? "after" : "before"}`;
}
