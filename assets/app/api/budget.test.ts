import { beforeEach, expect, test } from "vitest";
import { type Budget, burst, makeBudget, refill } from "./budget.ts";

let clock = 0;
const now = () => clock;
beforeEach(() => void (clock = Date.parse("2026-11-21T12:00:00Z")));

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** The number of requests in `milliseconds` if every round costs `cost` and there is always something to fetch. */
function spend(budgets: Budget[], milliseconds: number, cost: number): number {
  let asked = 0;
  for (const end = clock + milliseconds; clock < end; clock += 1_000) {
    for (const budget of budgets) {
      if (budget.wait() > 0) continue;
      budget.take(cost);
      asked += cost;
    }
  }
  return asked;
}

test("the first twenty messages of a quiet project are followed quickly", () => {
  expect(spend([makeBudget(now, memory())], 20_000, 2)).toBe(40);
});

test("an hour of constant messages stays under 300 requests, whatever a round costs", () => {
  for (const cost of [1, 2, 3, 7])
    expect(spend([makeBudget(now, memory())], 3_600_000, cost), `${cost} a round`).toBeLessThan(300);
});

test("tabs share the budget, also with a newly opened tab", () => {
  const store = memory();
  expect(spend([makeBudget(now, store), makeBudget(now, store), makeBudget(now, store)], 3_600_000, 2)).toBeLessThan(
    300,
  );
  expect(makeBudget(now, store).wait()).toBeGreaterThan(0);
});

test("without storage a tab has half the budget", () => {
  expect(spend([makeBudget(now)], 3_600_000, 2)).toBeLessThan(150);
});

test("spent requests are refilled over time, up to the burst", () => {
  const budget = makeBudget(now, memory());
  budget.take(burst);
  expect(budget.wait()).toBe(refill);
  clock += refill;
  expect(budget.wait()).toBe(0);
  clock += 24 * 3_600_000;
  expect(spend([budget], 5_000, burst)).toBe(burst);
});

test("invalid stored values and a clock set back stop nothing for good", () => {
  const store = memory();
  for (const text of ["", "{}", "[1]", '{"left":"x","at":1}', '{"left":null,"at":null}']) {
    store.kept.set("mayday.live-budget", text);
    expect(makeBudget(now, store).wait()).toBe(0);
  }
  store.kept.set("mayday.live-budget", JSON.stringify({ left: -1e9, at: clock }));
  expect(makeBudget(now, store).wait()).toBeLessThanOrEqual(refill * (burst + 1));
});

test("after the clock was set back, time counts from then", () => {
  const budget = makeBudget(now, memory());
  budget.take(burst);
  clock -= 3_600_000;
  expect(budget.wait()).toBe(refill);
  clock += refill;
  expect(budget.wait()).toBe(0);
});
