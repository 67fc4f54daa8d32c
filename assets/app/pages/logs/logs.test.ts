import { expect, test } from "vitest";
import type { Bucket, LogEntry } from "../../api/schema.d.ts";
import { levelsText, logSearch, toggled } from "./address.ts";
import { attributeFacts, ownFacts } from "./attributes.ts";
import { levelCounts, levelWords, partsOf, timesOf } from "./bars.ts";
import { merged, nextPage, offsetMost, pageSize } from "./pages.ts";
import { piecesOf } from "./pieces.ts";
import { withHint } from "./NoEntries.tsx";
import { boundsOf, filtersOf, typedBounds, typedProblems, widened } from "./range.ts";
import {
  arrive,
  begun,
  caughtUp,
  empty,
  entriesOf,
  greatestId,
  isCutShort,
  kept,
  released,
  writtenAfter,
} from "./tail.ts";
import { canAsk, term, withTerm } from "./terms.ts";
import { isLeft } from "./use-kept-focus.ts";

const entry = (id: number, more: Partial<LogEntry> = {}) =>
  ({ id, timestamp: new Date(Date.UTC(2026, 10, 21, 10) + id * 1_000).toISOString(), ...more }) as LogEntry;

test("an address is read, and unknown parameters are dropped", () => {
  const read = logSearch({
    query: "a b",
    levels: "fatal,nonsense,error",
    range: "7d",
    entry: "12",
    view: "tail",
    context: "2",
  });
  expect(read).toMatchObject({
    query: "a b",
    levels: "error,fatal",
    range: "7d",
    entry: 12,
    view: "tail",
    context: 2,
  });
  expect(logSearch({ range: "24h", entry: "-1", view: "no", from: "never" })).toMatchObject({
    range: "24h",
    entry: undefined,
    view: undefined,
    from: undefined,
  });
  // Times of one's own win.
  expect(logSearch({ range: "1h", from: "2026-11-21T10:00:00+01:00" })).toMatchObject({
    range: undefined,
    from: "2026-11-21T09:00:00.000Z",
  });
});

test("no level and every level are all of them", () => {
  expect(levelsText([])).toBeUndefined();
  expect(levelsText(["fatal", "error", "warn", "info", "debug", "trace"])).toBeUndefined();
  expect(toggled(undefined, "error")).toBe("error");
  expect(toggled("error", "warn")).toBe("warn,error");
  expect(toggled("error", "error")).toBeUndefined();
});

test("a hint replaces the part that matches nothing", () => {
  const hint = { part: "environment:prod", instead: "environment:prod*", found: 4 };
  expect(withHint({ query: "timeout environment:Prod", environment: undefined }, hint)).toEqual({
    query: "timeout environment:prod*",
  });
  // The environment is selected outside of the search text.
  expect(withHint({ query: "timeout", environment: "prod" }, hint)).toEqual({
    environment: undefined,
    query: "timeout environment:prod*",
  });
  expect(withHint({ query: undefined, environment: "prod" }, hint)).toEqual({
    environment: undefined,
    query: "environment:prod*",
  });
});

test("a range ends now, or where the address says", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const at = (hour: number) => Date.UTC(2026, 10, 21, hour);
  const none = { range: undefined, from: undefined, to: undefined };
  expect(boundsOf(none, now)).toEqual({ start: now - 86_400_000, end: now });
  expect(boundsOf({ ...none, range: "15m" }, now).start).toBe(now - 900_000);
  expect(boundsOf({ ...none, from: "2026-11-21T09:00:00Z", to: "2026-11-21T10:00:00Z" }, now)).toEqual({
    start: at(9),
    end: at(10),
  });
  expect(boundsOf({ ...none, from: "2026-11-21T10:00:00Z", to: "2026-11-21T09:00:00Z" }, now)).toEqual({
    start: at(9),
    end: at(10),
  });
  expect(boundsOf({ ...none, to: "2026-11-21T09:00:00Z" }, now)).toEqual({ start: at(9) - 86_400_000, end: at(9) });
  expect(filtersOf({ query: "x", levels: undefined }, { start: at(9), end: at(10) })).toEqual({
    search: "x",
    start_time: "2026-11-21T09:00:00.000Z",
    end_time: "2026-11-21T10:00:00.000Z",
  });
  expect(filtersOf({ query: "a OR b", levels: "warn", environment: "a b" })).toEqual({
    search: "a OR b",
    environment: "a b",
    levels: "warn",
  });
  expect(filtersOf({ query: undefined, levels: undefined, environment: "qa" })).toEqual({ environment: "qa" });
  // Out again, but not into the future.
  expect(widened({ start: at(9), end: at(10) }, now)).toEqual({ start: at(8), end: at(11) });
  expect(widened({ start: at(10), end: at(12) }, now)).toEqual({ start: at(6), end: at(12) });
});

test("a typed range runs to the end of its last second, and says what is wrong with it", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const good = { from: "2026-11-21T10:00:00Z", to: "2026-11-21T11:00:00Z" };
  expect(typedProblems(good, now)).toEqual({});
  expect(typedBounds(good, now)).toEqual({ start: now - 7_200_000, end: now - 3_600_000 + 999 });
  const turned = { from: good.to, to: good.from };
  expect(typedProblems(turned, now)).toEqual({ to: "Must be after “From”" });
  expect(typedBounds(turned, now)).toBeUndefined();
  expect(Object.keys(typedProblems({ from: "when?", to: "" }, now))).toEqual(["from", "to"]);
  expect(typedBounds({ from: "when?", to: good.to }, now)).toBeUndefined();
});

test("a value is quoted where it needs it", () => {
  expect(term("logger", "shop.db")).toBe("logger:shop.db");
  expect(term("logger", "shop db")).toBe('logger:"shop db"');
  expect(term("attributes.q", 'say "hi"')).toBe('attributes.q:"say \\"hi\\""');
  expect(term("file", "a,b")).toBe('file:"a,b"');
  expect(term("function", "run()")).toBe('function:"run()"');
  expect(term("file", "C:\\my files\\")).toBe('file:"C:\\\\my files\\\\"');
  expect(canAsk("attributes.order_id")).toBe(true);
  for (const field of ["attributes.", `attributes.${"x".repeat(201)}`]) expect(canAsk(field)).toBe(false);
  expect(term("attributes.a\\", "7")).toBe('"attributes.a\\\\":7');
  expect(term("attributes.order id", "a b")).toBe('"attributes.order id":"a b"');
  expect(term('attributes.a:"b"', "7")).toBe('"attributes.a:\\"b\\"":7');
});

test("a condition is added once, and replaces its opposite", () => {
  expect(withTerm(undefined, "level:error", "only")).toBe("level:error");
  expect(withTerm("disk full", "level:error", "not")).toBe("disk full -level:error");
  expect(withTerm("disk -level:error full", "level:error", "only")).toBe("disk full level:error");
  expect(withTerm("a logger:db", "logger:db", "only")).toBe("a logger:db");
  expect(withTerm("logger:db2", "logger:db", "only")).toBe("logger:db2 logger:db");
  // Inside of quotes it is text.
  expect(withTerm('"a logger:db b"', "logger:db", "not")).toBe('"a logger:db b" -logger:db');
});

test("hits are marked by code units, and a long message is cut around the first of them", () => {
  expect(piecesOf("disk 😀 full", [[8, 12]], 100)).toEqual([
    { text: "disk 😀 ", hit: false },
    { text: "full", hit: true },
  ]);
  expect(piecesOf("a\n b\u202e", [[0, 1]], 100)).toEqual([
    { text: "a", hit: true },
    { text: " b[U+202E]", hit: false },
  ]);
  const long = `${"x".repeat(500)}needle${"y".repeat(500)}`;
  const cut = piecesOf(long, [[500, 506]], 200);
  expect(cut.map(({ text }) => text).join("")).toBe(`…${"x".repeat(60)}needle${"y".repeat(134)}…`);
  expect(cut.filter(({ hit }) => hit)).toEqual([{ text: "needle", hit: true }]);
  expect(
    piecesOf(
      "ab",
      [
        [0, 1],
        [1, 2],
        [5, 9],
      ],
      10,
    ),
  ).toEqual([
    { text: "a", hit: true },
    { text: "b", hit: true },
  ]);
  // The halves of a character stay together.
  expect(piecesOf("😀😀😀", [], 3).map(({ text }) => text)).toEqual(["😀", "…"]);
});

test("an entry's fields are those it is found by", () => {
  const attributes = { order: { id: 12, open: true }, tags: ["b", "a"], none: null, empty: {}, text: "" };
  expect(attributeFacts(attributes).map(({ name, field, value }) => [name, field, value])).toEqual([
    ["empty", undefined, "{}"],
    ["none", undefined, "null"],
    ["order.id", "attributes.order.id", "12"],
    ["order.open", "attributes.order.open", "true"],
    ["tags", "attributes.tags", "b"],
    ["tags", "attributes.tags", "a"],
    ["text", undefined, '""'],
  ]);
  const own = ownFacts({
    level: "warn",
    logger_name: "db",
    line_number: 7,
    user_id: null,
    environment: "production",
  } as LogEntry);
  expect(own.filter(({ value }) => value !== undefined).map(({ name, field }) => [name, field])).toEqual(
    expect.arrayContaining([
      ["level", "level"],
      ["logger", "logger"],
      ["environment", "environment"],
      ["line", undefined],
    ]),
  );
});

test("pages continue by offset, and then by time", () => {
  const logs = [entry(2), entry(1)];
  expect(nextPage({ logs, has_more: false }, { offset: 0 })).toBeUndefined();
  expect(nextPage({ logs, has_more: true }, { offset: 0 })).toEqual({ offset: 2 });
  expect(nextPage({ logs, has_more: true }, { offset: offsetMost })).toEqual({ offset: 0, end: entry(1).timestamp });
  const later = { offset: pageSize, end: "2026-11-21T09:00:00.000Z" };
  expect(nextPage({ logs, has_more: true }, later)).toEqual({ ...later, offset: pageSize + 2 });
  expect(merged([{ logs }, { logs: [entry(1), entry(0)] }]).map(({ id }) => id)).toEqual([2, 1, 0]);
});

test("levels are stacked, and few of many are seen", () => {
  const bucket: Bucket = { time: "2026-11-21T10:00:00Z", total: 1_001, levels: { info: 1_000, fatal: 1 } };
  const parts = partsOf(bucket, 1_001, 100);
  expect(parts.map(({ level }) => level)).toEqual(["fatal", "info"]);
  expect(parts[0]?.height).toBeGreaterThan(1.5);
  expect(parts.at(-1)?.y).toBeCloseTo(0);
  expect(levelWords(bucket)).toBe("1 fatal, 1,000 info");
});

test("bars cover times within the requested range", () => {
  const time = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();
  const buckets = [0, 1, 2].map((minute) => ({ time: time(minute), total: 0, levels: {} }));
  const bounds = { start: Date.parse(time(0)) + 30_000, end: Date.parse(time(2)) + 10_000 };
  expect(timesOf(buckets, 60, bounds, 2, 0)).toEqual(bounds);
  expect(timesOf(buckets, 60, bounds, 1, 1)).toEqual({ start: Date.parse(time(1)), end: Date.parse(time(2)) - 1 });
  expect(timesOf(buckets, 60, bounds, 3, 5)).toBeUndefined();
});

test("the tail keeps the newest entries, and nothing moves while it is paused", () => {
  const message = (...ids: number[]) => ({ logs: ids.map((id) => entry(id)), skipped: 1 });
  const ids = (entries: LogEntry[]) => entries.map(({ id }) => id);
  const first = arrive(empty, [message(1, 2), message(3)], false);
  expect(ids(first.shown)).toEqual([3, 2, 1]);
  expect(first).toMatchObject({ skipped: 2, total: 3, late: 0 });
  const held = arrive(first, [message(4, 5)], true);
  expect(ids(held.shown)).toEqual([3, 2, 1]);
  expect(held.late).toBe(2);
  expect(ids(released(held).shown)).toEqual([5, 4, 3, 2, 1]);
  expect(ids(arrive(held, [message(6)], false).shown)).toEqual([6, 5, 4, 3, 2, 1]);
  const many = Array.from({ length: kept + 5 }, (_, id) => id);
  const flood = arrive(empty, [message(...many)], true);
  expect(flood.waiting.length).toBe(kept);
  expect(flood.late).toBe(kept + 5);
  expect(released(flood).shown[0]?.id).toBe(kept + 4);
});

test("entries that arrive together stand in order of time, however they were sent", () => {
  const at = (id: number, fraction: string) => entry(id, { timestamp: `2026-11-21T10:00:00.${fraction}Z` });
  const sent = [at(5, "000002"), at(6, "000001"), at(7, "000"), at(8, "000001")];
  const tail = arrive(
    empty,
    [
      { logs: sent, skipped: 0 },
      { logs: [at(9, "000")], skipped: 0 },
    ],
    false,
  );
  expect(tail.shown.map(({ id }) => id)).toEqual([9, 5, 8, 6, 7]);
  expect(tail.first).toBe(5);
});

test("entries are counted by level over all bars", () => {
  const bucket = (error: number, info: number) => ({ time: "", total: error + info, levels: { error, info } });
  const counts = levelCounts([bucket(2, 5), bucket(1, 0)]);
  expect([counts.get("error"), counts.get("info"), counts.get("debug")]).toEqual([3, 5, 0]);
});

const idsIn = (entries: LogEntry[]) => entries.map(({ id }) => id);
const stream = (...ids: number[]) => [{ logs: ids.map((id) => entry(id)), skipped: 0 }];

test("the tail begins with the last entries, without repetitions", () => {
  const come = arrive(empty, stream(5), false);
  const tail = begun(come, [entry(5), entry(4), entry(2)], false);
  expect(idsIn(tail.shown)).toEqual([5, 4, 2]);
  expect(tail.total).toBe(1);
  const next = arrive(tail, stream(6), false);
  expect(idsIn(next.shown)).toEqual([6, 5, 4, 2]);
  expect(next.total).toBe(2);
  // Entries that a search finds only later are inserted between the two, once.
  const found = begun(next, [entry(6), entry(5), entry(3), entry(4), entry(2)], false);
  expect(idsIn(found.shown)).toEqual([6, 5, 3, 4, 2]);
  expect(begun(found, [entry(3), entry(4)], false)).toBe(found);
  const held = begun(next, [entry(3)], true);
  expect([idsIn(held.shown), held.late]).toEqual([[6, 5, 4, 2], 1]);
  expect(idsIn(released(arrive(held, stream(7), true)).shown)).toEqual([7, 6, 5, 3, 4, 2]);
});

test("an entry that a search finds before the stream brings it is shown once, in its place, and waits while paused", () => {
  const tail = begun(arrive(begun(empty, [entry(1)], false), stream(2), false), [entry(3), entry(2), entry(1)], true);
  expect([idsIn(tail.shown), tail.late]).toEqual([[2, 1], 0]);
  const paused = arrive(tail, stream(3), true);
  expect([idsIn(paused.shown), paused.late, paused.total]).toEqual([[2, 1], 1, 2]);
  expect(idsIn(released(paused).shown)).toEqual([3, 2, 1]);

  // As long as the stream has brought nothing, nobody knows whether it will bring what a search finds.
  const early = begun(empty, [entry(4), entry(3)], false);
  const brought = arrive(early, stream(2, 3, 4, 5), false);
  expect([idsIn(brought.shown), brought.total]).toEqual([[5, 4, 3, 2], 4]);
  const stays = arrive(early, stream(2, 3, 4, 5), true);
  expect([idsIn(stays.shown), idsIn(stays.waiting), stays.late, stays.total]).toEqual([[4, 3], [5, 2], 2, 4]);
  const waits = begun(begun(empty, [entry(1)], true), [entry(2), entry(1)], true);
  expect([idsIn(waits.shown), waits.late, waits.total]).toEqual([[1], 1, 0]);
  const counted = arrive(waits, stream(2, 3), true);
  expect([idsIn(counted.shown), idsIn(counted.waiting), counted.late, counted.total]).toEqual([[1], [3, 2], 2, 2]);
});

test("what the tail missed while it had no connection stands between what came before and after", () => {
  const before = arrive(begun(empty, [entry(1)], false), stream(2, 3), false);
  expect(greatestId(before)).toBe(3);
  const after = arrive(before, stream(7, 8), false);
  const found = [8, 7, 6, 5, 4, 3, 2, 1].map((id) => entry(id));
  const whole = caughtUp(after, 3, found, false);
  expect([idsIn(whole.shown), whole.late, whole.total]).toEqual([[8, 7, 6, 5, 4, 3, 2, 1], 0, 7]);
  // Once only, also if the stream brings it in the end.
  expect(caughtUp(whole, 3, found, false)).toBe(whole);
  expect(idsIn(arrive(whole, stream(6, 9), false).shown)).toEqual([9, 6, 8, 7, 5, 4, 3, 2, 1]);

  const held = caughtUp(after, 3, found, true);
  expect([idsIn(held.shown), held.late, held.total]).toEqual([[8, 7, 3, 2, 1], 3, 7]);
  expect(idsIn(entriesOf(held)).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const waits = arrive(held, stream(6, 9), true);
  expect([idsIn(waits.shown), waits.late, greatestId(waits)]).toEqual([[8, 7, 3, 2, 1], 4, 9]);
  expect(idsIn(released(waits).shown)).toEqual([9, 6, 8, 7, 5, 4, 3, 2, 1]);

  // Nothing was there before, or nobody knows yet what was.
  expect([greatestId(begun(empty, [], false)), greatestId(empty)]).toEqual([0, undefined]);
  expect(idsIn(caughtUp(begun(empty, [], false), 0, [entry(2), entry(1)], false).shown)).toEqual([2, 1]);
});

test("a page is cut short that does not reach back to when the connection was lost, whatever the ids in it are", () => {
  const lost = Date.parse(entry(4).timestamp);
  expect(isCutShort({ logs: [entry(9), entry(5)], has_more: true }, lost)).toBe(true);
  expect(isCutShort({ logs: [entry(9), entry(4)], has_more: true }, lost)).toBe(false);
  expect(isCutShort({ logs: [entry(9), entry(5)], has_more: false }, lost)).toBe(false);
  expect(isCutShort({ logs: [], has_more: false }, lost)).toBe(false);
  // It ends with one that came before the loss and names a later time: of what came after it, nothing is known.
  const early = entry(3, { timestamp: entry(8).timestamp });
  expect(isCutShort({ logs: [entry(9), early], has_more: true }, lost)).toBe(true);
  // It ends with one that came after the loss and was sent late: everything since the loss is in it.
  const late = entry(7, { timestamp: entry(1).timestamp });
  expect(isCutShort({ logs: [entry(9), late], has_more: true }, lost)).toBe(false);
});

test("since when entries may be missing is not told by one that was sent late, nor by a clock that is ahead", () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, seconds)).toISOString();
  const after = (timestamp: string, received_at: string) =>
    new Date(writtenAfter({ timestamp, received_at })).toISOString();
  expect(after(at(27), at(30))).toBe(at(27));
  expect(after(at(-3_600), at(30))).toBe(at(20));
  expect(after(at(3_600), at(30))).toBe(at(30));
});

test("a context or the tail is left where the results follow, not where one follows the other", () => {
  const [results, tail, context] = [logSearch({}), logSearch({ view: "tail" }), logSearch({ context: 7 })];
  expect(isLeft(context, { context: undefined })).toBe(true);
  expect(isLeft(context, { query: "level:error" })).toBe(true);
  expect(isLeft(tail, { view: undefined, range: "7d" })).toBe(true);
  expect(isLeft(context, { context: undefined, view: "tail" })).toBe(false);
  expect(isLeft({ ...tail, context: 7 }, { context: undefined })).toBe(false);
  expect(isLeft(context, { entry: 7 })).toBe(false);
  expect(isLeft(tail, { levels: "error" })).toBe(false);
  expect(isLeft(results, { view: "templates" })).toBe(false);
  expect(isLeft(results, { view: "tail" })).toBe(false);
});
