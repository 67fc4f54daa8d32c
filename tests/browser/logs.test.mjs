// The log explorer as a person works with it, and the logs of an issue.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { pressed, watchFrames } from "./frames.mjs";
import { term } from "../../assets/app/pages/logs/terms.ts";
import { entryOf, fillLogs, hasLogs, sendLogs } from "./log-seed.mjs";
import { sharedServer, until } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { assertWhole, eventually, holds, newContext, onPage, openPage, pictures } from "./web.mjs";
import { execFileSync } from "../limited.mjs";

/** Entries of the project that most tests look at, and how far apart they are, in milliseconds. */
const count = 450;
const apart = 60_000;
const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
/** The entry with what is rare. */
const odd = 12;

let server;
let project;
let logs;

const button = (page, name) => page.getByRole("button", { name, exact: true });
const rows = (page) => page.locator("main [data-entry]");
const params = (page) => new URL(page.url()).searchParams;
const total = (page, words) => page.getByRole("status").filter({ hasText: words }).waitFor();

before(async () => {
  server = await sharedServer();
  project = await server.project("Logs");
  logs = `/projects/${project.id}/logs`;
  const rare = {
    message: `<img src=x onerror="alert(1)"> \u202eneedle ${"and more words ".repeat(20)}`,
    level: "warn",
    logger_name: "shop db",
    trace_id: trace,
  };
  await fillLogs(project, count, (index) => ({ apart, ...(index === odd ? rare : {}) }));
});

const search = async (page, query) => {
  await page.keyboard.press("/");
  await page.getByRole("textbox", { name: "Search logs" }).fill(query);
  await page.keyboard.press("Enter");
};

test("the first entry is sent as the empty page says, and the page turns by itself", async () => {
  const fresh = await server.project("Fresh");
  await onPage(server, `/projects/${fresh.id}/logs`, {}, async (page) => {
    await page.getByRole("heading", { name: "No logs yet" }).waitFor();
    await pictures(page, "logs-empty");
    const snippet = await page.getByRole("group", { name: "First log entry" }).innerText();
    const command = snippet.replace("pk_…", fresh.key).replace(/http:\/\/[^/]+/, server.origin);
    const answer = execFileSync("bash", ["-c", command], { encoding: "utf8" });
    assert.match(answer, /accepted/, answer);
    await rows(page).filter({ hasText: "Order 1234 was paid" }).waitFor();
  });
});

test("the condition that a click makes of any value finds what has it, and nothing else", async () => {
  const odd = await server.project("Odd values");
  // A sequence that is the same in every run: a failure is found again.
  let state = 20_261_125;
  const below = (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const pieces = ["a", "B7", " ", "\\", '"', "|", "*", ":", "(", ")", ",", "-", "OR", "NOT ", "'", "/", "\u0085", "é", "한글", "🔥", "level:error", "$", "[x]", "\t"];
  const values = new Set();
  while (values.size < 200) {
    const value = Array.from({ length: 1 + below(6) }, () => pieces[below(pieces.length)]).join("");
    // White space around a value is not told apart from none.
    if (value.trim() === value && value !== "") values.add(value);
  }
  const all = [...values];
  await sendLogs(odd, all.map((value, index) => entryOf(index, { message: `value ${index}`, attributes: { [`odd ${"key"}`]: value } })));
  await hasLogs(odd, all.length);
  const folded = (value) => value.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
  for (const value of all) {
    const search = encodeURIComponent(term("attributes.odd key", value));
    const { logs: found } = await server.request(`/api/v1/projects/${odd.id}/logs?limit=100&search=${search}`);
    const expected = all.flatMap((other, index) => (folded(other) === folded(value) ? [`value ${index}`] : []));
    assert.deepEqual(found.map(({ message }) => message).sort(), expected.sort(), `${term("attributes.odd key", value)}`);
  }
});

test("words and levels narrow the entries, stand in the address, and survive a reload", async () => {
  await onPage(server, logs, {}, async (page) => {
    await total(page, `${count} entries`);
    await search(page, "timed out");
    await total(page, "300 entries");
    assert.deepEqual(await rows(page).first().locator("mark").allInnerTexts(), ["timed", "out"]);
    const levels = page.getByRole("group", { name: "Levels" });
    await levels.getByRole("button", { name: "error" }).click();
    await levels.getByRole("button", { name: "fatal" }).click();
    await eventually(async () => params(page).get("levels"), "error,fatal", "the levels");
    await total(page, "60 entries");
    await page.reload();
    await total(page, "60 entries");
    assert.equal(await levels.getByRole("button", { name: "fatal" }).getAttribute("aria-pressed"), "true");
    const { total: exact } = await server.request(`/api/v1/projects/${project.id}/logs?search=timed%20out&levels=error,fatal&limit=1`);
    assert.equal(exact, 60);
    await search(page, "nosuchword");
    await page.getByRole("heading", { name: "No matching entries" }).waitFor();
    await assertWhole(page, "nothing fits");
    await button(page, "Clear filters").click();
    await total(page, `${count} entries`);
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("textbox", { name: "Go to" }).fill("needle");
    await page.getByText("Search logs for “needle”").click();
    await total(page, /^1 entry$/);
  });
});

test("the range is dragged in the histogram, chosen by the keyboard, taken back, and typed", { tag: "@pages" }, async () => {
  await onPage(server, `${logs}?range=24h`, {}, async (page) => {
    await total(page, `${count} entries`);
    const chart = page.getByRole("slider", { name: /Entries over time/ });
    const { x, y, width, height } = await chart.boundingBox();
    await page.mouse.move(x + width * 0.9, y + height / 2);
    const reading = /: (\d+) entries \((\d+) fatal, \d+ error, \d+ warn, \d+ info, \d+ debug, \d+ trace\)$/;
    await page.getByText(reading).waitFor();
    const [, all, fatal] = reading.exec(await page.getByText(reading).innerText());
    assert.equal(Math.abs(Number(all) / 10 - Number(fatal)) < 1.5, true, `${fatal} of ${all} are fatal`);
    await page.mouse.move(x + width * 0.9, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.93, y + height / 2);
    await page.mouse.move(x + width * 0.96, y + height / 2);
    await page.mouse.up();
    await eventually(async () => params(page).has("from") && params(page).has("to"), true, "the range in the address");
    const [from, to] = ["from", "to"].map((name) => Date.parse(params(page).get(name)));
    assert.ok(to - from < 4 * 3_600_000 && to - from > 30 * 60_000, `${to - from} ms`);
    const path = `/api/v1/projects/${project.id}/logs?limit=1&start_time=${new Date(from).toISOString()}&end_time=${new Date(to).toISOString()}`;
    const inside = (await server.request(path)).total;
    assert.ok(inside > 20 && inside < count, `${inside} entries`);
    await total(page, `${inside} entries`);
    await page.goBack();
    await total(page, `${count} entries`);

    await chart.focus();
    for (const key of ["End", "Shift+ArrowLeft", "Shift+ArrowLeft"]) await page.keyboard.press(key);
    await page.keyboard.press("Enter");
    await eventually(async () => params(page).has("from"), true, "the range in the address");
    await button(page, "Zoom out").click();
    await page.getByText("Entries over time as a table").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Entries over time" }).waitFor({ state: "attached" });
    await page.getByRole("button", { name: /–/ }).first().click();
    await button(page, "Last 15 minutes").click();
    await eventually(async () => params(page).get("range"), "15m", "the range");
    await total(page, /^1[3-6] entries$/);
  });
  // In the person's zone.
  await onPage(server, logs, { timezoneId: "America/New_York" }, async (page) => {
    await total(page, `${count} entries`);
    await button(page, "Last 24 hours").click();
    await page.getByLabel("From", { exact: true }).fill("2026-01-02T03:04:05");
    await page.getByLabel("To", { exact: true }).fill("2026-01-02T03:04:04");
    await button(page, "Apply").click();
    await page.getByText("Must be after “From”").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2026-01-02T04:00:00");
    await button(page, "Apply").click();
    await eventually(async () => [params(page).get("from"), params(page).get("to")], ["2026-01-02T08:04:05.000Z", "2026-01-02T09:00:00.999Z"], "the range");
    await page.getByRole("heading", { name: "No entries in this time range" }).waitFor();
    await button(page, "Search all time").click();
    await total(page, `${count} entries`);
    const { logs: [newest] } = await server.request(`/api/v1/projects/${project.id}/logs?limit=1`);
    const shown = new Intl.DateTimeFormat("en-GB", { timeZone: "America/New_York", timeStyle: "medium" }).format(Date.parse(newest.timestamp));
    const time = rows(page).first().locator("time");
    assert.ok((await time.innerText()).includes(shown), `${await time.innerText()} has ${shown}`);
    assert.equal(await time.getAttribute("title"), `${newest.timestamp.replace("T", " ").replace("Z", "")} UTC`);
  });
});

test("an entry is opened by key, its values filter, and what came around it is shown", async () => {
  const context = await newContext(server, { permissions: ["clipboard-read", "clipboard-write"] });
  const opened = await openPage(server, logs, { context });
  try {
    const { page } = opened;
    await total(page, `${count} entries`);
    await search(page, "needle");
    await total(page, /^1 entry$/);
    // What somebody sent is text.
    assert.match(await rows(page).first().innerText(), /<img src=x onerror="alert\(1\)"> \[U\+202E\]needle/);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const detail = page.getByRole("complementary", { name: "Log entry" });
    await detail.getByText(trace).waitFor();
    await detail.getByText("No events have this trace ID.").waitFor();
    await button(detail, "Filter by logger shop db").click();
    await eventually(async () => params(page).get("query"), 'needle logger:"shop db"', "the search");
    await button(detail, `Exclude order.id ${1000 + odd}`).click();
    await eventually(async () => params(page).get("query"), `needle logger:"shop db" -attributes.order.id:${1000 + odd}`, "the search");
    await page.getByRole("heading", { name: "No matching entries" }).waitFor();
    await search(page, "needle");
    await button(detail, "Show in context").click();
    // In the place and in the order of the results, whatever was searched for.
    const around = page.getByRole("region", { name: /^Before and after/ });
    await around.getByText("The search and its filters do not apply here.").waitFor();
    // Nor does what is said of the results stand above it.
    await page.getByRole("group", { name: "Levels" }).waitFor({ state: "detached" });
    assert.equal(await page.getByText(/^1 entry$/).count(), 0);
    await holds(page, () => document.querySelector('[role="table"]')?.getAttribute("aria-rowcount") === "34");
    await around.getByText("No later entries.").waitFor();
    const times = await rows(page).locator("time").evaluateAll((all) => all.map((each) => each.dateTime));
    assert.deepEqual(times, times.toSorted().reverse());
    const own = around.locator("[aria-current]");
    assert.match(await own.innerText(), /needle/);
    await around.getByRole("button", { name: "Show earlier entries" }).click();
    await holds(page, () => document.querySelector('[role="table"]')?.getAttribute("aria-rowcount") === "74");
    // Another entry is shown beside it; what it is about stays.
    await rows(page).nth(3).getByRole("button").click();
    await eventually(async () => params(page).get("entry") === params(page).get("context"), false, "another entry");
    await own.getByRole("button").click();
    await eventually(async () => params(page).get("entry") === params(page).get("context"), true, "the entry itself");
    const said = detail.getByText("Copied").waitFor({ state: "attached" });
    await Promise.all([said, button(detail, "Copy as JSON").click()]);
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    assert.deepEqual([copied.trace_id, copied.attributes.order.id, copied.highlights], [trace, 1000 + odd, undefined]);
    await pictures(page, "logs-context", [{ width: 1440, scheme: "light" }, { width: 1440, scheme: "dark" }]);
    const about = params(page).get("context");
    await button(page, "Back to results").press("Enter");
    await total(page, /^1 entry$/);
    await holds(page, (id) => document.activeElement === document.querySelector(`[data-entry="${id}"] button`), about);
    await page.getByRole("group", { name: "Levels" }).waitFor();
    await eventually(() => rows(page).count(), 1, "results");
    // A link of its own, whatever is searched for.
    await page.goto(`${server.origin}${logs}?entry=${copied.id}`);
    await detail.getByText(trace).waitFor();
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
    opened.check();
  } finally {
    await context.close();
  }
});

test("templates group, and fields list their values; both lead to the entries", async () => {
  await onPage(server, logs, {}, async (page) => {
    await page.getByText("Templates", { exact: true }).click();
    const groups = page.getByRole("list", { name: "Templates" }).getByRole("listitem");
    await groups.nth(2).waitFor();
    assert.match(await groups.first().innerText(), /^300\s+67%\s+Connection to db-\{number\} timed out after \{number\} ms/);
    await pictures(page, "logs-templates");
    await page.setViewportSize({ width: 1440, height: 900 });
    await groups.first().getByRole("button").click();
    await total(page, "300 entries");
    assert.match(params(page).get("query"), /^template:[0-9a-f]{16}$/);
    await page.keyboard.press("f");
    const fields = page.getByRole("complementary", { name: "Fields" });
    const logger = fields.getByRole("listitem").filter({ has: button(page, "logger") });
    await logger.getByTitle("300 entries with this field").waitFor();
    await button(fields, "logger").click();
    const values = fields.getByRole("list", { name: "Values of logger" });
    assert.match(await values.getByRole("listitem").first().innerText(), /^(shop\.db|http access)\s+150/);
    await button(values, "Exclude logger http access").click();
    await total(page, "150 entries");
    assert.match(params(page).get("query"), /^template:\w+ -logger:"http access"$/);
    await button(fields, "region").click();
    await button(fields, "Filter by attributes.region eu west").click();
    await total(page, "75 entries");
    await assertWhole(page, "with its fields");
  });
});

test("entries come page by page as one scrolls, each once", async () => {
  const long = await server.project("Long");
  await fillLogs(long, count, () => ({ apart: 100 }));
  await onPage(server, `/projects/${long.id}/logs`, {}, async (page, opened) => {
    await total(page, `${count} entries`);
    const seen = new Set();
    await until(`${count} entries were seen`, async () => {
      for (const id of await rows(page).evaluateAll((all) => all.map((row) => row.dataset.entry))) seen.add(id);
      // Less than a window, and drawn before the next look.
      await page.evaluate(() => {
        window.scrollBy(0, 400);
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      });
      return seen.size >= count || undefined;
    });
    assert.equal(seen.size, count);
    assert.equal(opened.requests(/\/logs\?.*limit=200/).length, 3);
  });
});

test("the states look right: full, with an entry and a long message, failing", { tag: "@pages" }, async () => {
  await onPage(server, logs, {}, async (page) => {
    await total(page, `${count} entries`);
    await pictures(page, "logs-full");
    await page.locator(`[data-index="${odd}"] button`).click();
    await page.getByText(trace).first().waitFor();
    await pictures(page, "logs-entry", [{ width: 390, scheme: "light" }, { width: 390, scheme: "dark" }]);
  });
  const rebuilding = (page) =>
    page.route(/\/api\/v1\/.*\/logs\?/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), rebuilding: true } });
    });
  await onPage(server, logs, { routes: rebuilding }, async (page) => {
    await page.getByRole("note").filter({ hasText: "being rebuilt" }).waitFor();
  });
  const asked = /\/api\/v1\/.*\/logs\?/;
  const fails = (page) => page.route(asked, (route) => route.fulfill({ status: 422, json: { detail: "search: at most 100 words" } }));
  await onPage(server, `${logs}?query=x`, { routes: fails, allow: [422, 403] }, async (page) => {
    await page.getByText("search: at most 100 words").waitFor();
    await page.unroute(asked);
    await page.route(asked, (route) => route.fulfill({ status: 403, json: { detail: "not today" } }));
    await search(page, "y");
    await page.getByText("not today").waitFor();
    await page.unroute(asked);
    await button(page, "Try again").click();
    await page.getByText(/No matching entries/).waitFor();
  });
});

test("the tail takes 1,000 entries a second for five seconds, and the page still answers", { tag: "@pages" }, async () => {
  const busy = await server.project("Busy");
  await onPage(server, `/projects/${busy.id}/logs?view=tail`, {}, async (page) => {
    await page.getByText("Live", { exact: true }).waitFor();
    const flood = (async () => {
      const start = Date.now();
      for (let sent = 0; sent < 5_000; sent += 100) {
        await sendLogs(busy, Array.from({ length: 100 }, (_, index) => entryOf(index, { apart: 1 })));
        await pause(Math.max(0, start + sent + 100 - Date.now()));
      }
      console.info(`5,000 entries sent in ${Date.now() - start} ms`);
    })();
    await rows(page).first().waitFor();
    await page.evaluate(watchFrames);
    // At the top every message changes the rows; further down they wait.
    await pause(2_000);
    const atTop = await page.evaluate(pressed, "Fields");
    let ended = false;
    void flood.then(() => (ended = true));
    while (!ended) {
      await page.mouse.wheel(0, 400);
      await pause(60);
    }
    const scrolled = await page.evaluate(pressed, "Fields");
    const top = await rows(page).first().getAttribute("data-entry");
    const late = page.getByRole("button", { name: /new$/ });
    await late.waitFor();
    await pause(600);
    assert.equal(await rows(page).first().getAttribute("data-entry"), top, "nothing moves while it is scrolled");
    const { drawn, longest } = await page.evaluate(() => ({ drawn: window.drawn, longest: window.longest }));
    const pace = `${drawn} frames, the longest took ${Math.round(longest)} ms; a press was answered in ${Math.round(atTop)} and ${Math.round(scrolled)} ms`;
    console.info(pace);
    // A page that cannot keep up draws next to nothing; how fast it is, is for a machine that does nothing else.
    assert.ok(drawn > 20, pace);
    if (process.env.MAYDAY_SOAK) assert.ok(Math.max(longest, atTop, scrolled) < 400, pace);
    await late.click();
    await late.waitFor({ state: "detached" });
    await holds(page, () => window.scrollY === 0);
    const [arrived, skipped = "0"] = (await page.getByText(/^[\d,]+ entries/).innerText()).match(/\d[\d,]*/g).map((text) => text.replaceAll(",", ""));
    assert.equal(Number(arrived) + Number(skipped), 5_000);
    const cut = page.getByRole("note").filter({ hasText: "Only the newest 2,000 are shown here" });
    await button(cut, "Search all entries").click();
    await page.waitForURL((url) => !url.searchParams.has("view"));
    await rows(page).first().waitFor();
  });
});

test("the tail keeps to the filters, pauses, and is closed while nobody sees it", async () => {
  const quiet = await server.project("Quiet");
  const send = (message, level = "error") => sendLogs(quiet, [entryOf(0, { message, level })]);
  await onPage(server, `/projects/${quiet.id}/logs?view=tail&levels=error`, {}, async (page) => {
    await page.getByText("Live", { exact: true }).waitFor();
    await send("not shown", "info");
    await send("first one");
    await rows(page).filter({ hasText: "first one" }).waitFor();
    assert.equal(await rows(page).count(), 1);
    await button(page, "Pause").click();
    await send("second one");
    await button(page, "1 new").waitFor();
    assert.equal(await rows(page).count(), 1);
    await button(page, "Resume").click();
    await rows(page).filter({ hasText: "second one" }).waitFor();
    await pictures(page, "logs-tail");
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByText("Paused while this tab was hidden").waitFor();
    await page.evaluate(() => {
      delete document.visibilityState;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByText("Live", { exact: true }).waitFor();
    await send("third one");
    await rows(page).filter({ hasText: "third one" }).waitFor();
    // It begins with the last entries that a search finds, and goes on.
    await hasLogs(quiet, 4);
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    await rows(page).filter({ hasText: "first one" }).waitFor();
    assert.equal(await rows(page).count(), 3);
    await page.getByText("0 entries since opened").waitFor();
    await send("fourth one");
    await rows(page).filter({ hasText: "fourth one" }).waitFor();
    assert.equal(await rows(page).count(), 4);
    const href = await page.getByRole("link", { name: "Export" }).getAttribute("href");
    assert.match(href, new RegExp(`^/api/v1/projects/${quiet.id}/logs/export\\?levels=error&start_time=.*&limit=1000000$`));
  });
});

test("what arrives while the tail is not connected is shown afterwards, or the tail says that it is missing", async () => {
  const away = await server.project("Away");
  const send = (...messages) => sendLogs(away, messages.map((message) => entryOf(0, { message, level: "error" })));
  const texts = async (page) => (await rows(page).allInnerTexts()).map((text) => /(\w+) one/.exec(text)?.[1]);
  await onPage(server, `/projects/${away.id}/logs?view=tail`, { allow: [403] }, async (page) => {
    const see = (state) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    /** Sends while the page is hidden, and looks at it again. */
    const unseen = async (...messages) => {
      await see("hidden");
      await page.getByText("Paused while this tab was hidden").waitFor();
      await send(...messages);
      await see("visible");
      await page.getByText("Live", { exact: true }).waitFor();
    };
    await page.getByText("Live", { exact: true }).waitFor();
    await send("first one");
    await rows(page).filter({ hasText: "first one" }).waitFor();
    await unseen("second one");
    await send("third one");
    await eventually(() => texts(page), ["third", "second", "first"], "the entries");
    await page.getByText("3 entries since opened").waitFor();

    const missed = /\/logs\?.*limit=500/;
    await page.route(missed, (route) => route.fulfill({ status: 403, json: { detail: "not today" } }));
    await unseen("fourth one");
    const note = page.getByRole("note").filter({ hasText: "may be missing" });
    await note.filter({ hasText: "not today" }).waitFor();
    await page.unroute(missed);
    await button(note, "Load them").press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Pause", "the focus is not lost with the button");
    await rows(page).filter({ hasText: "fourth one" }).waitFor();
    await note.waitFor({ state: "detached" });

    // A tail that begins anew has missed nothing, also if there was one like it.
    const level = page.getByRole("group", { name: "Levels" }).getByRole("button", { name: "error" });
    await level.click();
    await eventually(() => level.getAttribute("aria-pressed"), "true", "the filter");
    await page.getByText("Live", { exact: true }).waitFor();
    const asked = [];
    page.on("request", (request) => {
      // Of all times, and without the filter.
      const [, limit] = /\/logs\?(?!.*(?:levels|start_time)=).*limit=(\d+)/.exec(request.url()) ?? [];
      if (limit !== undefined) asked.push(limit);
    });
    await level.click();
    // The last entries are loaded at once, and once more after what was missed would be.
    await eventually(async () => asked.filter((limit) => limit === "50").length, 2, "loads of the last entries");
    assert.equal(asked.includes("500"), false, "nothing is loaded that was missed before");
    await rows(page).filter({ hasText: "fourth one" }).waitFor();
    await page.getByText("0 entries since opened").waitFor();

    await page.route(missed, async (route) => {
      const answer = await route.fetch();
      const { logs, ...more } = await answer.json();
      await route.fulfill({ response: answer, json: { ...more, logs: logs.slice(0, 1), has_more: true } });
    });
    await unseen("fifth one", "sixth one");
    await note.filter({ hasText: "Entries between" }).waitFor();
    await button(note, "Show them").press("Enter");
    await eventually(async () => ["view", "from", "to"].map((name) => params(page).has(name)), [false, true, true], "the entries of that time");
    await holds(page, () => document.activeElement === document.querySelector("[data-entry] button"));
  });
});

test("the logs of an error's trace stand on one line of time with it", async () => {
  const shop = await server.project("Shop");
  const now = Date.now() - 60_000;
  const at = (offset) => (now + offset) / 1000;
  const entry = (offset, message) => entryOf(0, { timestamp: at(offset), message, trace_id: trace });
  await sendLogs(shop, [
    ...Array.from({ length: 30 }, (_, index) => entry(-1_000 * (index + 1), `before ${index}`)),
    ...Array.from({ length: 3 }, (_, index) => entry(500 * (index + 1), `after ${index}`)),
    entry(-10 * 60_000, "too early"),
    entryOf(0, { timestamp: at(0), message: "another trace", trace_id: "other" }),
  ]);
  await hasLogs(shop, 35);
  const error = { type: "TypeError", message: "no total", stack: "TypeError: no total\n    at pay (https://shop.example/a.js:1:2)" };
  const fields = { timestamp: new Date(now).toISOString() };
  const breadcrumbs = [{ timestamp: new Date(now - 25_000).toISOString(), category: "ui.click", message: "Pay" }];
  await shop.sendAndRead(error, { ...fields, event_id: "traced", trace_id: trace, breadcrumbs });
  await shop.sendAndRead(error, { ...fields, timestamp: new Date(now - 1).toISOString(), event_id: "untraced" });
  const [issue] = (await shop.issuesOf(2)).issues;
  await onPage(server, `/projects/${shop.id}/issues/${issue.id}?event=traced`, {}, async (page) => {
    const section = page.getByRole("region", { name: /Logs of this trace/ });
    const lines = section.getByRole("listitem");
    await section.getByText("after 0").waitFor();
    const texts = (await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.match(texts[0], /Show earlier entries \(20 more\)/);
    assert.match(texts[10], /−1\.0 s before 0/);
    assert.match(texts[11], /^error this error 0 ms TypeError: no total/);
    assert.match(texts[12], /\+500 ms after 0/);
    assert.equal(texts.length, 15);
    await page.getByRole("tab", { name: "Timeline" }).click();
    const merged = page.getByRole("list", { name: "Timeline" });
    await merged.getByText("after 0").waitFor();
    const rows = (await merged.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    const own = rows.findIndex((text) => /^0 ms error TypeError: no total/.test(text));
    assert.match(rows[own - 1], /^−\d+ ms .*before|^−1\.0 s .*before 0/);
    assert.match(rows[own + 1], /^\+500 ms .*after 0/);
    // What is not loaded comes after the breadcrumb.
    assert.match(rows[0], /Pay/);
    assert.match(rows[1], /^Show earlier entries \(20 more\)$/);
    assert.match(rows[2], /before 9$/);
    await page.getByRole("tab", { name: "Event", exact: true }).click();
    await section.getByText("after 0").waitFor();
    await section.scrollIntoViewIfNeeded();
    await pictures(page, "logs-issue");
    await section.getByRole("button", { name: /earlier/ }).click();
    await section.getByText("before 29").waitFor();
    assert.equal(await section.getByText("too early").count(), 0);
    await section.getByRole("link", { name: "after 0" }).click();
    const detail = page.getByRole("complementary", { name: "Log entry" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await total(page, "33 entries");
    // And back to the error.
    await detail.getByRole("link", { name: /no total/ }).click();
    await page.getByRole("heading", { name: /TypeError/ }).first().waitFor();
    await page.goto(`${server.origin}/projects/${shop.id}/issues/${issue.id}?event=untraced`);
    await section.getByText(/This event has no trace ID/).waitFor();
  });
  // From the start: what another tab has loaded is there already.
  const ofEvent = /\/api\/v1\/events\/[^/]+\/logs\?/;
  const routes = (page) => page.route(ofEvent, (route) => route.fulfill({ status: 503, json: { detail: "The disk is away." } }));
  await onPage(server, `/projects/${shop.id}/issues/${issue.id}?event=traced`, { allow: [503], routes }, async (page) => {
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByText("The logs could not be loaded.").waitFor();
    await page.unroute(ofEvent);
    await page.getByRole("button", { name: "Try again" }).click();
    const merged = page.getByRole("list", { name: "Timeline" });
    await merged.getByText("after 0").waitFor();
    assert.equal(await merged.evaluate((list) => list === document.activeElement), true, "the focus stays near");
  });
});
