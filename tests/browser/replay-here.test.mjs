// The replay's player among the rows of an issue's Timeline tab: moving along one moves the others.

import assert from "node:assert/strict";
import { send, shown, story } from "./recorded.mjs";
import { sharedServer, until } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage, pictures } from "./web.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** What Chromium says when the test looks into the frame of the player. */
const looking = /^Blocked script execution/;

/** Each half of a second before the error. */
const halves = Array.from({ length: 59 }, (_, index) => (index + 1) / 2);

/** A minute of a page, and an error in the middle of it, with a breadcrumb for each of some seconds; its page. */
async function failing(name, seconds = halves) {
  const project = await server.project(name);
  const start = Date.now() - 120_000;
  const replay = await send(server, project, story(start));
  const time = (second) => new Date(start + second * 1_000).toISOString();
  const breadcrumbs = seconds.map((second) => ({
    timestamp: time(second),
    category: "cart",
    message: `step ${second}`,
  }));
  const error = { type: "TypeError", message: "no total", stack: "TypeError: no total\n    at pay (https://shop.example/a.js:1:2)" };
  await project.sendAndRead(error, { timestamp: time(30), replay_id: replay.replay_id, breadcrumbs });
  const { issues } = await project.issuesOf(1);
  return { path: `/projects/${project.id}/issues/${issues[0].id}#timeline`, replay };
}

/** The parts of the tab. */
function parts(page) {
  const list = page.getByRole("list", { name: "Timeline" });
  const slider = page.getByRole("slider", { name: "Time", exact: true });
  return {
    list,
    slider,
    player: page.getByRole("region", { name: "Replay of this event" }),
    opener: page.getByRole("button", { name: "Show the replay here" }),
    row: (words) => list.getByRole("listitem").filter({ has: page.getByText(words, { exact: true }) }),
    at: async () => Number(await slider.getAttribute("aria-valuenow")),
    current: async () => (await list.locator('li[aria-current="true"]').allInnerTexts()).map((text) => /step -?[\d.]+|no total/.exec(text)?.[0]),
    scrolled: () => list.evaluate((each) => Math.round(each.parentElement.scrollTop)),
  };
}

test("a row that is chosen sends the player there, and the player marks the row that it is at", async () => {
  const { path, replay } = await failing("here");
  await onPage(server, path, { allow: [looking] }, async (page, opened) => {
    const { list, slider, player, opener, row, at, current, scrolled } = parts(page);
    await opener.waitFor();
    assert.deepEqual(opened.requests(/replay-frame|\/replays\/[^/]+\/events/), [], "nothing of the player is fetched before");
    // It opens where one looks at.
    await page.getByRole("slider", { name: "Time around this error" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await opener.click();
    const frame = await shown(page);
    await eventually(at, 29, "the time of the player");
    await eventually(current, ["step 29"], "the row of the player");
    await frame.getByText("line 28", { exact: true }).waitFor();
    assert.equal(await frame.getByText("line 31", { exact: true }).count(), 0);
    await pictures(page, "issue-replay-here");
    // On a narrow screen above the list, and both are on the screen at once, between its bars of 52 pixels.
    for (const height of [844, 667]) {
      await page.setViewportSize({ width: 390, height });
      const [above, below] = [await player.boundingBox(), await list.locator("..").boundingBox()];
      const both = `${JSON.stringify(above)} is above ${JSON.stringify(below)}`;
      assert.ok(above.y + above.height <= below.y, both);
      assert.ok(below.y + below.height - above.y <= height - 2 * 52, both);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    await row("step 25").getByRole("button").click();
    await eventually(at, 25, "the time of the row");
    await eventually(current, ["step 25"], "the row that was chosen");
    await frame.getByText("line 26", { exact: true }).waitFor({ state: "detached" });
    // All of the row is pressed.
    await row("step 24").scrollIntoViewIfNeeded();
    const { x, y, width, height } = await row("step 24").boundingBox();
    await page.mouse.click(x + width - 20, y + height / 2);
    await eventually(at, 24, "the time of the other row");

    // The pointer alone moves nothing, and the keys are the player's while that has the focus.
    await row("step 27").hover();
    assert.deepEqual(await current(), ["step 24"]);
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await eventually(current, ["step 19"], "five seconds before");
    await page.keyboard.press(" ");
    await player.getByRole("button", { name: "Pause", exact: true }).waitFor();
    // Nothing is done until the 36th second, which is skipped.
    await eventually(current, ["no total"], "the error's row, which is the last");
    await page.keyboard.press(" ");
    await player.getByRole("button", { name: "Play", exact: true }).waitFor();

    // The row is in sight, unless the person scrolls the list.
    const low = await until("the list has gone along", async () => ((await scrolled()) > 100 ? scrolled() : undefined));
    await list.locator("..").hover();
    await page.mouse.wheel(0, -10_000);
    await eventually(scrolled, 0, "the list at its top");
    await slider.focus();
    for (let press = 0; press < 12 && (await at()) >= 30; press += 1) await page.keyboard.press("ArrowLeft");
    await until("the player is before the error", async () => (/^step 2\d/.test((await current())[0]) ? true : undefined));
    assert.equal(await scrolled(), 0, `stays where it was scrolled to, and not at ${low}`);
    await row("step 2").getByRole("button").click();
    await eventually(current, ["step 2"], "the row that was chosen");
    await slider.focus();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("ArrowRight");
    await eventually(current, ["step 27"], "25 seconds later");
    await until("the list goes along again", async () => ((await scrolled()) > 100 ? true : undefined));

    // The page's axis moves the player, too.
    await page.getByRole("slider", { name: "Time around this error" }).focus();
    await page.keyboard.press("ArrowRight");
    await eventually(current, ["step 27.5"], "the next row");
    await player.getByRole("link", { name: "Open the replay’s page" }).waitFor();
    const leadsTo = async () => /[^/]+$/.exec(await player.getByRole("link").first().getAttribute("href"))?.[0];
    await eventually(leadsTo, `${replay.replay_id}?t=27`, "the moment that was chosen");
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await eventually(leadsTo, `${replay.replay_id}?t=22`, "the moment in the player");
    await player.getByRole("button", { name: "Close the player" }).click();
    await player.waitFor({ state: "detached" });
    const isBack = () => opener.evaluate((each) => each === document.activeElement);
    await eventually(isBack, true, "the focus");

    // Escape closes the player, as the list of keys says, and only then leaves the issue.
    await page.keyboard.press("Enter");
    await shown(page);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Close the player", { exact: true }).waitFor();
    await help.getByText("Forward 5 seconds", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await eventually(() => player.evaluate((each) => each.contains(document.activeElement)), true, "the player's focus");
    await page.keyboard.press("Escape");
    await player.waitFor({ state: "detached" });
    await eventually(isBack, true, "the focus");
    assert.equal(new URL(page.url()).pathname, path.split("#")[0]);

    // On a checkbox it does the same, and space changes the checkbox alone.
    await page.keyboard.press("Enter");
    await shown(page);
    const skips = player.getByRole("checkbox", { name: "Skip inactivity" });
    await skips.focus();
    await page.keyboard.press(" ");
    assert.equal(await skips.isChecked(), false);
    assert.equal(await player.getByRole("button", { name: "Play", exact: true }).count(), 1, "it does not play");
    await page.keyboard.press("Escape");
    await player.waitFor({ state: "detached" });
    await eventually(isBack, true, "the focus");
    assert.equal(new URL(page.url()).pathname, path.split("#")[0]);
  });
});

test("a row opens the player at its moment, and a recording that cannot be loaded is asked for again", async () => {
  const { path } = await failing("not here");
  await onPage(server, path, { allow: [looking, 503] }, async (page) => {
    const { opener, row, at, current } = parts(page);
    await opener.waitFor();
    const events = /\/api\/v1\/replays\/[^/]+\/events\?/;
    await page.route(events, (route) => route.fulfill({ status: 503, json: { detail: "The disk is away." } }));
    await row("step 12").getByRole("button").click();
    await page.getByRole("heading", { name: "The recording could not be loaded" }).waitFor();
    await page.getByText("The disk is away.").waitFor();
    await pictures(page, "issue-replay-here-failed");
    await page.unroute(events);
    await page.getByRole("button", { name: "Try again" }).click();
    await shown(page);
    await eventually(at, 12, "the time of the player");
    await eventually(current, ["step 12"], "the row of the player");
    // The button that tried again is gone, and the keys are still the player's.
    await page.keyboard.press("ArrowRight");
    await eventually(at, 17, "five seconds later");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await eventually(focused, "Replay of this event", "the focus");
  });
});

test("what happened is watched from ten seconds before the error on", async () => {
  const { path, replay } = await failing("ten seconds before");
  await onPage(server, path.split("#")[0], { allow: [looking] }, async (page) => {
    await page.getByRole("link", { name: "Watch what happened" }).click();
    await page.waitForURL(new RegExp(`/replays/${replay.replay_id}\\?t=20$`));
    const frame = await shown(page);
    await eventually(parts(page).at, 20, "the time of the player");
    await frame.getByText("line 19", { exact: true }).waitFor();
    await eventually(() => frame.locator("p").count(), 20, "the lines until then");
  });
});

test("a replay that arrives after its error is there without a reload", async () => {
  const project = await server.project("later here");
  const [start, replay_id] = [Date.now() - 120_000, "later".repeat(5)];
  const timestamp = new Date(start + 30_000).toISOString();
  await project.sendAndRead({ type: "TypeError", message: "no total" }, { timestamp, replay_id });
  const { issues } = await project.issuesOf(1);
  await onPage(server, `/projects/${project.id}/issues/${issues[0].id}#timeline`, {}, async (page) => {
    const { opener, list } = parts(page);
    await list.waitFor();
    await eventually(() => opener.count(), 0, "the ways to the replay");
    await send(server, project, story(start), { replay_id });
    await opener.waitFor();
  });
});

test("along the page's axis one goes on past both ends of the replay", async () => {
  const { path } = await failing("past its ends", [-4, -2, 1, 59, 70, 75]);
  await onPage(server, path, { allow: [looking] }, async (page) => {
    const { row, at, current } = parts(page);
    const axis = page.getByRole("slider", { name: "Time around this error" });
    await row("step 1").getByRole("button").click();
    await shown(page);
    await eventually(at, 1, "the time of the player");
    await axis.focus();
    for (const step of ["step -2", "step -4"]) {
      await page.keyboard.press("ArrowLeft");
      await eventually(current, [step], "the row before the replay");
      await eventually(at, 0, "the player's beginning");
    }
    await row("step 59").getByRole("button").click();
    await eventually(at, 59, "the time of the player");
    await axis.focus();
    for (const step of ["step 70", "step 75"]) {
      await page.keyboard.press("ArrowRight");
      await eventually(current, [step], "the row after the replay");
    }
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await eventually(current, ["step 59"], "back in the replay");
    await eventually(at, 59, "the time of the player");
  });
});

test("beside a browser whose clock was ahead, the log of a server lies and is watched where it was written", async () => {
  const project = await server.project("ahead here");
  const [ahead, trace_id] = [60_000, "d".repeat(32)];
  // By the browser's clock, a minute ago.
  const start = Date.now() + ahead - 65_000;
  const events = story(start);
  const body = {
    api_key: project.key,
    session_id: "s".repeat(32),
    window_id: "d".repeat(32),
    start_timestamp: start,
    end_timestamp: start + 60_000,
    has_full_snapshot: true,
    events,
  };
  const { replay_id } = await server.post(`/api/v1/replays?sent=${Date.now() + ahead}`, body, { token: null, expect: 202 });
  const lag = await until("the replay", async () => {
    const { status, body: replay } = await server.raw(`/api/v1/replays/${replay_id}?project_id=${project.id}`);
    return status === 200 ? replay.clock_lag_ms : undefined;
  });
  assert.ok(lag >= -ahead && lag < -ahead + 20_000, `${lag} ms`);
  // The error, by the browser's clock, and two seconds before it the server that it asked, by its own.
  const thrown = start + 50_000;
  const logged = thrown - ahead - 2_000;
  const entry = { timestamp: logged / 1_000, level: "info", message: "said by the server", trace_id };
  await server.post("/api/v1/logs/batch", { api_key: project.key, logs: [entry] }, { token: null, expect: 202 });
  const error = { type: "TypeError", message: "no total", stack: "TypeError: no total\n    at pay (https://shop.example/a.js:1:2)" };
  await project.sendAndRead(error, { timestamp: new Date(thrown).toISOString(), replay_id, trace_id });
  const { issues } = await project.issuesOf(1);
  await until("the log entry", async () => {
    const { total } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return total === 1 ? true : undefined;
  });
  await onPage(server, `/projects/${project.id}/issues/${issues[0].id}#timeline`, { allow: [looking] }, async (page) => {
    await page.getByText(/^The browser’s clock was about (1 min|[45]\d s) ahead of the server’s; logs of both are lined up here/).waitFor();
    const rows = page.getByRole("list", { name: "Timeline" }).getByRole("listitem");
    const row = rows.filter({ hasText: "said by the server" });
    await row.waitFor();
    // In whole seconds, and more by as long as it took to send the replay.
    const early = Math.round(2_000 + ahead + Math.round(lag / 1_000) * 1_000) / 1_000;
    assert.match(await row.innerText(), new RegExp(`^−${early.toFixed(1)} s`.replace(".", "\\.")));
    await pictures(page, "issue-axis-clock");
    await row.getByRole("button").click();
    await shown(page);
    await eventually(parts(page).at, 50 - early, "the time of the player");
  });
});
