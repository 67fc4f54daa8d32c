import { expect, test } from "vitest";
import type { Deploy } from "../../api/schema.d.ts";
import { bars } from "./bars.ts";
import { beginningOf, marksOf, markWords, turnsOf } from "./marks.ts";

const hour = 3_600_000;

const deploy = (version: string, at: number): Deploy => ({
  id: at,
  release_id: 1,
  version,
  environment: "production",
  name: null,
  url: null,
  started_at: null,
  finished_at: new Date(at).toISOString(),
  created_at: new Date(at).toISOString(),
});

test("a deploy is placed at its time, and left out outside the chart", () => {
  const drawn = bars(hour, [1, 2], "hour");
  const all = [deploy("3", 3 * hour), deploy("2", 2.5 * hour), deploy("1", hour), deploy("0", hour - 1)];
  const marks = marksOf(all, drawn);
  expect(marks.map(({ deploy, bar, at }) => [deploy.version, bar, at])).toEqual([
    ["1", 0, 0],
    ["2", 1, 1.5],
  ]);
  expect(markWords(marks, 1)).toBe("2 deployed to production");
  expect(markWords(marks, 7)).toBe("");
  expect(marksOf(all, [])).toEqual([]);
});

test("turns of an issue are placed at their time, with the deploys of their bar", () => {
  const drawn = bars(hour, [1, 2], "hour");
  const turns = turnsOf(
    [
      { words: "regressed", time: 2.25 * hour },
      { words: "first seen", time: hour },
      { words: "regressed", time: 9 * hour },
    ],
    drawn,
  );
  expect(turns.map(({ turn, bar, at }) => [turn.words, bar, at])).toEqual([
    ["first seen", 0, 0],
    ["regressed", 1, 1.25],
  ]);
  const deploys = marksOf([deploy("2", 2.5 * hour)], drawn);
  expect(markWords([...deploys, ...turns], 1)).toBe("2 deployed to production, regressed");
});

test("what is before an issue's first event is no quiet time, if that is within the chart", () => {
  const drawn = bars(hour, [0, 2], "hour");
  const first = (time: number) => turnsOf([{ words: "first seen", time, isFirst: true }], drawn);
  expect(beginningOf(first(2.5 * hour))).toMatchObject({ bar: 1, at: 1.5 });
  expect(beginningOf(first(hour - 1))).toBeUndefined();
  expect(beginningOf(turnsOf([{ words: "regressed", time: 2 * hour }], drawn))).toBeUndefined();
});
