import { expect, test } from "vitest";
import { addGap, endGaps, type Gap, gapNotes, gapWords } from "./gaps.ts";

const gap = (at: number, to: number | undefined, first: number, last = first, why: Gap["why"] = "never_arrived") => ({
  at,
  to,
  first,
  last,
  why,
});

test("a gap ends with the next event, and adjacent gaps are merged", () => {
  const gaps: Gap[] = [];
  addGap(gaps, { from_chunk: 3, to_chunk: 3, why: "never_arrived" }, 8_000);
  addGap(gaps, { from_chunk: 4, to_chunk: 5, why: "never_arrived" }, 8_000);
  addGap(gaps, { from_chunk: 6, to_chunk: 6, why: "file_missing" }, 8_000);
  endGaps(gaps, 20_000);
  endGaps(gaps, 30_000);
  expect(gaps).toEqual([gap(8_000, 20_000, 3, 5), gap(8_000, 20_000, 6, 6, "file_missing")]);
  addGap(gaps, { from_chunk: 7, to_chunk: 7, why: "file_missing" }, 40_000);
  // A request is recorded when it ends, and a snapshot a little later.
  endGaps(gaps, 39_000);
  expect(gaps.at(-1)).toEqual(gap(40_000, undefined, 7, 7, "file_missing"));
  endGaps(gaps, 41_000);
  expect(gaps.map(({ to }) => to)).toEqual([20_000, 20_000, 41_000]);
});

test("a gap keeps its reason, and one that is not known is none", () => {
  const gaps: Gap[] = [];
  for (const [part, why] of ["file_damaged", "file_missing", "toString", undefined].entries())
    addGap(gaps, { from_chunk: 2 * part, to_chunk: 2 * part, why }, 8_000);
  expect(gaps.map((each) => each.why)).toEqual(["file_damaged", "file_missing", "never_arrived", "never_arrived"]);
});

test("values that our server would not send are ignored", () => {
  const gaps: Gap[] = [];
  for (const payload of [
    {},
    { from_chunk: "1", to_chunk: 2 },
    { from_chunk: 2, to_chunk: 1 },
    { from_chunk: -1, to_chunk: 1 },
  ])
    addGap(gaps, payload, 0);
  expect(gaps).toEqual([]);
});

test("a gap is described by its segments, its reason and its length", () => {
  expect(gapWords(gap(8_000, 20_000, 3))).toBe("Part 4 never arrived: 12 s are missing at 0:08.");
  expect(gapWords(gap(8_000, 8_400, 3, 5))).toBe("Parts 4 to 6 never arrived: less than 1 s is missing at 0:08.");
  expect(gapWords(gap(8_000, 90_000, 3, 3, "file_missing"))).toBe(
    "Part 4 is no longer on the server’s disk: 1 min 22 s are missing at 0:08.",
  );
  expect(gapWords(gap(8_000, 20_000, 3, 3, "file_damaged"))).toBe(
    "Part 4 is damaged on the server’s disk: 12 s are missing at 0:08.",
  );
  expect(gapWords(gap(8_000, 20_000, 3, 4, "file_damaged"))).toBe(
    "Parts 4 to 5 are damaged on the server’s disk: 12 s are missing at 0:08.",
  );
  expect(gapWords(gap(0, 0, 0))).toBe("Part 1 never arrived: the beginning is missing.");
  expect(gapWords(gap(9_000, undefined, 7, 8, "file_missing"))).toBe(
    "Parts 8 to 9 are no longer on the server’s disk: the end is missing.",
  );
});

test("many gaps are described together", () => {
  const gaps = [1, 3, 5, 7, 9].map((part) => gap(part * 10_000, part * 10_000 + 5_000, part));
  expect(gapNotes(gaps)).toHaveLength(4);
  expect(gapNotes(gaps).at(-1)).toBe("2 more gaps of 10 s in all.");
  const open = { ...gaps[0], to: undefined } as (typeof gaps)[number];
  expect(gapNotes([...gaps, open]).at(-1)).toBe("3 more gaps of 10 s in all, and the end is missing.");
  const incomplete: Gap = { ...open, pieces: [1, 1] };
  expect(gapNotes([...gaps, incomplete]).at(-1)).toBe("3 more gaps of 10 s in all.");
  expect(gapNotes([])).toEqual([]);
});

test("where parts of a part are missing, they are named, and the page is incomplete", () => {
  const gaps: Gap[] = [];
  const say = (chunk: number, from_part: unknown, to_part: unknown, why: string) =>
    addGap(gaps, { from_chunk: chunk, to_chunk: chunk, from_part, to_part, why }, 8_000);
  say(3, 0, 0, "file_missing");
  say(3, 1, 1, "file_missing");
  say(3, 3, 3, "never_arrived");
  addGap(gaps, { from_chunk: 4, to_chunk: 5, why: "never_arrived" }, 8_000);
  say(6, 2, 1, "never_arrived");
  expect(gaps.map(({ first, last, pieces }) => [first, last, pieces])).toEqual([
    [3, 3, [0, 1]],
    [3, 3, [3, 3]],
    [4, 6, undefined],
  ]);
  expect(gaps.slice(0, 2).map(gapWords)).toEqual([
    "Pieces 1 to 2 of part 4 are no longer on the server’s disk: the page is incomplete at 0:08.",
    "Piece 4 of part 4 never arrived: the page is incomplete at 0:08.",
  ]);
});
