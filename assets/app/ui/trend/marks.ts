// Places deploys and turns of an issue among the bars of a chart.

import type { Deploy } from "../../api/schema.d.ts";
import type { Bar } from "./bars.ts";

/** When something began, or came back: `first seen`, `regressed`. */
export interface Turn {
  words: string;
  /** In milliseconds. */
  time: number;
  /** Nothing could happen before that. */
  isFirst?: boolean;
}

interface Place {
  /** The bar that includes its time. */
  bar: number;
  /** Its position, in bars from the left. */
  at: number;
}

export type Mark = Place & { deploy: Deploy };
export type TurnMark = Place & { turn: Turn };

function placeOf(time: number, bars: Bar[]): Place | undefined {
  const bar = bars.findIndex(({ start, end }) => start <= time && time < end);
  const within = bars[bar];
  return within && { bar, at: bar + (time - within.start) / (within.end - within.start) };
}

/** The deploys within the time of the bars, in chronological order. */
export function marksOf(deploys: Deploy[], bars: Bar[]): Mark[] {
  const marks = deploys.flatMap((deploy): Mark[] => {
    const place = placeOf(Date.parse(deploy.finished_at), bars);
    return place ? [{ deploy, ...place }] : [];
  });
  return marks.sort((a, b) => a.at - b.at);
}

/** The turns within the time of the bars, in chronological order. */
export function turnsOf(turns: readonly Turn[], bars: Bar[]): TurnMark[] {
  const marks = turns.flatMap((turn): TurnMark[] => {
    const place = placeOf(turn.time, bars);
    return place ? [{ turn, ...place }] : [];
  });
  return marks.sort((a, b) => a.at - b.at);
}

/** The turn before which nothing can have happened, if it is within the bars. */
export const beginningOf = (turns: readonly TurnMark[]): TurnMark | undefined =>
  turns.find(({ turn }) => turn.isFirst === true);

/** `1.4.2 deployed to production, regressed`: the events within a bar. */
export const markWords = (marks: readonly (Mark | TurnMark)[], bar: number): string =>
  marks
    .filter((mark) => mark.bar === bar)
    .map((mark) => ("turn" in mark ? mark.turn.words : `${mark.deploy.version} deployed to ${mark.deploy.environment}`))
    .join(", ");
