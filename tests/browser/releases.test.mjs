// How releases do: deploys on charts, the release that an issue is blamed on, two releases side by side, and what is
// pasted into a pipeline.

import assert from "node:assert/strict";
import { sendAll, hasIssues } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { Build } from "./shop.mjs";
import { before, test } from "./suite.mjs";
import { eventually, matrix, onPage } from "./web.mjs";

const hour = 3_600_000;
const ago = (hours) => new Date(Date.now() - hours * hour).toISOString();
const long = "A title as long as titles get, ".repeat(10).trim();

let server;
let project;
let issue;

/** Events of an issue in a release, one an hour from `first` hours ago on. */
const thrown = (message, release, first, count, each = 1) =>
  Array.from({ length: count }, (_, at) => ({
    fingerprint: [message],
    type: "message",
    message,
    release,
    user: { id: `u${at % 3}` },
    timestamp: ago(first - at * each),
  }));

before(async () => {
  server = await sharedServer();
  project = await server.project("Releases that do");
  for (const version of ["1.0.0", "2.0.0", "2.1.0"]) await project.createRelease(version);
  const deploy = (version, environment, hours, more = {}) =>
    server.post(`/api/v1/projects/${project.id}/releases/${version}/deploys`, { environment, finished_at: ago(hours), ...more }, { expect: 201 });
  await deploy("1.0.0", "production", 160);
  await deploy("2.0.0", "staging", 40, { started_at: ago(40.1), name: "Pipeline 7 of a branch with a long name", url: "https://ci.example/7" });
  await deploy("2.0.0", "production", 30, { started_at: ago(30.2) });
  await deploy("2.0.0", "production", 6, { name: long.slice(0, 128) });
  await sendAll(project, [
    ...thrown("the old one", "1.0.0", 150, 60, 2),
    ...thrown("gone with the old one", "1.0.0", 120, 3),
    ...thrown("the old one", "2.0.0", 29, 20),
    ...thrown(long, "2.0.0", 5, 4),
  ]);
  await hasIssues(project, 3);
  await eventually(async () => (await project.issues()).issues.reduce((sum, one) => sum + one.event_count, 0), 87, "events");
  issue = (await project.issues()).issues.find(({ title }) => title.startsWith("A title")).id;
});

test("an issue names the release that it is blamed on, and its chart shows the deploys to where it occurs", async () => {
  await matrix("issue-suspect", server, `/projects/${project.id}/issues/${issue}`, {}, async (page) => {
    const side = page.getByRole("complementary", { name: "Trend, releases, users and tags" });
    await side.getByText("Suspect", { exact: true }).waitFor();
    await side.getByText(/Deployed to production .*, 1 h before the first event\. It was the most recent release at the time\./).waitFor();
    const deploys = side.getByRole("list", { name: "Deploys" });
    await deploys.getByRole("link", { name: "2.0.0" }).waitFor();
    assert.equal(await deploys.getByRole("listitem").count(), 1, "of the last 24 hours");
    await side.getByText("30d", { exact: true }).click();
    await eventually(() => deploys.getByRole("listitem").count(), 3, "deploys of 30 days, none to staging");
    const marks = side.getByRole("list", { name: "Marks" });
    assert.match(await marks.innerText(), /^first seen\s+5 h ago$/);
    assert.equal(await side.locator("svg line").count(), 4, "the deploys and where it began");
    // By keyboard: the bar of a deploy says so.
    const chart = side.getByRole("slider", { name: /Events in the last 30 days/ });
    await chart.focus();
    await page.keyboard.press("End");
    assert.match(await chart.getAttribute("aria-valuetext"), /event/);
    const words = [];
    for (let back = 0; back < 31; back += 1) {
      words.push(await chart.getAttribute("aria-valuetext"));
      await page.keyboard.press("ArrowLeft");
    }
    assert.match(words.at(-1), /^Before the first event, /);
    for (const told of ["1.0.0 deployed to production", "first seen"])
      assert.ok(words.some((text) => text.includes(told)), words.join("\n"));
  });
});

test("an issue that came back has a mark where it did, and its releases stand newest first with their events", async () => {
  const back = await server.project("Back");
  await sendAll(back, thrown("often", "1.0.0", 60, 5, 2));
  await hasIssues(back, 1);
  const [{ id }] = (await back.issues()).issues;
  const path = `/projects/${back.id}/issues/${id}`;
  const changed = { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ status: "resolved" }) };
  await server.request(`/api/v1${path}`, changed);
  await sendAll(back, thrown("often", "2.0.0", 0, 1));
  await eventually(async () => (await server.request(`/api/v1${path}`)).substatus, "regressed", "the issue");
  await onPage(server, path, {}, async (page) => {
    const side = page.getByRole("complementary", { name: "Trend, releases, users and tags" });
    await side.getByRole("list", { name: "Marks" }).getByText("regressed").waitFor();
    assert.equal(await side.locator("svg line").count(), 1);
    const releases = side.getByRole("region", { name: /^Releases/ }).getByRole("listitem");
    const read = async () => (await releases.allInnerTexts()).map((text) => text.split(/\s+/).filter(Boolean));
    await eventually(read, [["2.0.0", "1", "17%"], ["1.0.0", "5", "83%"]], "releases with events and shares");
  });
});

/** The answer of a code host is made up here: the API's tests ask a stand-in of one. */
const answering = (answer) => (page) =>
  page.route("**/suspect-commits", (route) => route.fulfill({ json: { ...nothing, ...answer } }));
const nothing = { commits: [], total: 0, repository: null, release: null, before: null, missing: null, detail: null };
const commit = (id, more = {}) => ({
  id: id.repeat(40).slice(0, 40),
  title: "Round prices after adding them up",
  author: "Ada Lovelace",
  login: "ada",
  at: ago(20),
  url: `https://github.example/acme/shop/commit/${id}`,
  files: ["apps/web/src/price.ts"],
  ...more,
});

test("the commits of the suspect release stand beneath it, those first that changed the stack", async () => {
  const commits = [commit("a1"), commit("b2", { title: long, login: null, url: null, at: null, files: [] })];
  const path = `/projects/${project.id}/issues/${issue}`;
  const side = (page) => page.getByRole("complementary", { name: "Trend, releases, users and tags" });
  await matrix("issue-commits", server, path, { routes: answering({ commits, total: 14 }) }, async (page) => {
    const region = side(page).getByRole("region", { name: "Commits that changed this stack" });
    await region.getByRole("listitem").nth(1).waitFor();
    assert.match(await region.getByRole("link").getAttribute("href"), /commit\/a1$/);
    await region.getByText("12 other commits came with it.").waitFor();
  });
  for (const [answer, words] of [
    [{ missing: "no_commit" }, /does not say what it was built from/],
    [{ missing: "not_found" }, /No repository of the project has its commits/],
    [{ missing: "unavailable", detail: "GitHub answered 403" }, /cannot be shown\. GitHub answered 403/],
  ])
    await onPage(server, path, { routes: answering(answer) }, (page) => side(page).getByText(words).waitFor());
});

test("a release shows its users, its events with its deploys, and where it was deployed to", async () => {
  await matrix("release-deploys", server, `/projects/${project.id}/releases/2.0.0`, {}, async (page) => {
    await page.getByRole("heading", { name: "Deploys" }).waitFor();
    const figures = page.locator('dl[aria-label="Figures of this release"]');
    assert.match(await figures.locator("div", { hasText: "Users" }).innerText(), /3/);
    const link = page.getByRole("link", { name: "Pipeline 7 of a branch" });
    assert.equal(await link.getAttribute("href"), "https://ci.example/7");
    assert.match(await link.getAttribute("rel"), /noopener/);
    await page.getByRole("row").filter({ hasText: "staging" }).getByText("6 min 0 s").waitFor();
    await page.getByRole("list", { name: "Deploys" }).waitFor();
  });
  await matrix("release-undeployed", server, `/projects/${project.id}/releases/2.1.0`, {}, (page) =>
    page.getByText("mayday releases deploy --environment production 2.1.0").waitFor(),
  );
});

test("the list of releases begins with the project's events and all deploys", async () => {
  await matrix("releases-trend", server, `/projects/${project.id}/releases`, {}, async (page) => {
    await page.getByRole("heading", { name: "Events of all releases" }).waitFor();
    await page.getByRole("list", { name: "Deploys" }).getByText("and 1 before").waitFor();
    await page.getByRole("link", { name: "2.1.0", exact: true }).waitFor();
  });
});

test("two releases are compared, and another can be chosen", async () => {
  await matrix("compare", server, `/projects/${project.id}/releases/2.0.0/compare`, {}, async (page) => {
    await page.getByRole("heading", { name: "Compare 2.0.0" }).waitFor();
    const row = (name) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
    assert.match((await row("Users").innerText()).replaceAll(/\s+/g, " "), /Users 3 3/);
    assert.match((await row("New issues").innerText()).replaceAll(/\s+/g, " "), /New issues 1 2/);
    await page.getByRole("region", { name: "New issues 1" }).getByRole("link", { name: long.slice(0, 30) }).waitFor();
    await page.getByText("No issue regressed.").waitFor();
    await page.getByRole("region", { name: "Not seen in 2.0.0" }).getByRole("link", { name: "gone with the old one" }).waitFor();
  });
  await onPage(server, `/projects/${project.id}/releases/2.0.0`, {}, async (page) => {
    await page.getByRole("link", { name: "Compare with the release before" }).click();
    await page.getByRole("heading", { name: "Compare 2.0.0" }).waitFor();
    await page.getByRole("combobox", { name: "with" }).click();
    await page.getByRole("option", { name: "2.1.0" }).click();
    await page.waitForURL(/compare\?with=2\.1\.0$/);
    await page.getByText("not yet").waitFor();
    await page.reload();
    await page.getByText("not yet").waitFor();
  });
  await matrix("compare-alone", server, `/projects/${project.id}/releases/1.0.0/compare`, {}, (page) =>
    page.getByRole("heading", { name: "No release before it" }).waitFor(),
  );
  await onPage(server, `/projects/${project.id}/releases/2.0.0/compare?with=9`, { allow: [404] }, (page) =>
    page.getByText(/Release '9' not found/).waitFor(),
  );
});

test("a pipeline's line comes first, then curl and the recipes of GitHub and GitLab", async () => {
  // The configured address, whatever the reader's.
  const { origin } = new URL(server.origin.replace("127.0.0.1", "localhost"));
  await onPage(server, `/projects/${project.id}/releases/2.1.0`, {}, async (page) => {
    const line = page.getByRole("group", { name: "upload with mayday" });
    assert.equal(await line.innerText(), `MAYDAY_URL=${origin} MAYDAY_KEY="$MAYDAY_KEY" mayday sourcemaps upload --release 2.1.0 dist/`);
    await page.getByRole("tab", { name: "curl" }).click();
    await page.getByRole("group", { name: "upload with curl" }).getByText("curl -sS").waitFor();
    await page.getByRole("tab", { name: "GitHub Actions" }).click();
    const step = page.getByRole("group", { name: "upload for GitHub Actions" });
    await step.getByText(`uses: ./.github/actions/mayday\n  with:\n    url: ${origin}`).waitFor();
    await page.getByRole("tab", { name: "GitLab CI" }).click();
    await page.getByRole("group", { name: "upload for GitLab CI" }).getByText("include: .gitlab/mayday/gitlab.yml").waitFor();
    await page.getByText("First copy the recipes to .gitlab/mayday in your repository").waitFor();
  });
  await onPage(server, `/projects/${project.id}/start`, {}, async (page) => {
    const line = page.getByRole("group", { name: "Source map upload", exact: true });
    assert.match(await line.innerText(), /MAYDAY_KEY="\$MAYDAY_KEY" mayday sourcemaps upload --release 1\.0\.0 dist\//);
    await page.getByText("Without it, with curl").click();
    await page.getByRole("group", { name: "Source map upload with curl" }).getByText("curl -sS").first().waitFor();
    // Where there are none, nothing is asked for but the release.
    for (const name of ["Python", "Go", "curl"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      await page.getByRole("heading", { name: "Next: name your releases" }).waitFor();
      await page.getByText(/^There is nothing to upload\. /).waitFor();
      assert.equal(await line.count(), 0, name);
    }
    await page.getByRole("tab", { name: "React", exact: true }).click();
    await line.waitFor();
  });
});

test("a release says that its source maps came late, and how far they are", async () => {
  const late = await server.project("Late maps");
  const build = new Build("browser-a");
  const [{ url, map }] = build.maps("~/");
  await late.sendAndRead({ type: "Error", message: "late", stack: `Error: late\n    at t (https://shop.example/${url.slice(2)}:1:51)` }, { release: "1.4.2" });
  await late.release("1.4.2", "~/", [{ url, map }]);
  await onPage(server, `/projects/${late.id}/releases/1.4.2`, {}, async (page) => {
    // It says so while it works, for which an answer stands that says that it does.
    await page.getByText(/Source maps arrived after errors did: 1 issue of the last 30 days was resolved again .+; [01] issues? changed\./).waitFor();
    await page.route("**/api/v1/projects/*/releases/1.4.2", async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      Object.assign(body.late, { finished_at: null, issue_count: 3, issues_done: 2 });
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await page.getByRole("status").getByText("Source maps arrived after errors did: 2 of 3 issues are resolved again.").waitFor();
  });
});

test("a release that only events name is listed as seen, and its page says what is missing", async () => {
  const seen = await server.project("Releases that events name");
  await seen.createRelease("1.0.0");
  await sendAll(seen, thrown("unresolved in it", "2.6.2-hotfix", 5, 3));
  await hasIssues(seen, 1);
  await matrix("releases-seen", server, `/projects/${seen.id}/releases`, {}, async (page) => {
    const row = page.getByRole("row").filter({ hasText: "2.6.2-hotfix" });
    await row.getByText("seen in events").waitFor();
    assert.match(await page.getByRole("row").nth(1).innerText(), /1\.0\.0/, "it was created after those events came");
  });
  await matrix("release-seen", server, `/projects/${seen.id}/releases/2.6.2-hotfix`, {}, async (page) => {
    const about = page.getByLabel("About this release");
    await about.getByText("seen in events").waitFor();
    await about.getByText("none until it is created").waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete…" }).count(), 0, "there is nothing to delete");
  });
});

test("the page of a release in Python says that nothing needs source maps, and asks for none", async () => {
  const python = await server.project("Release in Python");
  await python.createRelease("3.1.0");
  const stack = "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 7, in pay\n    total()\nKeyError: 'sku'";
  await python.sendAndRead({ type: "KeyError", message: "'sku'", stack }, { release: "3.1.0" });
  await matrix("release-needless", server, `/projects/${python.id}/releases/3.1.0`, {}, async (page) => {
    await page.getByText("Nothing here needs source maps: the latest event has no minified frames.").waitFor();
    await page.getByText("No source maps have been uploaded, and nothing here needs them.").waitFor();
    await page.getByRole("heading", { name: "Upload from CI" }).waitFor();
    assert.equal(await page.getByRole("group", { name: "upload with mayday" }).isVisible(), false, "it is folded");
  });
});

test("what a person opened before it was known whether a release needs source maps stays open", async () => {
  const python = await server.project("Release opened early");
  await python.createRelease("3.1.0");
  const stack = "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 7, in pay\n    total()\nKeyError: 'sku'";
  await python.sendAndRead({ type: "KeyError", message: "'sku'", stack }, { release: "3.1.0" });
  let answer;
  const held = new Promise((done) => (answer = done));
  await onPage(server, `/projects/${python.id}/releases`, {}, async (page) => {
    await page.route("**/releases/3.1.0/unresolved", (route) => held.then(() => route.continue()));
    await page.getByRole("link", { name: "3.1.0" }).click();
    const commands = page.getByRole("group", { name: "upload with mayday" });
    const title = page.getByRole("heading", { name: "Upload from CI" });
    await title.waitFor();
    assert.equal(await commands.isVisible(), false, "it does not open in order to fold again");
    await title.click();
    await commands.waitFor();
    answer();
    await page.getByText("No source maps have been uploaded, and nothing here needs them.").waitFor();
    assert.equal(await commands.isVisible(), true, "nothing folds under a person");
  });
});
