// The settings of the instance: its overview, what the disk holds, how long data is kept and its backups; and a
// project's retention.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillLogs, hasLogs } from "./log-seed.mjs";
import { member } from "./people.mjs";
import { eventOf, fill, hasIssues, sendAll } from "./seed.mjs";
import { Server, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";
import { matrix, onPage, pictures } from "./web.mjs";

let server;
let shop;

const button = (page, name) => page.getByRole("button", { name, exact: true });
const retention = (project) => `/projects/${project.id}/settings/retention`;

before(async () => {
  server = await Server.start();
  shop = await server.project("Shop");
  await fill(shop, 5);
  await fillLogs(shop, 120);
  await hasLogs(shop, 120);
  await server.project("Quiet");
  await until("the usage is measured", async () => {
    const usage = await server.request(`/api/v1/projects/${shop.id}/usage`);
    return usage.kinds.find(({ kind }) => kind === "logs").count === 120;
  });
});
after(() => server?.stop());

test("the overview says how the server is set up, what it sends, and what its jobs do", async () => {
  const overview = await server.request("/api/v1/instance");
  await matrix("instance-overview", server, "/instance", {}, async (page) => {
    await page.getByText(overview.version, { exact: true }).waitFor();
    await page.getByText("not checked: SERVICE_UPDATE_FEED_URL is not set").waitFor();
    await page.getByText("e-mail and password", { exact: true }).waitFor();
    await page.getByText("not set up: copy invitation and password links").waitFor();
    // Whether all is well, and the disk, before everything else; of the jobs only how many there are.
    const health = page.getByRole("region", { name: "Health" });
    await health.getByText("Healthy", { exact: true }).waitFor();
    const note = health.getByRole("note").filter({ hasText: "No backups are scheduled." });
    assert.match(await note.getByRole("link", { name: "Schedule backups" }).getAttribute("href"), /\/instance\/backups$/);
    await health.getByText(/^[\d.]+ (MiB|GiB|TiB) free on the disk; Mayday takes [\d.]+ (KiB|MiB|GiB)\.$/).waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
    await page.getByText(`${overview.jobs.length} jobs`, { exact: true }).click();
    await page.getByRole("table", { name: "Jobs" }).getByRole("row", { name: /^Usage Measures/ }).waitFor();
  });
  await onPage(server, "/instance", {}, async (page) => {
    await page.getByText(`${overview.jobs.length} jobs`, { exact: true }).click();
    // Each job is explained, and what is sent is shown word for word.
    const rows = page.getByRole("table", { name: "Jobs" }).locator("tbody tr");
    await rows.first().waitFor();
    const names = await rows.evaluateAll((all) => all.map((row) => [...row.cells[0].children].map((part) => part.innerText)));
    assert.equal(names.length, overview.jobs.length);
    assert.deepEqual(names.filter(([, about]) => about === ""), []);
    const sent = page.getByRole("group", { name: "What would be sent" });
    assert.deepEqual(JSON.parse(await sent.innerText()), overview.heartbeat.payload);
  });
});

test("an administrator announces maintenance, and everybody is told", async () => {
  const { token } = await member(server, "told@example.com");
  await onPage(server, "/instance", {}, async (page) => {
    const part = page.getByRole("region", { name: "Announce" });
    await button(part, "Announce").click();
    await part.getByText("Enter a title.").waitFor();
    await part.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Maintenance" }).click();
    await part.getByLabel("Title").fill("Maintenance on Sunday");
    await part.getByLabel("Text (optional)").fill("For an hour");
    await button(part, "Announce").click();
    await page.getByText("Announced to everybody").waitFor();
    assert.equal(await part.getByLabel("Title").inputValue(), "");
  });
  const told = await until("the notification", async () => {
    const { notifications } = await server.request("/api/v1/notifications?category=system", { token });
    return notifications.find(({ title }) => title === "Maintenance on Sunday");
  });
  assert.deepEqual([told.title, told.summary, told.notification_metadata.kind], ["Maintenance on Sunday", "For an hour", "maintenance"]);
});

test("a newer release and a job that fails stand out", async () => {
  const change = (overview) => ({
    ...overview,
    update: {
      enabled: true,
      checked_at: new Date(Date.now() - 3_600_000).toISOString(),
      error: "feed.example: no answer within 10 s",
      available: { version: "99.1.0", url: "https://releases.example/99.1.0", first_seen_at: "2026-11-01T00:00:00Z" },
    },
    mail: { configured: true, waiting: 1_204, waiting_since: "2026-11-25T10:00:00Z", error: "could not connect to mail.example:587: connection refused" },
    gateway: { enabled: true },
    heartbeat: { ...overview.heartbeat, enabled: true, reason: "configured", endpoint: `https://${"long.".repeat(40)}example/` },
    jobs: overview.jobs.map((job) =>
      job.name === "usage"
        ? { ...job, runs: 1_234_567, failures: 12, last_run: { began_at: overview.started_at, duration_ms: 4_320_000, succeeded: false } }
        : job,
    ),
  });
  const routes = (page) =>
    page.route("**/api/v1/instance", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: change(await answer.json()) });
    });
  await matrix("instance-overview-trouble", server, "/instance", { routes }, async (page) => {
    const note = page.getByRole("note").filter({ hasText: "Mayday 99.1.0 is available" });
    assert.equal(await note.getByRole("link", { name: "What is new" }).getAttribute("href"), "https://releases.example/99.1.0");
    await page.getByRole("alert").getByText("The last run of a job failed.").waitFor();
    await page.getByRole("alert").getByText("1,204 mails could not be sent yet. Could not connect to mail.example").waitFor();
    assert.equal(await page.getByText("Healthy", { exact: true }).count(), 0);
    const failed = page.getByRole("table", { name: "Failed jobs" }).locator("tbody tr");
    assert.equal(await failed.count(), 1);
    assert.match(await failed.innerText(), /Usage[^]*failed[^]*1 h 12 min[^]*1\.2M[^]*12/);
    await page.getByText("the last check failed: feed.example").waitFor();
  });
});

test("without a schedule, backups say which variables switch them on", async () => {
  await matrix("instance-backups-off", server, "/instance/backups", {}, async (page) => {
    await page.getByRole("heading", { name: "No scheduled backups" }).waitFor();
    await page.getByRole("group", { name: "Variables for backups" }).getByText("SERVICE_BACKUP_SCHEDULE=").waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
  });
});

/** A server that backs up into a directory. */
async function backingUp(target, act) {
  const variables = { SERVICE_BACKUP_SCHEDULE: "0 3 * * *", SERVICE_BACKUP_TO: target, SERVICE_BACKUP_KEEP: "3" };
  const other = await Server.start({ variables });
  try {
    await until("the first backup has ended", async () => {
      const { runs } = await other.request("/api/v1/instance/backups");
      return runs.some(({ ended_at }) => ended_at !== null) ? true : undefined;
    });
    await act(other);
  } finally {
    await other.stop();
  }
}

test("a scheduled backup is shown with its size and duration, and so is what is kept", async () => {
  const target = mkdtempSync(join(tmpdir(), "mayday-backups-"));
  try {
    await backingUp(target, async (other) => {
      const { runs, kept } = await other.request("/api/v1/instance/backups");
      await matrix("instance-backups", other, "/instance/backups", {}, async (page) => {
        const row = page.getByRole("table", { name: "Last runs" }).getByRole("row", { name: runs[0].name });
        await row.getByText("succeeded").waitFor();
        assert.match(await row.innerText(), /\d (ms|s)\b[^]*[\d.]+ (B|KiB|MiB)/);
        await page.getByRole("table", { name: "At the destination" }).getByRole("row", { name: kept[0].name }).waitFor();
        await page.getByText("0 3 * * *", { exact: true }).waitFor();
        await page.getByText("the newest 3", { exact: true }).waitFor();
        await page.getByText("included: keep these backups as safe as the server").waitFor();
        await page.getByText(/^in \d+ h$/).waitFor();
      });
    });
  } finally {
    rmSync(target, { recursive: true });
  }
});

test("a backup that fails says why", async () => {
  const target = join(tmpdir(), `mayday-nowhere-${process.pid}`, "a long path ".repeat(12).trim());
  await backingUp(target, (other) =>
    matrix("instance-backups-failed", other, "/instance/backups", {}, async (page) => {
      await page.getByRole("alert").getByText(/^The last backup failed\. .*nowhere.*No such file/).waitFor();
      await page.getByRole("alert").getByText(/^The destination could not be listed\./).waitFor();
      await page.getByRole("table", { name: "Last runs" }).getByText("failed", { exact: true }).waitFor();
      await page.getByText("none yet", { exact: true }).waitFor();
    }),
  );
});

test("usage is shown by kind and by project, and leads to a project's retention", async () => {
  await matrix("instance-usage", server, "/instance/usage", {}, async (page) => {
    await page.getByRole("table", { name: "By kind" }).getByText("120 entries").waitFor();
    await page.getByText("once there are figures for two days").waitFor();
    await page.getByRole("table", { name: "By project" }).getByText("Quiet").waitFor();
  });
  await onPage(server, "/instance/usage", {}, async (page) => {
    const size = page.getByRole("table", { name: "By kind" }).getByTitle(/^[\d,]+ bytes$/).first();
    assert.match(await size.innerText(), /^[\d.]+ (B|KiB|MiB)$/);
    await page.getByRole("table", { name: "By project" }).getByRole("link", { name: "Shop" }).click();
    await page.waitForURL((url) => url.pathname === retention(shop));
    await page.getByText("This project holds 5 events").waitFor();
  });
});

/** Half a year of growth, many projects, and a disk that is nearly full. */
function grown(usage) {
  const day = (index) => new Date(Date.UTC(2026, 5, 1 + index)).toISOString().slice(0, 10);
  const history = Array.from({ length: 90 }, (_, index) => ({ day: day(index), bytes: (index + 5) * 4e9, kinds: [] }));
  const kinds = usage.kinds.map((part, index) => ({ ...part, count: 1_234_567 * (9 - index), bytes: 9e10 / (index + 1) }));
  const projects = Array.from({ length: 30 }, (_, index) => ({
    ...usage.projects[0],
    project_id: 1_000 + index,
    name: index === 0 ? "A name of 300 characters ".repeat(12) : `Project ${index}`,
    kinds,
    bytes: 9e10 / (index + 1),
    growth_bytes_per_day: index % 3 === 0 ? -5e6 : 3e8,
  }));
  return { ...usage, kinds, projects, history, bytes: 3.8e11, free_bytes: 1e8, growth_bytes_per_day: 4e9, full_in_days: 0 };
}

test("a large instance says when its disk will be full", async () => {
  const routes = async (page) => {
    await page.route("**/api/v1/instance/usage", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: grown(await answer.json()) });
    });
  };
  await matrix("instance-usage-large", server, "/instance/usage", { routes }, async (page) => {
    await page.getByRole("img", { name: /^Size on each of 60 days/ }).waitFor();
    await page.getByText("nothing more can be accepted within a day").waitFor();
    await page.getByRole("alert").getByText("The disk is nearly full").waitFor();
  });
});

test("what cannot be loaded can be tried again", async () => {
  let fails = true;
  const routes = (page) =>
    page.route("**/api/v1/instance/**", (route) =>
      fails ? route.fulfill({ status: 500, json: { detail: "Not now" } }) : route.fallback(),
    );
  await onPage(server, "/instance/retention", { allow: [500], routes }, async (page) => {
    await page.getByRole("heading", { name: "The limits could not be loaded" }).waitFor();
    await pictures(page, "instance-failed");
    fails = false;
    await button(page, "Try again").click();
    await page.getByRole("table", { name: "By project" }).waitFor();
  });
});

test("a dry run says what limits for all projects would remove, and how to set them", async () => {
  await matrix("instance-retention", server, "/instance/retention", {}, async (page) => {
    await page.getByRole("table", { name: "By project" }).waitFor();
    await page.getByRole("group", { name: "Log entries" }).getByLabel("Number").fill("20");
    await page.keyboard.press("Enter");
    const tried = page.getByRole("table", { name: "With these limits" });
    await tried.getByText(/^100 log entries .* to remove$/).waitFor();
    await page.getByText("SERVICE_RETENTION_LOGS_COUNT=20").waitFor();
  });
  const name = "x".repeat(128);
  await server.project(name);
  await onPage(server, "/instance/retention", {}, async (page) => {
    await page.getByRole("table", { name: "By project" }).getByRole("row", { name: new RegExp(`^${name}`) }).waitFor();
    await pictures(page, "instance-retention-long", [1440, 1024, 800, 390].map((width) => ({ width, scheme: "light" })));
  });
  const defaults = await server.request("/api/v1/instance/retention");
  assert.equal(defaults.defaults.logs.count, null, "nothing was set");
  await onPage(server, "/instance/retention", {}, async (page) => {
    const days = page.getByRole("group", { name: "Events" }).getByLabel("Days");
    // However many lines explain a field, labels stand beside labels and fields beside fields.
    const tops = (part) => page.locator("fieldset").first().locator(part).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    for (const part of ["label", "input"]) assert.equal(new Set(await tops(part)).size, 1, part);
    await days.fill("4000");
    await button(page, "Preview").click();
    await page.getByText("Enter a whole number from 0 to 3,650, or nothing.").waitFor();
    assert.equal(await days.getAttribute("aria-invalid"), "true");
  });
});

test("limits that remove something are asked about before they are saved", async () => {
  const project = await server.project("Limited");
  await fill(project, 4);
  await matrix("retention-settings", server, retention(project), {}, (page) =>
    page.getByText("Nothing stored now is beyond these limits.").waitFor(),
  );
  const stored = async () => (await server.request(`/api/v1/projects/${project.id}`)).settings.retention.events;
  await onPage(server, retention(project), {}, async (page) => {
    const events = page.getByRole("group", { name: "Events" });
    await events.getByLabel("Number").fill("1");
    await page.getByText("These limits remove 3 events").waitFor();
    await button(page, "Save").click();
    const ask = page.getByRole("dialog", { name: "Delete what is beyond these limits?" });
    await ask.getByText("This cannot be undone.").waitFor();
    await pictures(page, "retention-confirm");
    await page.keyboard.press("Escape");
    await ask.waitFor({ state: "hidden" });
    assert.equal((await stored()).count, null);
    await button(page, "Save").click();
    await button(ask, "Save and delete").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.equal((await stored()).count, 1);
    // What removes nothing is saved at once; an empty field is the instance's.
    await events.getByLabel("Number").fill("");
    await events.getByLabel("Days").fill("365");
    await button(page, "Save").click();
    await page.getByText("Saved", { exact: true }).nth(1).waitFor();
    assert.deepEqual(await stored(), { count: null, days: 365, megabytes: null });
  });
});

test("members see a project's limits, and neither change them nor see the instance", async () => {
  const { token } = await member(server, "bob@example.com");
  await onPage(server, retention(shop), { token, allow: [403] }, async (page) => {
    await page.getByRole("note").getByText("Changing these settings is for owners and admins.").waitFor();
    assert.equal(await button(page, "Save").count(), 0);
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: /^Usage/ }).click();
    await page.getByRole("note").getByText(/role/).waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
    for (const path of ["/instance", "/instance/backups"]) {
      await page.goto(server.origin + path);
      await page.getByRole("note").getByText(/role/).waitFor();
      assert.equal(await page.getByRole("table").count(), 0);
    }
  });
});

test("an issue says that retention removed its older events, or all of them", async () => {
  const project = await server.project("Thinned");
  const events = (name, count) => Array.from({ length: count }, () => ({ ...eventOf(0), fingerprint: [name] }));
  await sendAll(project, events("gone", 2));
  await hasIssues(project, 1);
  await sendAll(project, events("thinned", 4));
  await project.issuesOf(6);
  const settings = { retention: { events: { count: 2 } } };
  await server.post(`/api/v1/projects/${project.id}`, { settings }, { method: "PATCH" });
  // A start looks at once.
  await server.goAway();
  await server.comeBack();
  await until("retention has left two events", async () => {
    const { kinds } = await server.request(`/api/v1/projects/${project.id}/usage`);
    return kinds.find(({ kind }) => kind === "events").count === 2 ? true : undefined;
  });
  const { issues } = await project.issues();
  const path = (count) => `/projects/${project.id}/issues/${issues.find((issue) => issue.event_count === count).id}#events`;
  await matrix("issue-thinned", server, path(4), {}, async (page) => {
    await page.getByText("Older events were removed by retention.").waitFor();
    assert.equal(await page.getByRole("table", { name: "Events of this issue" }).getByRole("row").count(), 3, "with the head");
  });
  await matrix("issue-emptied", server, path(2), { allow: [404] }, (page) =>
    page.getByRole("heading", { name: "No events are stored" }).waitFor(),
  );
  // An issue that has all of its events says nothing of the kind.
  const { issues: whole } = await shop.issues();
  await onPage(server, `/projects/${shop.id}/issues/${whole[0].id}#events`, {}, async (page) => {
    await page.getByRole("table", { name: "Events of this issue" }).waitFor();
    assert.equal(await page.getByText("removed by retention").count(), 0);
  });
});
