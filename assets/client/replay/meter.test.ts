import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effort } from "./effort.ts";
import { meter, WINDOW } from "./meter.ts";
import { metered, meteredSource } from "./metered.ts";
import { readFile } from "node:fs/promises";

let clock: number;
const work = (milliseconds: number) => () => {
  clock += milliseconds;
};

beforeEach(() => {
  clock = 100_000;
  vi.stubGlobal("performance", { now: () => clock });
});
afterEach(() => vi.unstubAllGlobals());

test("work is summed up over a sliding window", () => {
  const done = vi.fn();
  const { run, spent, reset } = meter(done);
  run(work(30));
  clock += WINDOW / 2;
  run(work(40));
  expect(spent()).toBe(70);
  clock += WINDOW / 2;
  expect(spent()).toBe(40);
  clock += 100 * WINDOW;
  expect(spent()).toBe(0);
  run(work(5));
  reset();
  expect([spent(), done.mock.calls.length]).toEqual([0, 3]);
});

test("nested work counts once, snapshots do not count, and errors are passed on", () => {
  const { run, aside, spent } = meter(() => {});
  run(() => {
    work(1)();
    run(work(2));
    aside(() => run(work(300)));
    run(work(4));
  });
  expect(spent()).toBe(7);
  aside(() => run(work(300)));
  expect(() =>
    run(() => {
      clock += 10;
      throw new Error("page");
    }),
  ).toThrow("page");
  run(work(1));
  expect(spent()).toBe(18);
});

test("each step is tried for some time", () => {
  const { run, spent, reset } = meter(() => {});
  const efforts = effort({ spent, reset });
  /** Seconds of recording at a fifth of the time until that is too much. */
  const until = (): number => {
    const from = clock;
    while (!efforts.isTooMuch()) {
      run(work(20));
      clock += 80;
    }
    efforts.less();
    return Math.round((clock - from) / 1_000);
  };
  expect([until(), efforts.how(), efforts.share()]).toEqual([3, "coalesced", 20]);
  expect([until(), efforts.how(), efforts.share()]).toEqual([2, "pictures", 20]);
  expect([until(), efforts.how()]).toEqual([10, "over"]);
  run(work(5_000));
  clock += 60_000;
  expect(efforts.isTooMuch()).toBe(false);
});

test("less is recorded while the page is busy, and longer if resuming was too early", () => {
  const { run, spent, reset } = meter(() => {});
  const efforts = effort({ spent, reset });
  /** Seconds until more is recorded again. */
  const calm = (milliseconds: number): number => {
    const from = clock;
    while (!efforts.isCalm() && clock - from < 3_600_000) {
      run(work(milliseconds));
      clock += 1_000;
    }
    return Math.round((clock - from) / 1_000);
  };
  const tooMuch = () => {
    run(work(600));
    clock += 2_000;
    efforts.less();
  };
  tooMuch();
  expect(calm(1)).toBe(30);
  efforts.more();
  const waits = [];
  for (let each = 0; each < 6; each += 1) {
    tooMuch();
    waits.push(calm(1));
    efforts.more();
  }
  expect(waits.map((wait) => Math.round(wait / 10) * 10)).toEqual([60, 120, 240, 480, 960, 960]);
  tooMuch();
  expect(calm(40)).toBeGreaterThanOrEqual(3_600);
  efforts.more();
  clock += 3_600_000;
  tooMuch();
  expect(calm(1)).toBe(30);
});

test("rrweb's calls are measured, and an incompatible rrweb fails the build", async () => {
  const path = new URL("../../node_modules/@rrweb/record/dist/record.js", import.meta.url);
  const source = meteredSource(await readFile(path, "utf8"));
  expect(source.split("errorHandler.around(")).toHaveLength(2);
  expect(() => meteredSource(source)).toThrow("metered.ts");
  const { transform, buildEnd } = metered();
  expect((transform as { filter: { id: RegExp } }).filter.id.test(path.pathname)).toBe(true);
  const error = vi.fn();
  (buildEnd as (this: unknown) => void).call({ error });
  expect(error).toHaveBeenCalledOnce();
});
