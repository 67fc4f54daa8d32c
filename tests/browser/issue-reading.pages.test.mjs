// How an issue's page is read: what comes first on it, what is whole, and how one gets around.

import assert from "node:assert/strict";
import { fill, idsOf } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, onPage } from "./web.mjs";

let server;

const header = (page) => page.locator("main header");
const link = (page, name) => page.getByRole("link", { name, exact: true });

before(async () => {
  server = await sharedServer();
});

/** A project with one issue of one event. */
async function issueOf(name, exception, fields) {
  const project = await server.project(name);
  const event = await project.sendAndRead(exception, fields);
  return `/projects/${project.id}/issues/${event.issue_id}`;
}

/** A frame that was sent with its source; `app` is our own code. */
const frame = (name, { app = true, file = app ? "src/cart.py" : "/usr/lib/python3/site-packages/flask/app.py", line = 10 } = {}) => ({
  function: name,
  filename: file,
  lineno: line,
  in_app: app,
  pre_context: ["before", "it"],
  context_line: `    ${name}()`,
  post_context: ["after"],
});

const heads = (page) => page.locator("main button[aria-expanded]").filter({ visible: true });

test("the root cause is read first, and then what it led to", async () => {
  const exception = {
    type: "CheckoutError",
    message: "the order was not placed",
    frames: [frame("checkout")],
    cause: { type: "StoreError", message: "no rows", frames: [frame("store")], cause: { type: "SocketError", message: "refused", frames: [frame("connect")] } },
  };
  const path = await issueOf("Causes", exception, { platform: "python" });
  await onPage(server, path, {}, async (page) => {
    await header(page).getByText("CheckoutError").waitFor();
    const chain = page.getByRole("region", { name: /^Stack/ }).locator("section[aria-label]");
    await eventually(() => chain.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label"))), ["Caused by SocketError", "Which led to StoreError", "Which led to CheckoutError"], "the order of the chain");
    const open = await chain.evaluateAll((all) => all.map((each) => each.querySelectorAll("button[aria-expanded=true]").length));
    assert.deepEqual(open, [1, 0, 0], "only the root cause is open");
    await chain.first().getByText("connect()").waitFor();
  });
});

test("the nearest own frame is open, the others say their line; library frames after the first are one row", async () => {
  const frames = [frame("abort", { app: false }), ...["route", "dispatch", "full_dispatch"].map((name, at) => frame(name, { app: false, line: 20 + at })), frame("total"), frame("checkout", { line: 30 }), frame("main", { line: 40 })];
  const path = await issueOf("Libraries", { type: "Abort", message: "no", frames }, { platform: "python" });
  await onPage(server, path, {}, async (page) => {
    await heads(page).first().waitFor();
    const stack = page.getByRole("region", { name: /^Stack/ });
    const read = () => stack.locator("li > button[aria-expanded]").evaluateAll((all) => all.map((each) => `${each.getAttribute("aria-expanded") === "true" ? "open" : "closed"} ${each.innerText.split("\n")[0].trim()}`));
    await eventually(read, ["closed abort", "closed 3 frames of flask", "open total", "closed checkout", "closed main"], "the frames");
    for (const name of ["abort", "checkout", "main"]) await stack.getByRole("button", { name: new RegExp(`^${name} .* ${name}\\(\\)`) }).waitFor();
    assert.equal(await stack.getByRole("button", { name: /^total/ }).getByText("total()").count(), 0, "the open one has its source beneath");
    await stack.getByRole("button", { name: "3 frames of flask" }).click();
    await stack.getByRole("button", { name: /^full_dispatch/ }).waitFor();
  });
});

test("an open frame shows what its local variables held, without secrets", async () => {
  const vars = { total: 1200, cart: { items: ["coat"] }, password: "hunter2" };
  const frames = [{ ...frame("total"), vars }, frame("main", { line: 40 })];
  const path = await issueOf("Variables", { type: "KeyError", message: "no", frames }, { platform: "python" });
  await onPage(server, path, {}, async (page) => {
    const locals = page.getByRole("region", { name: /^Stack/ }).getByRole("group", { name: "Local variables" });
    await locals.getByText("1200").waitFor();
    await locals.getByText("[Filtered]").waitFor();
    await locals.getByRole("button", { name: /cart/ }).click();
    await locals.getByRole("button", { name: /items/ }).click();
    await locals.getByText("coat", { exact: true }).waitFor();
    assert.equal(await page.getByText("hunter2").count(), 0);
    await page.getByRole("button", { name: /^main/ }).click();
    assert.equal(await locals.count(), 1, "the other frame was sent without any");
  });
});

test("folded calls show what the variables of each held, one call after the other", async () => {
  const frames = [...[3, 2, undefined, 0].map((depth) => ({ ...frame("walk"), ...(depth !== undefined && { vars: { depth } }) })), frame("main", { line: 40 })];
  const path = await issueOf("Recursion", { type: "RecursionError", message: "too deep", frames }, { platform: "python" });
  await onPage(server, path, {}, async (page) => {
    await page.getByRole("button", { name: /^walk .*× 4/ }).waitFor();
    const locals = page.getByRole("region", { name: /^Stack/ }).getByRole("group", { name: "Local variables" });
    const read = async () => [await locals.getByRole("status").innerText(), await locals.locator("ul").innerText()];
    await eventually(read, ["Call 1 of 4", "depth\n3"], "the call nearest to the error");
    const [previous, next] = ["Previous call", "Next call"].map((name) => locals.getByRole("button", { name }));
    assert.equal(await previous.getAttribute("aria-disabled"), "true");
    await next.focus();
    await page.keyboard.press("Enter");
    await eventually(read, ["Call 2 of 4", "depth\n2"], "the next call");
    await page.keyboard.press("Enter");
    await eventually(read, ["Call 4 of 4", "depth\n0"], "the one without variables is left out");
    await page.keyboard.press("Enter");
    assert.deepEqual(await read(), ["Call 4 of 4", "depth\n0"], "there is no other");
    await previous.click();
    await eventually(read, ["Call 2 of 4", "depth\n2"], "back again");
  });
});

test("the links to the sections stay in sight, mark the one that is read, and name only those there are", async () => {
  const breadcrumbs = Array.from({ length: 12 }, (_, at) => ({ category: "ui.click", message: `button ${at}` }));
  const frames = Array.from({ length: 12 }, (_, at) => frame(`call${at}`, { line: 10 + at }));
  const fields = { platform: "python", breadcrumbs, tags: { locale: "de" }, contexts: { device: { model: "X" } } };
  const path = await issueOf("Sections", { type: "E", message: "m", frames }, fields);
  await onPage(server, path, {}, async (page) => {
    const nav = page.getByRole("navigation", { name: "Sections of this event" });
    const current = () => nav.locator("[aria-current]").allInnerTexts();
    await link(nav, "JSON").waitFor();
    assert.deepEqual(await nav.getByRole("link").allInnerTexts(), ["Stack", "Breadcrumbs", "Logs", "Request", "Tags", "Contexts", "IDs", "JSON"]);
    await eventually(current, ["Stack"], "the section at first");
    await link(nav, "Breadcrumbs").click();
    await eventually(current, ["Breadcrumbs"], "the section that was chosen");
    const isBelow = () => page.evaluate(() => {
      const bar = document.querySelector("nav[aria-label='Sections of this event']").getBoundingClientRect();
      const heading = document.getElementById("section-breadcrumbs").getBoundingClientRect();
      return scrollY > 0 && bar.top >= 0 && bar.bottom < innerHeight && heading.top >= bar.bottom - 1 && heading.top < innerHeight / 2;
    });
    await eventually(isBelow, true, "the heading stands below the links");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "section-breadcrumbs");
    // With the header out of sight, what the page is about and what is done most stands beside the links.
    const stuck = page.getByRole("group", { name: /^SECTIONS-1$/ });
    await stuck.getByText("E: m").waitFor();
    // Its title keeps room where the links have to scroll, and is cut before they are where there is enough.
    const moreThanLinks = async () => (await stuck.boundingBox()).width > (await nav.boundingBox()).width;
    await page.setViewportSize({ width: 1024, height: 900 });
    await eventually(moreThanLinks, true, "the line has more room than the links at 1024 px");
    await page.setViewportSize({ width: 1440, height: 900 });
    await eventually(() => nav.evaluate((bar) => bar.scrollWidth - bar.clientWidth), 0, "what is cut of the links at 1440 px");
    await stuck.getByRole("button", { name: "Resolve" }).click();
    await stuck.getByRole("button", { name: "Reopen" }).waitFor();
    // The last section never reaches the top, and is marked all the same.
    await link(nav, "JSON").click();
    await eventually(current, ["JSON"], "the last section");
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, -20_000);
    await eventually(current, ["Stack"], "the section at the top again");
    await stuck.waitFor({ state: "detached" });
  });
  // On a phone it is all of the line, with the links a swipe away.
  await onPage(server, path, { width: 390 }, async (page) => {
    await link(page.getByRole("navigation", { name: "Sections of this event" }), "JSON").waitFor();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    const stuck = page.getByRole("group", { name: /^SECTIONS-1$/ });
    const parts = [stuck.getByText("SECTIONS-1"), stuck.getByText("E: m"), stuck.getByRole("button", { name: "Reopen" }), stuck.getByRole("link", { name: "Older event" }), stuck.getByRole("link", { name: "Newer event" })];
    for (const part of parts) {
      const { x, width } = await part.boundingBox();
      assert.ok(x >= 0 && width > 20 && x + width <= 390, `${await part.getAttribute("aria-label")} from ${x}, ${width} px wide`);
    }
  });
  const short = await issueOf("Few", undefined, { type: "message", message: "Nothing else", exception: undefined });
  await onPage(server, short, {}, async (page) => {
    const nav = page.getByRole("navigation", { name: "Sections of this event" });
    await link(nav, "JSON").waitFor();
    assert.deepEqual(await nav.getByRole("link").allInnerTexts(), ["Logs", "Request", "IDs", "JSON"]);
  });
});

test("on every tab a line says what the page is about once its header is out of sight", async () => {
  const path = await issueOf("Tabs", { type: "E", message: "m", frames: [frame("call", { line: 10 })] });
  for (const tab of ["timeline", "events", "activity", "agents"]) {
    await onPage(server, `${path}#${tab}`, { height: 500 }, async (page) => {
      const stuck = page.getByRole("group", { name: /^TABS-1$/ });
      const panel = page.getByRole("tabpanel");
      await panel.evaluate((each) => (each.style.minHeight = "200vh"));
      assert.equal(await stuck.count(), 0, `${tab}: the header is in sight`);
      const before = await panel.evaluate((each) => each.scrollHeight);
      await page.evaluate(() => scrollTo(0, 450));
      await stuck.getByText("E: m").waitFor();
      await stuck.getByRole("button", { name: "Resolve" }).waitFor();
      assert.equal(await stuck.getByRole("link", { name: "Older event" }).count(), tab === "timeline" ? 1 : 0, tab);
      assert.ok((await stuck.boundingBox()).y < 10, `${tab}: at the top`);
      assert.equal(await panel.evaluate((each) => each.scrollHeight), before, `${tab}: nothing has moved`);
    });
  }
});

test("the page stays where it is whoever an event happened to, and the steps between issues keep their place", async () => {
  const project = await server.project("Steady");
  const people = ["u@example.com", `${"somebody.with.a.long.name".repeat(4)}@example.com`];
  let event;
  for (const email of people) event = await project.sendAndRead({ type: "E", message: "m" }, { user: { id: email, email } });
  const path = `/projects/${project.id}/issues/${event.issue_id}`;
  await onPage(server, path, { width: 1024 }, async (page) => {
    const shown = page.getByRole("group", { name: "Event shown" });
    const top = async (email) => {
      await shown.getByText(email, { exact: true }).waitFor();
      return (await page.getByRole("tabpanel").boundingBox()).y;
    };
    const before = await top(people[1]);
    await page.getByRole("navigation", { name: "Events of this issue" }).getByRole("link", { name: "Older event" }).click();
    assert.equal(await top(people[0]), before);
  });
  await onPage(server, path, { width: 390 }, async (page) => {
    const middle = async (name) => {
      const { y, height } = await page.locator(`main [aria-label="${name}"]`).boundingBox();
      return y + height / 2;
    };
    assert.ok(Math.abs((await middle("Next issue")) - (await middle("Back to the list of issues"))) < 8);
  });
});

test("a message that is no error is called none, in its words and its colour", async () => {
  const breadcrumbs = [{ category: "ui.click", message: "a button", timestamp: new Date(Date.now() - 5_000).toISOString() }];
  const path = await issueOf("No error", undefined, { type: "message", level: "info", message: "The banner was dismissed", exception: undefined, breadcrumbs });
  await onPage(server, path, {}, async (page) => {
    const axis = page.getByRole("slider", { name: "Time around this event" });
    const [line, info] = await axis.evaluate((lines) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--info)";
      return [getComputedStyle(lines.querySelector("[data-level]")).backgroundColor, getComputedStyle(probe).color];
    });
    assert.equal(line, info);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByText(/If it happens again/).waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /\b(this|the) error\b/i);
  });
});

test("a message is as large a title as an exception; a long one is whole on demand", async () => {
  const long = `Payment ${"was declined by the bank and ".repeat(40)}end`;
  const message = await issueOf("Message", undefined, { type: "message", message: long, exception: undefined });
  const exception = await issueOf("Exception", { type: "PaymentError", message: "declined", frames: [] });
  const size = (element) => getComputedStyle(element).fontSize;
  let large;
  await onPage(server, exception, {}, async (page) => {
    large = await header(page).getByText("PaymentError").evaluate(size);
  });
  await onPage(server, message, {}, async (page) => {
    const title = header(page).getByText(/^Payment was declined/);
    assert.equal(await title.evaluate(size), large);
    const height = () => title.evaluate((element) => element.clientHeight);
    const cut = await height();
    await header(page).getByRole("button", { name: /^Show all/ }).click();
    await eventually(async () => (await height()) > cut, true, "all of the title");
    assert.match(await title.innerText(), /end$/);
  });
});

test("the line that threw wraps where others scroll", async () => {
  const thrown = `raise OrderError(${Array.from({ length: 12 }, (_, at) => `argument_${at}`).join(", ")})`;
  const other = `other(${"x".repeat(600)})`;
  const frames = [{ ...frame("pay"), pre_context: [other], context_line: thrown }];
  const path = await issueOf("Wrapped", { type: "OrderError", message: "no", frames }, { platform: "python" });
  for (const width of [1440, 390]) {
    await onPage(server, path, { width }, async (page) => {
      const source = page.getByRole("group", { name: /^Source of/ });
      await source.getByText("argument_11").waitFor();
      const [fits, scrolls] = await source.evaluate((box) => {
        const right = (element) => element.getBoundingClientRect().right;
        return [right(box.querySelector("[data-thrown] code")) <= right(box) + 1, box.scrollWidth > box.clientWidth];
      });
      assert.deepEqual([fits, scrolls], [true, true], `at ${width} pixels`);
    });
  }
});

test("J and K lead through the list that the issue was opened from, as it stood then", async () => {
  const project = await server.project("Neighbours");
  await fill(project, 5, (at) => ({ exception: { message: at === 2 ? "something else" : `cart ${at} is empty` } }));
  const button = (page, name) => page.locator("main header").getByLabel(name, { exact: true });
  const isDisabled = (page, name) => button(page, name).getAttribute("aria-disabled");
  const reads = (page, words) => header(page).getByText(words, { exact: true }).waitFor();
  const list = `/projects/${project.id}/issues`;
  await onPage(server, `${list}?query=is:unresolved+cart`, {}, async (page) => {
    await page.locator("[data-issue]").filter({ hasText: "cart 1 is empty" }).getByRole("link").first().click();
    await reads(page, "cart 1 is empty");
    await page.keyboard.press("j");
    await reads(page, "cart 3 is empty");
    await page.keyboard.press("k");
    await reads(page, "cart 1 is empty");
    // Resolved, it leaves the list; the way through it stays.
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await page.keyboard.press("k");
    await reads(page, "cart 0 is empty");
    await eventually(() => isDisabled(page, "Previous issue"), "true", "no issue before the first");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await reads(page, "cart 1 is empty");
    await button(page, "Next issue").click();
    await reads(page, "cart 3 is empty");
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Next issue", "the focus");
    await page.keyboard.press("Enter");
    await reads(page, "cart 4 is empty");
    await eventually(() => isDisabled(page, "Next issue"), "true", "no issue after the last");
    await page.keyboard.press("j");
    await reads(page, "cart 4 is empty");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog");
    for (const words of ["Next issue", "Previous issue"]) await help.getByText(words, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    // A reload forgets nothing of it.
    await page.reload();
    await reads(page, "cart 4 is empty");
    await eventually(() => isDisabled(page, "Previous issue"), null, "an issue before the last");
    await page.keyboard.press("k");
    await reads(page, "cart 3 is empty");
    // One step back is the list.
    await page.goBack();
    await page.locator("[data-issue]").first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get("query"), "is:unresolved cart");
  });
  const [first, second] = await idsOf(project, "is:unresolved");
  await onPage(server, `${list}/${first}`, {}, async (page) => {
    await eventually(() => isDisabled(page, "Next issue"), null, "an issue after the first");
    await page.keyboard.press("j");
    await eventually(async () => new URL(page.url()).pathname, `${list}/${second}`, "the next of the project's own list");
  });
});

test("what is counted of a context leads to the events and to the issues with its value", async () => {
  const contexts = { os: { name: "Linux", build: "6.1" }, browser: { name: "Firefox", version: "140" } };
  const path = await issueOf("Contexts", { type: "E", message: "m" }, { contexts });
  await onPage(server, path, {}, async (page) => {
    const section = page.locator("section[aria-labelledby='section-contexts']");
    await section.getByRole("button", { name: /^os/ }).click();
    await section.getByText("6.1", { exact: true }).waitFor();
    assert.deepEqual(await section.getByRole("link").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.innerText)), ["Linux", "Issues with contexts.os.name Linux", "Issues without contexts.os.name Linux"]);
    await link(section, "Linux").click();
    const asked = (name) => new URL(page.url()).searchParams.get(name);
    await page.getByRole("link", { name: "Remove the filter contexts.os.name: Linux" }).waitFor();
    assert.equal(asked("facet"), "contexts.os.name:Linux");
    await page.goBack();
    const shares = page.getByRole("region", { name: "Contexts of all events" });
    await link(shares, "Issues with contexts.browser.name Firefox").click();
    await page.locator("[data-issue]").first().waitFor();
    assert.equal(asked("query"), "contexts.browser.name:Firefox");
  });
});

test("long values of a context stay in their column while it is closed", async () => {
  const long = (word) => Array.from({ length: 6 }, () => `${word} Unlimited`).join(" ");
  const contexts = { device: { family: long("Phone"), model: long("Tablet") }, browser: { name: long("Browser"), version: "1" } };
  const path = await issueOf("Long contexts", { type: "E", message: "m" }, { contexts });
  for (const width of [1440, 1024, 390]) {
    await onPage(server, path, { width }, async (page) => {
      const section = page.locator("section[aria-labelledby='section-contexts']");
      const fold = section.getByRole("button", { name: /^device/ });
      await fold.waitFor();
      const [outer, inner] = [await section.boundingBox(), await fold.boundingBox()];
      assert.ok(inner.x + inner.width <= outer.x + outer.width + 1, `to ${inner.x + inner.width} of ${outer.x + outer.width} px`);
    });
  }
});

test("data of twenty levels opens at once, and stays in its column", async () => {
  let deep = { level: 20, text: "a long text of several words ".repeat(4) };
  for (let level = 19; level > 0; level -= 1) deep = { level, child: deep };
  const path = await issueOf("Deep", { type: "E", message: "m" }, { extra: { child: deep } });
  for (const width of [1440, 390]) {
    await onPage(server, path, { width }, async (page) => {
      const section = page.locator("section[aria-labelledby='section-extra']");
      for (let level = 1; level <= 20; level += 1) await section.getByRole("button", { name: /^child/, expanded: false }).click({ timeout: 5_000 });
      const text = section.getByText(/^a long text/);
      const [outer, inner] = [await section.boundingBox(), await text.boundingBox()];
      assert.ok(inner.width >= 100, `${inner.width} px wide at ${width}`);
      assert.ok(inner.x + inner.width <= outer.x + outer.width + 1, `to ${inner.x + inner.width} of ${outer.x + outer.width} px`);
    });
  }
});

test("what was sent as null is shown and copied, and what was not sent is not", async () => {
  const path = await issueOf("Null", { type: "E", message: "m" }, { extra: { coupon: null }, user: { id: "u1", email: null } });
  await onPage(server, path, { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    const section = (name) => page.locator(`section[aria-labelledby='section-${name}']`);
    await eventually(() => section("extra").locator("ul").innerText(), "coupon\nnull", "the extra");
    await section("extra").getByRole("button", { name: "Copy Extra as JSON" }).click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText()), '{\n  "coupon": null\n}', "the copy");
    assert.equal(await section("user").locator("ul").innerText(), "ID\nu1");
  });
});

test("after the last of a long list is asked for, the focus is on the first that came", async () => {
  const path = await issueOf("Long list", { type: "E", message: "m" }, { extra: { list: Array.from({ length: 60 }, (_, at) => `entry ${at}`) } });
  await onPage(server, path, {}, async (page) => {
    const section = page.locator("section[aria-labelledby='section-extra']");
    await section.getByRole("button", { name: /^list/ }).click();
    await section.getByRole("button", { name: "Show more (10 left)" }).focus();
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), "50entry 50", "the focus");
  });
});
