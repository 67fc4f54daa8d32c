// A row of the list of issues: what stands where, and at which size.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { onPage, pictures } from "./web.mjs";

let server;
let project;

const issuesApi = /\/api\/v1\/projects\/\d+\/issues\?/;
const list = () => `/projects/${project.id}/issues`;
const rows = (page) => page.locator("[data-issue]");
const long = `${"a title that does not end ".repeat(12)}.`;

/** What the server would have to watch for a week to say. */
const states = [
  { substatus: "ongoing", priority: "medium", title: "calm" },
  { substatus: "new", priority: "high" },
  { substatus: "regressed", priority: "low" },
  { substatus: "escalating", priority: "high", title: long, event_count: 1_234_567, user_count: 9_876_543 },
  { substatus: null, status: "resolved", priority: "medium" },
  { substatus: null, status: "ignored", priority: "medium", title: long },
];
const words = states.map(({ status, substatus }) => status ?? substatus);

/** The answer of the server, with fields of its issues replaced, in their order. */
const answered = (fields) => (page) =>
  page.route(issuesApi, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const [index, issue] of json.issues.entries()) Object.assign(issue, fields[index]);
    await route.fulfill({ response, json });
  });

const boxOf = (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());

before(async () => {
  server = await sharedServer();
  project = await server.project("Rows");
  await fill(project, states.length);
});

test("what sets an issue apart stands beside its title, in a word; that it is ongoing goes without saying", async () => {
  await onPage(server, list(), { routes: answered(states) }, async (page) => {
    await rows(page).nth(states.length - 1).waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /ongoing/);
    assert.equal(await page.getByRole("columnheader", { name: "State" }).count(), 0);
    for (const [index, word] of words.entries()) {
      const row = rows(page).nth(index);
      const label = row.getByText(word, { exact: true });
      if (word === "ongoing") {
        assert.equal(await label.count(), 0);
        continue;
      }
      const [title, mark, trend] = [await boxOf(row.getByRole("link")), await boxOf(label), await boxOf(row.getByRole("img", { name: /in the last 24 hours/ }))];
      assert.ok(mark.left >= title.right && mark.right <= trend.left, `${word} is between the title and the chart`);
      assert.ok(mark.top < title.bottom && mark.bottom > title.top, `${word} is on the line of the title`);
      assert.equal(await label.evaluate((each) => each.previousElementSibling?.tagName), "svg", "with an icon");
    }
  });
});

test("a priority has a shape and a name, and the usual one is the quietest", async () => {
  await onPage(server, list(), { routes: answered(states) }, async (page) => {
    await rows(page).nth(states.length - 1).waitFor();
    const marks = rows(page).getByRole("img", { name: /priority$/ });
    assert.deepEqual(
      await marks.evaluateAll((all) => all.map((mark) => [mark.getAttribute("aria-label"), mark.title])),
      states.map(({ priority }) => `${priority[0].toUpperCase()}${priority.slice(1)} priority`).map((name) => [name, name]),
    );
    const seen = await marks.evaluateAll((all) => all.map((mark) => [mark.dataset.priority, mark.innerHTML, getComputedStyle(mark).color]));
    const of = (wanted) => seen.find(([priority]) => priority === wanted);
    assert.equal(new Set(seen.map(([, shape]) => shape)).size, 3, "three shapes");
    assert.notEqual(of("medium")[2], of("high")[2]);
  });
});

test("titles have the room that figures leave, and text can be read", async () => {
  await onPage(server, list(), { routes: answered(states) }, async (page) => {
    await rows(page).nth(states.length - 1).waitFor();
    const row = await boxOf(rows(page).nth(3));
    const title = await boxOf(rows(page).nth(3).locator('[role="cell"]').nth(1));
    assert.ok(title.width > 0.5 * row.width, `${title.width} of ${row.width} px for the title`);
    const sizes = await rows(page).first().evaluate((element) =>
      [...element.querySelectorAll("*")]
        .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
        .filter((each) => each.checkVisibility() && !each.closest("svg, .unseen"))
        .map((each) => Number.parseFloat(getComputedStyle(each).fontSize)),
    );
    assert.ok(Math.min(...sizes) >= 13 && Math.max(...sizes) <= 14, `${sizes}`);
  });
});

test("on a phone nothing of a row lies over another part of it, whatever the lengths", async () => {
  await onPage(server, list(), { width: 390, routes: answered(states) }, async (page) => {
    await rows(page).nth(states.length - 1).waitFor();
    const over = await rows(page).evaluateAll((all) =>
      all.flatMap((row) => {
        const parts = [...row.querySelectorAll("*")]
          .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""))
          .filter((each) => each.checkVisibility() && !each.closest("svg, .unseen"));
        const boxes = parts.map((part) => ({ text: part.textContent.slice(0, 40), ...part.getBoundingClientRect().toJSON() }));
        const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const frame = row.getBoundingClientRect();
        const out = boxes.filter((box) => box.right > frame.right + 1 || box.bottom > frame.bottom + 1).map(({ text }) => `out: ${text}`);
        const pairs = boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => meet(a, b)).map((b) => `${a.text} / ${b.text}`));
        return [...out, ...pairs];
      }),
    );
    assert.deepEqual(over, []);
    for (const word of words.slice(1)) assert.equal(await page.getByText(word, { exact: true }).filter({ visible: true }).count() > 0, true, word);
  });
});

test("on a phone all that can be done with selected issues is within the screen, with room for a finger", async () => {
  await onPage(server, list(), { width: 390, routes: answered(states) }, async (page) => {
    const first = rows(page).first();
    await first.waitFor();
    const before = await boxOf(first);
    await first.getByRole("checkbox").check();
    const status = page.getByText("1 issue selected", { exact: true });
    await status.waitFor();
    const names = ["Resolve", "Ignore", "Reopen", "Assign", "Priority", /^Select all \d+ issues$/, "Clear"];
    for (const name of names) {
      const { x, width, height } = await boxOf(page.getByRole("button", { name, exact: true }));
      assert.ok(x >= 0 && x + width <= 390, `${name} from ${x} to ${x + width} px`);
      assert.ok(width >= 24 && height >= 24, `${name} is ${width} × ${height} px`);
    }
    assert.ok(await status.evaluate((each) => each.scrollWidth <= each.clientWidth), "how many is not cut");
    assert.equal((await boxOf(first)).y, before.y, "the list stays where it was");
    await pictures(page, "issues-selected");
    await page.getByRole("button", { name: "Priority", exact: true }).click();
    await page.getByRole("menuitem", { name: "High" }).waitFor();
  });
});

test("charts share a scale: the same count is as tall in every row, and one event is seen beside a thousand", async () => {
  const hours = (...counts) => ({ trend: [...Array.from({ length: 24 - counts.length }, () => 0), ...counts] });
  const trends = [hours(1), hours(1, 1_000), hours(10), hours(1, 10, 100), hours(0), hours(1_000)];
  await onPage(server, list(), { routes: answered(trends) }, async (page) => {
    // Charts are drawn once the rows are on the screen. All bars of a colour are one shape.
    await rows(page).nth(trends.length - 1).locator("svg[role=img] path").first().waitFor({ state: "attached" });
    const bars = await rows(page).evaluateAll((all) =>
      all.map((row) => {
        const tall = [];
        for (const path of row.querySelectorAll("svg[role=img] path")) {
          for (const [, place, height] of path.getAttribute("d").matchAll(/M(\d+) \d+v-?([\d.]+)/g)) tall[place / 4] = Number(height);
        }
        return tall;
      }),
    );
    const [one, , ten, steps, none, thousand] = bars.map((row) => row.slice(-3));
    assert.equal(bars[1].at(-2), one.at(-1), "one event");
    assert.equal(steps[1], ten.at(-1), "ten events");
    assert.ok(none.at(-1) < one.at(-1) && one.at(-1) < ten.at(-1) && ten.at(-1) < steps[2] && steps[2] < thousand.at(-1), `${bars}`);
    await rows(page).nth(3).getByRole("img", { name: "111 events in the last 24 hours, 100 in the busiest hour" }).waitFor();
    assert.equal(await rows(page).nth(3).locator("svg title").textContent(), "111 events in the last 24 hours, 100 in the busiest hour");
  });
});
