// The list of issues in each of its states, in each look.

import assert from "node:assert/strict";
import { eventOf, fill, hasIssues, idsOf, sendAll } from "./seed.mjs";
import { sharedServer, until } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { heldBack, matrix, onPage, openPage, pictures } from "./web.mjs";

let server;
let project;

const listOf = (id, query) => `/projects/${id}/issues${query === undefined ? "" : `?query=${encodeURIComponent(query)}`}`;
const issuesApi = /\/api\/v1\/projects\/\d+\/issues\?/;
const rows = (page) => page.locator("[data-issue]");

before(async () => {
  server = await sharedServer();
  project = await server.project("Shop");
  const levels = ["fatal", "error", "warning", "info", "debug"];
  await fill(project, 120, (index) => ({
    level: levels[index % levels.length],
    environment: index % 3 ? "production" : "staging",
    user: { id: `user-${index % 7}` },
  }));
});

test("a project without events says what to do first", async () => {
  const empty = await server.project("Empty");
  await matrix("issues-empty", server, listOf(empty.id), {}, async (page) => {
    await page.getByRole("heading", { name: "No errors yet" }).waitFor();
    const link = page.getByRole("link", { name: "Send the first event" });
    assert.equal(await link.getAttribute("href"), `/projects/${empty.id}/start`);
  });
});

test("a project with nothing unresolved says so and offers the rest", async () => {
  const calm = await server.project("Calm");
  await fill(calm, 3);
  await server.request(`/api/v1/projects/${calm.id}/issues`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids: await idsOf(calm), status: "resolved" }),
  });
  await matrix("issues-none-unresolved", server, listOf(calm.id), {}, (page) =>
    page.getByRole("heading", { name: "No unresolved issues" }).waitFor(),
  );
  await onPage(server, listOf(calm.id), {}, async (page) => {
    await page.getByRole("button", { name: "Show all 3 issues" }).click();
    await rows(page).nth(2).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("status"), "all");
  });
});

test("a search that finds nothing says so and offers all", async () => {
  await matrix("issues-no-match", server, listOf(project.id, "nothing-has-this-word"), {}, async (page) => {
    await page.getByRole("heading", { name: "No matching issues" }).waitFor();
    await page.getByRole("button", { name: "Show all 120 issues" }).waitFor();
  });
});

/** The server's words as the page has them. */
const quoted = (detail) => detail.replaceAll(/`([^`]+)`/g, "“$1”");

test("a query that is wrong is told below the search, in the server's words", async () => {
  const query = "is:nonsense";
  const answer = await server.raw(`/api/v1/projects/${project.id}/issues?query=${query}`);
  assert.equal(answer.status, 422);
  await matrix("issues-wrong-query", server, listOf(project.id, query), { allow: [422] }, async (page) => {
    await page.getByText(quoted(answer.body.detail)).waitFor();
    await page.locator('input[aria-label="Search issues"][aria-invalid="true"]').waitFor();
    assert.equal(await page.getByLabel("Search issues").inputValue(), query);
    await page.getByRole("heading", { name: "Search not understood" }).waitFor();
  });
  let asked = 0;
  let streamed;
  const routes = (page) => {
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.endsWith("/issues") && request.url().includes("nonsense") && !request.isNavigationRequest()) asked += 1;
    });
    streamed = page.waitForResponse(/\/stream\b/);
  };
  await onPage(server, listOf(project.id, query), { allow: [422], routes, width: 1024 }, async (page) => {
    const told = page.locator("p").filter({ hasText: quoted(answer.body.detail) });
    await told.waitFor();
    await streamed;
    const tools = page.getByRole("radiogroup", { name: "Status" }).locator("..");
    const [words, room] = await Promise.all([told, tools].map(async (each) => (await each.boundingBox()).width));
    assert.equal(words, room, "the words have the page's width");
    assert.equal(await told.locator("code").count(), 0, "no name stands out");
    const id = await page.getByLabel("Search issues").getAttribute("aria-describedby");
    assert.equal(await told.getAttribute("id"), id, "the words belong to the field");
    await page.getByRole("button", { name: "Clear search" }).last().click();
    await rows(page).first().waitFor();
    assert.equal(asked, 1, "a refused search is sent once");
  });
});

test("a long refusal of a query is told whole, where a list was before", async () => {
  const detail =
    "`colour` is no field of an issue. Fields: account, assignee, environment, first_release, has, is, level, priority, release, status, tag.<name>, type, user. Quote the term to search for it as text.";
  const refuse = (page) =>
    page.route(/\/issues\?.*colour/, (route) => route.fulfill({ status: 422, json: { detail } }));
  await matrix("issues-unknown-field", server, listOf(project.id), { allow: [422], routes: refuse, fresh: true }, async (page) => {
    await rows(page).first().waitFor();
    await page.getByLabel("Search issues").fill("colour:red");
    await page.keyboard.press("Enter");
    const told = page.getByText(quoted(detail));
    await told.waitFor();
    assert.equal(await told.evaluate((element) => getComputedStyle(element).fontSize), "12px", "large enough to be read");
    assert.equal(await rows(page).count(), 0, "nothing is shown as if it were found");
    assert.equal(await page.getByRole("heading", { name: "No matching issues" }).count(), 0);
    await page.getByLabel("Search issues").press("Escape");
  });
});

test("while the list loads there are grey rows, and nothing for the first moment", async () => {
  let held;
  const routes = async (page) => (held = await heldBack(page, issuesApi));
  await matrix("issues-loading", server, listOf(project.id), { routes, wait: false }, async (page) => {
    await page.locator('main [aria-busy="true"]').first().waitFor();
    await page.locator('main [class*="Skeleton"]').nth(11).waitFor();
  });
  const opened = await openPage(server, listOf(project.id), { routes, wait: false });
  try {
    const { page } = opened;
    await page.locator('main [class*="Skeleton"]').first().waitFor();
    held.go();
    await rows(page).first().waitFor();
    assert.equal(await page.locator('main [class*="Skeleton"]').count(), 0);
  } finally {
    await opened.close();
  }
});

for (const [name, fail, words] of [
  ["500", (route) => route.fulfill({ status: 500, json: { detail: "the disk is full" } }), "the disk is full"],
  ["503", (route) => route.fulfill({ status: 503, body: "<h1>gateway</h1>", contentType: "text/html" }), /status 503/],
  ["silence", (route) => route.abort(), "once the connection is back"],
]) {
  test(`a list that cannot be loaded says why and can be tried again: ${name}`, async () => {
    // The page asks again by itself, too, so it fails until somebody presses.
    const isPressed = (page) => page.evaluate(() => globalThis.isPressed === true);
    const routes = async (page) => {
      // Some may still be under way when the page is closed.
      const answer = (route) =>
        isPressed(page).then((yes) => (yes ? route.continue() : fail(route))).catch(() => undefined);
      await page.route(issuesApi, answer);
      // A silent server that answers here would have the list asked again without a press.
      if (name === "silence") await page.route("**/health", answer);
    };
    const allow = [500, 503, /net::ERR_FAILED/];
    const opened = await openPage(server, listOf(project.id), { routes, allow, wait: false });
    try {
      const { page } = opened;
      await page.locator("main").getByRole("alert").getByText(words).waitFor();
      await pictures(page, `issues-failed-${name}`);
      const button = page.locator("main").getByRole("button", { name: /^Try/ });
      // Only one: the banner that says there is no connection has a button of its own.
      const [label, ...more] = await button.allInnerTexts();
      assert.match(label, name === "silence" ? /^Try(ing)? now|^Trying/ : /^Try(ing)? again/);
      assert.deepEqual(more, []);
      await page.evaluate(() => addEventListener("click", () => (globalThis.isPressed = true), { capture: true, once: true }));
      // A press while the page asks by itself asks for nothing more: that one may still fail.
      await until("the rows", async () => {
        await button.first().click({ timeout: 1_000 }).catch(() => undefined);
        return (await rows(page).count()) > 0 || undefined;
      });
      assert.equal(await page.locator("main").getByRole("alert").count(), 0);
      opened.check();
    } finally {
      await opened.close();
    }
  });
}

test("a full list", async () => {
  await matrix("issues-full", server, listOf(project.id), {}, async (page) => {
    await rows(page).nth(15).waitFor();
    await page.getByText("120 issues", { exact: true }).waitFor();
  });
});

test("a full list with chosen issues and an open menu", async () => {
  await matrix("issues-chosen", server, listOf(project.id), { fresh: true }, async (page) => {
    await page.getByRole("checkbox", { name: /^Select [A-Z0-9-]+-\d+$/ }).nth(1).click();
    await page.getByRole("button", { name: "Ignore" }).click();
    await page.getByRole("menuitem", { name: "For 1 week" }).waitFor();
  });
});

test("titles of any length and direction, and numbers of any size, keep the rows in their place", async () => {
  const odd = await server.project("Odd");
  const titles = [
    "a".repeat(10_000),
    "words ".repeat(1_600),
    "\u202eevil\u202c right to left override",
    "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645 mixed \u05e9\u05dc\u05d5\u05dd",
    "zero\u200bwidth\u2060joined\ufeff",
    "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 family \ud83c\uddfa\ud83c\uddf3",
    "line\nbreak\ttab\r\nmore",
    "<b>bold</b> &amp; {{template}} %s ${x}",
  ];
  await sendAll(odd, titles.map((message, index) => eventOf(index, { exception: { message, type: index === 1 ? "E".repeat(300) : "E" } })));
  await hasIssues(odd, titles.length);
  const routes = (page) => page.route(issuesApi, (route) => inflated(route));
  await matrix("issues-odd", server, listOf(odd.id), { routes }, async (page) => {
    await rows(page).nth(titles.length - 1).waitFor();
    const text = await page.locator("main").innerText();
    assert.match(text, /\[U\+202E\]evil/, "an override of the direction is written out");
    assert.match(text, /zero\[U\+200B\]width/);
    assert.match(text, /1\.2M/);
    assert.ok((await page.locator('[title="1,234,567 events"]').count()) > 0, "the exact number is there on hover");
    const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    assert.equal(new Set(heights).size, 1, `all rows are of one height: ${heights}`);
    const longest = await page.locator("main [title]").evaluateAll((all) => Math.max(...all.map(({ title }) => title.length)));
    assert.ok(longest < 2_500, `no tool tip of ${longest} characters`);
  });
});

/** The answer of the server with counts of seven digits. */
async function inflated(route) {
  const response = await route.fetch();
  const json = await response.json();
  for (const issue of json.issues) Object.assign(issue, { event_count: 1_234_567, user_count: 9_876_543, trend: issue.trend.map(() => 1_234_567) });
  await route.fulfill({ response, json });
}
