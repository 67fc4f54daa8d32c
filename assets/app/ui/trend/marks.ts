// Deploys on a chart: where they stand among its bars.

import type { Deploy } from "../../api/schema.d.ts";
import type { Bar } from "./bars.ts";

export interface Mark {
  deploy: Deploy;
  /** The bar within whose time it was. */
  bar: number;
  /** Where it stands, in bars from the left. */
  at: number;
}

/** The deploys within the time of the bars, the first first. */
export function marksOf(deploys: Deploy[], bars: Bar[]): Mark[] {
  const marks = deploys.flatMap((deploy): Mark[] => {
    const time = Date.parse(deploy.finished_at);
    const bar = bars.findIndex(({ start, end }) => start <= time && time < end);
    const within = bars[bar];
    return within ? [{ deploy, bar, at: bar + (time - within.start) / (within.end - within.start) }] : [];
  });
  return marks.sort((a, b) => a.at - b.at);
}

/** `1.4.2 deployed to production`, for each mark of a bar. */
export const markWords = (marks: Mark[], bar: number): string =>
  marks
    .filter((mark) => mark.bar === bar)
    .map(({ deploy }) => `${deploy.version} deployed to ${deploy.environment}`)
    .join(", ");
