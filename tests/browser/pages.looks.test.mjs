// Every page in its states, in each look; and what the server says with them.

import assert from "node:assert/strict";
import { Server, owner } from "./server.mjs";
import { Build, priceError } from "./shop.mjs";
import { after, before, test } from "./suite.mjs";
import { heldBack, matrix, onPage, pictures } from "./web.mjs";

let server;
let unclaimed;
let shop;
let empty;

const heading = (page, name) => page.getByRole("heading", { name, level: 1 }).waitFor();
const issueOf = async (project, words) => (await project.issues()).issues.find(({ title }) => title.includes(words)).id;

before(async () => {
  [server, unclaimed] = await Promise.all([Server.start(), Server.start({ claim: false })]);
  const node = new Build("node-a");
  shop = await server.project("Shop");
  empty = await server.project("Empty");
  await shop.release("1.4.2", node.nodePrefix, node.maps(node.nodePrefix));
  await shop.createRelease("1.5.0-beta.1+build.7");
  const error = await priceError(node);
  for (let user = 0; user < 3; user += 1) {
    await shop.sendAndRead(error, {
      release: "1.4.2",
      fingerprint: ["price"],
      user: { id: `u-${user}`, email: `person${user}@example.com` },
      tags: { browser: "Firefox 133", plan: user ? "free" : "pro" },
      breadcrumbs: [{ category: "ui.click", message: "button#order", level: "info", data: { sku: "TEA-01" } }],
      contexts: { device: { memory: 8 } },
      extra: { cart: [{ sku: "TEA-01", quantity: 2 }] },
      url: "https://shop.example/cart",
    });
  }
  const stack = "TypeError: undefined is not a function\n    at o (https://shop.example/assets/gone-123.js:1:200)\n    at https://shop.example/assets/gone-123.js:1:300";
  await shop.sendAndRead({ type: "TypeError", message: "without a map", stack }, { release: "1.4.2", fingerprint: ["no map"] });
});
after(async () => {
  await server?.stop();
  await unclaimed?.stop();
});

test("setup, while nobody has claimed the instance", async () => {
  const options = { signedIn: false };
  await matrix("setup", unclaimed, "/setup", options, async (page) => {
    await heading(page, "Claim this instance");
    await page.getByRole("button", { name: "Claim and sign in" }).click();
    await page.getByText(/Enter|expected|needs|groups/i).first().waitFor();
    assert.ok((await page.locator('[aria-invalid="true"]').count()) >= 3, "each field says what is wrong");
  });
  const wrong = Array(8).fill("0000").join("-");
  await onPage(unclaimed, `/setup#token=${wrong}`, { ...options, allow: [403] }, async (page) => {
    assert.equal(new URL(page.url()).hash, "", "the token does not stay in the address");
    assert.equal(await page.getByLabel("Setup token").inputValue(), wrong);
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByLabel("Organization").fill(owner.organization_name);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Claim and sign in" }).click();
    const { detail } = await (await answer).json();
    await page.getByText(detail.slice(0, 30)).or(page.getByText(new RegExp(detail.slice(15, 40)))).first().waitFor();
    assert.equal(await page.getByLabel("E-mail").inputValue(), owner.email, "what was typed stays");
  });
  await onPage(unclaimed, "/", options, (page) => heading(page, "Nobody has claimed this instance"));
});

test("setup, when it was claimed", async () => {
  await matrix("setup-claimed", server, "/setup", { signedIn: false }, (page) => heading(page, "This instance has been claimed"));
});

test("sign-in, refused and held off", async () => {
  await matrix("login", server, "/login", { signedIn: false }, async (page) => {
    await heading(page, "Sign in");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill("wrong, and long enough");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  });
  const routes = (page) =>
    page.route("**/auth/password/login", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "90" }, json: { detail: "too many attempts" } }));
  await onPage(server, "/login", { signedIn: false, routes, allow: [429] }, async (page) => {
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill("x");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Try again in 1 min \d\d s/ }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Try again in/ }).isDisabled(), true);
  });
});

test("a new project", async () => {
  await matrix("new-project", server, "/projects/new", {}, async (page) => {
    await heading(page, "New project");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
  });
});

test("the first steps, waiting and with events", async () => {
  await matrix("start", server, `/projects/${empty.id}/start`, {}, (page) => page.getByText("Waiting for the first event").waitFor());
  await onPage(server, `/projects/${shop.id}/start`, {}, async (page) => {
    await page.getByText("already receives events").waitFor();
    for (const name of ["Node.js", "Python", "Go", "curl", "Script tag"]) {
      await page.getByRole("tab", { name, exact: true }).click();
      await page.getByRole("group", { name: `${name} snippet` }).waitFor();
    }
  });
  // On a phone it would cover what it is about.
  for (const [width, position] of [[1440, "sticky"], [390, "static"]]) {
    await onPage(server, `/projects/${empty.id}/start`, { width }, async (page) => {
      await page.getByText("Waiting for the first event").waitFor();
      assert.equal(await page.locator("#event").evaluate((step) => getComputedStyle(step).position), position);
    });
  }
});

test("an issue with a resolved stack", async () => {
  const id = await issueOf(shop, "XBT");
  await matrix("issue", server, `/projects/${shop.id}/issues/${id}`, {}, async (page) => {
    await page.getByRole("group", { name: /^Source of src\/price\.ts/ }).first().waitFor();
    assert.match(await page.locator("[data-thrown]").first().innerText(), /throws here/);
  });
  for (const tab of ["events", "activity"]) {
    await onPage(server, `/projects/${shop.id}/issues/${id}#${tab}`, {}, async (page) => {
      await page.getByRole("tab", { selected: true, name: new RegExp(tab, "i") }).waitFor();
      await pictures(page, `issue-${tab}`, [{ width: 1440, scheme: "light" }, { width: 390, scheme: "dark" }]);
    });
  }
});

test("an issue with frames that are not resolved says why, and what mends it", async () => {
  const id = await issueOf(shop, "without a map");
  await matrix("issue-unresolved", server, `/projects/${shop.id}/issues/${id}`, {}, async (page) => {
    await page.getByText(/not resolved to source/).first().waitFor();
    await page.getByText("Not resolved:").first().waitFor();
  });
});

test("an issue or an event that is not there says so", async () => {
  await onPage(server, `/projects/${shop.id}/issues/999999`, { allow: [404] }, (page) =>
    page.getByRole("heading", { name: "This project has no such issue" }).waitFor(),
  );
  const id = await issueOf(shop, "XBT");
  await onPage(server, `/projects/${shop.id}/issues/${id}?event=no-such-event`, { allow: [404] }, (page) =>
    page.getByRole("heading", { name: "Event not found" }).waitFor(),
  );
});

test("releases: none, some, one of them, and one that is not there", async () => {
  await matrix("releases-empty", server, `/projects/${empty.id}/releases`, {}, (page) => page.getByRole("heading", { name: "No releases yet" }).waitFor());
  const many = await server.project("Many releases");
  for (let patch = 0; patch < 60; patch += 1) await many.createRelease(`2.${patch}.0-${"x".repeat(patch)}`);
  await matrix("releases", server, `/projects/${many.id}/releases`, {}, (page) => page.getByText("60 releases", { exact: true }).waitFor());
  await matrix("release", server, `/projects/${shop.id}/releases/1.4.2`, {}, async (page) => {
    await heading(page, "1.4.2");
    await page.getByText(/shop\.mjs/).filter({ visible: true }).first().waitFor();
    const edges = (of) => page.locator(of).evaluateAll((all) => new Set(all.map((each) => Math.round(each.getBoundingClientRect().left))).size);
    const [words, figures] = ["About this release", "Figures of this release"].map((name) => `dl[aria-label="${name}"]`);
    for (const column of [`${words} dt`, `${words} dd`, `${figures} dt`]) assert.equal(await edges(column), 1, `${column} are aligned`);
    const ends = await page.locator(`${figures} dd > *`).evaluateAll((all) => all.map((each) => [Math.round(each.getBoundingClientRect().right), getComputedStyle(each).fontVariantNumeric]));
    assert.equal(new Set(ends.map(String)).size, 1, `figures end at one edge, in digits of one width: ${ends}`);
    assert.match(ends[0][1], /tabular-nums/);
  });
  await onPage(server, `/projects/${shop.id}/releases/no-such`, { allow: [404] }, (page) =>
    page.getByRole("heading", { name: "Release not found" }).waitFor(),
  );
});

for (const section of ["general", "keys", "limits", "high-value", "scrubbing", "set-aside"]) {
  test(`settings: ${section}`, async () => {
    await matrix(`settings-${section}`, server, `/projects/${shop.id}/settings/${section}`, {}, async (page) => {
      await page.getByRole("navigation", { name: "Settings" }).locator('[aria-current="page"]').waitFor({ state: "attached" });
      await page.locator("main h2").first().waitFor();
    });
  });
}

test("pages that load say so, and pages that fail say why and can be tried again", async () => {
  const id = await issueOf(shop, "XBT");
  const places = [
    ["issue", `/projects/${shop.id}/issues/${id}`, /\/issues\/\d+(\/event\b.*)?$/],
    ["releases", `/projects/${shop.id}/releases`, /\/releases(\?|$)/],
    ["release", `/projects/${shop.id}/releases/1.4.2`, /\/releases\/1\.4\.2$/],
    ["settings-keys", `/projects/${shop.id}/settings/keys`, /\/api-keys$/],
    ["settings-limits", `/projects/${shop.id}/settings/limits`, /\/limits$/],
    ["start", `/projects/${shop.id}/start`, /\/issues\?limit=1$/],
  ];
  for (const [name, path, pattern] of places) {
    const api = (url) => url.pathname.startsWith("/api/") && pattern.test(url.pathname + url.search);
    let held;
    let failing = true;
    // A status that nothing asks again for by itself.
    const answer = (route) => (failing ? route.fulfill({ status: 400, json: { detail: "the disk is full" } }) : route.continue());
    const routes = async (page) => void (held = await heldBack(page, api, answer));
    await onPage(server, path, { routes, wait: false, allow: [400] }, async (page) => {
      await page.locator('main [aria-busy="true"] [class*="Skeleton"]').first().waitFor();
      await pictures(page, `${name}-loading`);
      held.go();
      const alert = page.locator("main").getByRole("alert").filter({ hasText: "the disk is full" });
      await alert.first().waitFor();
      await pictures(page, `${name}-failed`);
      failing = false;
      await alert.first().getByRole("button", { name: "Try again" }).click();
      await alert.first().waitFor({ state: "detached" });
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
    });
  }
});
