import { expect, test } from "vitest";
import { EventType, Interaction, type Recorded, Source, tags } from "../../../../client/replay/format.ts";
import { kindsOf } from "./clicks.ts";
import { addEffort, type Effort, effortNotes, effortWords, endEffort } from "./efforts.ts";
import { nothingKnown } from "./sanitize.ts";
import { emptySummary, note } from "./summary.ts";

const effort = (how: Effort["how"], at: number, to?: number, share = 20): Effort => ({ at, to, how, share });

test("each reduction lasts until the next one", () => {
  const efforts: Effort[] = [];
  addEffort(efforts, { how: "usual", share: 0 }, 0);
  addEffort(efforts, { how: "coalesced", share: 20 }, 3_000);
  addEffort(efforts, { how: "pictures", share: 34 }, 5_000);
  addEffort(efforts, { how: "pictures", share: 34 }, 35_000);
  addEffort(efforts, { how: "coalesced", share: 34 }, 65_000);
  addEffort(efforts, { how: "usual", share: 34 }, 95_000);
  addEffort(efforts, { how: "usual", share: 34 }, 99_000);
  const all = [
    effort("coalesced", 3_000, 5_000),
    effort("pictures", 5_000, 65_000, 34),
    effort("coalesced", 65_000, 95_000, 34),
  ];
  expect(efforts).toEqual(all);
  addEffort(efforts, { how: "coalesced", share: 12.4 }, 120_000);
  endEffort(efforts, 130_000);
  expect(efforts).toEqual([...all, effort("coalesced", 120_000, 130_000, 12)]);
});

test("values that our recorder would not send are ignored", () => {
  const efforts: Effort[] = [];
  for (const said of [{}, { how: "odd" }, { how: 3, share: 2 }]) addEffort(efforts, said, 0);
  expect(efforts).toEqual([]);
  addEffort(efforts, { how: "pictures", share: "much" }, 1_000);
  expect(effortWords(efforts[0]!)).toBe(
    "From 0:01 on, single pictures of the page stand for its changes: recording them took too much of its time.",
  );
});

test("a reduction is described with its share, and many are described together", () => {
  expect(effortWords(effort("coalesced", 3_000, 65_000, 14))).toBe(
    "From 0:03 to 1:05, changes of the page are shown up to half a second late: recording them took 14% of its time.",
  );
  const many = [1, 2, 3, 4, 5].map((each) => effort("pictures", each * 60_000, each * 60_000 + 30_000));
  expect(effortNotes(many)).toHaveLength(4);
  expect(effortNotes(many).at(-1)).toBe("2 more times less was recorded, 1 min 0 s in all.");
  expect(effortNotes([])).toEqual([]);
});

test("a click during a reduction is not dead, and the end of the recording ends it", () => {
  const summary = emptySummary(1_000);
  const custom = (timestamp: number, tag: string, payload: object): Recorded => ({
    type: EventType.Custom,
    timestamp,
    data: { tag, payload },
  });
  const click = (timestamp: number): Recorded => ({
    type: EventType.Incremental,
    timestamp,
    data: { source: Source.MouseInteraction, type: Interaction.Click, id: 5, x: 1, y: 2 },
  });
  const events = [
    click(2_000),
    custom(11_000, tags.effort, { how: "pictures", share: 40 }),
    click(15_000),
    custom(41_000, tags.effort, { how: "coalesced", share: 40 }),
    click(45_000),
    custom(61_000, tags.end, { why: "too busy" }),
  ];
  for (const event of events) note(summary, event, nothingKnown());
  expect(kindsOf(summary.clicks, summary.changes, summary.duration)).toEqual(["dead", "plain", "dead"]);
  expect(summary.efforts.map(({ at, to }) => [at, to])).toEqual([
    [10_000, 40_000],
    [40_000, 60_000],
  ]);
  expect(summary.ended).toEqual({ at: 60_000, why: "too busy" });
});
