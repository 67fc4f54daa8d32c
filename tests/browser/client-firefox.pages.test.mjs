// The client in another engine: Debian's Firefox runs the shop, whose page presses its own buttons.

import assert from "node:assert/strict";
import { firefox, inFirefox } from "./firefox.mjs";
import { eventsOf, replaysOf } from "./recorded.mjs";
import { topOfOurs } from "./resolved.mjs";
import { sharedServer, until } from "./server.mjs";
import { shopSite } from "./shop-site.mjs";
import { marked, places } from "./shop.mjs";
import { before, test } from "./suite.mjs";

let server;

before(async () => {
  server = await sharedServer();
});

/** What the page does by itself, once the shop and the client are there; it says what its own handlers saw. */
const press = `<script>
  const seen = [];
  addEventListener("error", (event) => seen.push("error " + event.message));
  addEventListener("unhandledrejection", () => seen.push("rejection"));
  const wait = (test) => new Promise((done) => { const timer = setInterval(() => test() && done(clearInterval(timer)), 50); });
  addEventListener("DOMContentLoaded", async () => {
    await wait(() => document.querySelector('[data-sku="TEA-01"]') && window.mayday && mayday.startReplay);
    await mayday.startReplay();
    mayday.setUser({ id: 7 });
    document.querySelector('[data-sku="TEA-01"]').click();
    mayday.logger.info("{item} was added", { item: "tea" });
    await fetch("/missing");
    document.querySelector("#pay-unknown").click();
    await wait(() => seen.length === 1);
    Promise.reject(new RangeError("no voucher"));
    await wait(() => seen.length === 2);
    const id = mayday.captureMessage("all is said");
    await mayday.stopReplay();
    await mayday.flush(10000);
    fetch("/seen", { method: "POST", body: JSON.stringify({ seen, id, userAgent: navigator.userAgent }) });
  });
</script>`;

test("errors, logs, breadcrumbs and a replay of a page in Firefox arrive, and the stack is read at its source", async () => {
  test.skip(!firefox, "There is no firefox-esr on the PATH: apt-get install firefox-esr, or set FIREFOX_BIN");
  const project = await server.project("firefox");
  const tag = `<script src="${server.origin}/client.js" data-key="${project.key}" data-release="1.0.0" data-replay="always" crossorigin async></script>${press}`;
  let told;
  const site = await shopSite("browser-a", tag, (path, body) => {
    if (path === "/seen") told = JSON.parse(body);
  });
  try {
    await project.release("1.0.0", `${site.origin}/`, site.build.maps(`${site.origin}/`));
    await inFirefox(`${site.origin}/`, () => until("the page is done", async () => told, 90_000));
    assert.match(told.userAgent, /Firefox\/\d/);
    assert.equal(told.seen.length, 2);
    const { issues } = await project.issuesOf(3);
    const events = [];
    for (const { id } of issues) {
      const { events: some } = await server.request(`/api/v1/projects/${project.id}/issues/${id}/events`);
      for (const { event_id } of some) events.push(await project.event(event_id));
    }
    const byType = (type) => events.find(({ exception }) => exception?.type === type);
    const thrown = events.find(({ exception }) => /XBT/.test(exception?.message ?? ""));
    assert.ok(thrown, JSON.stringify(events.map(({ exception, message }) => exception ?? message)));
    assert.deepEqual(thrown.exception.mechanism, { type: "onerror", handled: false });
    assert.match(thrown.exception.stack, /@http:\/\/127\.0\.0\.1/);
    const { file, line, function: name } = topOfOurs(thrown).resolved;
    assert.deepEqual({ file, line, name }, { file: places.price.file, line: marked(places.price.file, places.price.marker).line, name: places.price.function });
    assert.match(thrown.user_agent, /Firefox/);
    assert.equal(thrown.user.id, "7");
    const categories = thrown.breadcrumbs.map(({ category }) => category);
    assert.deepEqual(categories.filter((each) => each !== "console"), ["ui.click", "fetch", "ui.click"]);
    assert.equal(byType("RangeError").exception.mechanism.type, "onunhandledrejection");
    assert.equal(events.find(({ message, exception }) => !exception && message === "all is said").event_id, told.id);
    const logs = await until("the log entry", async () => {
      const { logs: found } = await server.request(`/api/v1/projects/${project.id}/logs`);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(logs.map(({ message, template }) => [message, template]), [["tea was added", "{item} was added"]]);
    assert.equal(logs[0].trace_id, thrown.trace_id);
    const [replay] = await replaysOf(server, project, 1, ({ is_complete, error_count }) => is_complete && error_count >= 2);
    assert.equal(replay.has_full_snapshot, true);
    assert.equal(thrown.replay_id, replay.replay_id);
    assert.match(JSON.stringify(await eventsOf(server, project, replay)), /Earl Grey|Tea|TEA/i);
  } finally {
    await site.close();
  }
});
