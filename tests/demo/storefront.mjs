// The shop in the browser: what goes wrong there, how often, and where each issue stands.

import { host } from "./build.mjs";
import { breadcrumbs } from "./people.mjs";

/**
 * Releases with the days since they were made. Those that stand `apart` are for one issue each, whose
 * frames stay unresolved: some maps are missing, all are, the prefix does not fit, or nobody has made
 * the release.
 */
export const releases = [
  { version: "2.3.0", age: 20, prefix: "~/", maps: "all" },
  { version: "2.4.0", age: 11, prefix: "~/", maps: "all" },
  { version: "2.4.1", age: 9, prefix: "~/", maps: "main", apart: true },
  { version: "2.5.0", age: 6.5, prefix: "~/", maps: "all" },
  { version: "2.6.0", age: 3, prefix: "~/", maps: "all" },
  { version: "2.6.1", age: 1, prefix: "~/", maps: "all" },
  { version: "2.7.0-beta.1", age: 4, prefix: "~/static/", maps: "all", apart: true },
  { version: "2.7.0-canary.4", age: 2, prefix: "~/", maps: "none", apart: true },
  { version: "2.6.2-hotfix", age: 1.6, maps: "unmade", apart: true },
];

/** `[action, share, route, more]`: how much of all events, and whatever is unlike the usual. */
const throws = [
  ["coupon", 120, "/cart", { priority: "high", assign: true }],
  ["filters", 95, "/search", {}],
  ["route", 80, "/lists/gifts", { level: "warning" }],
  ["authorise", 72, "/checkout", { handled: true, level: "warning" }],
  ["srcset", 60, "/tea/green", {}],
  ["order", 55, "/checkout", { level: "fatal", assign: true, priority: "high" }],
  ["shipping", 48, "/checkout", { assign: true }],
  ["feed", 44, "/p/TEA-07", { level: "warning" }],
  ["suggest", 42, "/search", { level: "info", handled: true, state: { status: "ignored" } }],
  ["tile", 38, "/stores", { state: { status: "ignored", ignore_events: 500 } }],
  ["stock", 0, "/checkout", { escalating: true, priority: "high" }],
  ["rank", 34, "/search", {}],
  ["restore", 30, "/cart", { span: [13.5, 5], state: { status: "resolved", resolved_in_release: "2.5.0" } }],
  ["refresh", 28, "/account", { level: "warning" }],
  ["wallet", 24, "/checkout", { span: [6, 0], assign: true }],
  ["merge", 24, "/cart", { span: [13.8, 3.5], regressed: true, assign: true }],
  ["slug", 22, "/p/POT-02", { span: [12, 4], state: { status: "resolved" } }],
  ["quota", 20, "/lists/gifts", {}],
  ["address", 18, "/checkout", { level: "warning", handled: true, priority: "low" }],
  ["translation", 18, "/checkout", { level: "warning" }],
  ["arabic", 15, "/checkout", { locale: "ar-EG", span: [9, 0] }],
  ["currency", 14, "/p/TEA-07", { span: [6.4, 0] }],
  ["import", 12, "/tea", { span: [5, 0], long: true }],
  ["nearest", 12, "/stores", {}],
  ["challenge", 11, "/checkout", { assign: true }],
  ["facets", 10, "/search", { span: [3, 0], level: "fatal" }],
  ["decode", 9, "/p/POT-02", { level: "info", state: { status: "ignored", ignore_users: 50 } }],
  ["highlight", 9, "/search", { span: [13, 6], state: { status: "resolved", resolved_in_release: "next" } }],
  ["push", 8, "/account", {}],
  ["banner", 8, "/", { span: [2.9, 0] }],
  ["confirm", 6, "/checkout", { assign: true, priority: "high" }],
  ["refund", 4, "/account", { span: [2.8, 0] }],
  // Each from a release whose maps do not fit: its frames stay minified, and the page says why.
  ["prices", 9, "/tea", { release: "2.4.1", span: [8.9, 0] }],
  ["countdown", 7, "/", { release: "2.7.0-beta.1", span: [3.9, 0] }],
  ["pages", 4, "/p/TEA-07", { release: "2.6.2-hotfix", span: [1.5, 0] }],
  ["offers", 7, "/", { release: "2.7.0-canary.4", span: [1.9, 0] }],
];

const said = [
  ["Slow answer: /api/recommendations took 4,812 ms", "warning", 26, "/"],
  ["Consent banner was dismissed without a choice", "info", 16, "/"],
];

export const actions = throws.map(([action]) => action);

/** Every issue of the project: `{share, span, …}` and `make`, one event of it. */
export function issues({ exceptions, people }) {
  const thrown = throws.map(([action, share, route, more]) => ({
    ...more,
    name: action,
    share,
    span: more.span ?? [13.9, 0],
    make: (random, time, release) => {
      const { visitor, event } = visit(random, time, route, people, more);
      const exception = exceptions.get(release).get(action);
      const mechanism = { type: more.handled ? "generic" : random.pick(["onerror", "onunhandledrejection"]), handled: more.handled ?? false };
      const stated = more.long ? stretched(exception) : exception;
      return { ...event, type: "exception", level: more.level ?? "error", release, exception: { ...stated, mechanism }, extra: extra(random, route, visitor) };
    },
  }));
  const messages = said.map(([message, level, share, route]) => ({
    name: message,
    share,
    span: [13.9, 0],
    make: (random, time, release) => ({ ...visit(random, time, route, people, {}).event, type: "message", level, message, release }),
  }));
  return [...thrown, ...messages];
}

/** Exactly 300 characters of message: what a page makes of it is worth looking at. */
function stretched(exception) {
  const message = exception.message.padEnd(300, ", AUTUMN-2624").slice(0, 300);
  return { ...exception, message, stack: exception.stack.replace(exception.message, () => message) };
}

function visit(random, time, route, people, { locale, release }) {
  const visitor = random.early(people.users);
  const { user, account, device } = visitor;
  const staging = release !== undefined || random.chance(0.08);
  const language = locale ?? visitor.locale;
  const url = `${host.slice(0, -1)}${route}${route === "/search" ? "?q=tea&brand=100%" : ""}`;
  const os = device.osVersion ? `${device.os} ${device.osVersion}` : device.os;
  return {
    visitor,
    event: {
      timestamp: new Date(time).toISOString(),
      platform: "javascript",
      sdk: { name: "mayday.browser", version: "0.1.0" },
      environment: staging ? "staging" : "production",
      url: staging ? url.replace("shop.example", "staging.shop.example") : url,
      user_agent: device.agent,
      user,
      ...(account && { account: { id: account.id, name: account.name } }),
      trace_id: random.hex(32),
      span_id: random.hex(16),
      session_id: `s_${random.hex(12)}`,
      tags: {
        browser: `${device.browser} ${device.version.split(".")[0]}`,
        os,
        device: device.model,
        locale: language,
        route,
        ...(account && { plan: account.plan }),
      },
      contexts: {
        browser: { name: device.browser, version: device.version },
        os: { name: device.os, version: device.osVersion },
        device: { model: device.model, memory_mb: random.pick([4_096, 8_192, 16_384]), online: true },
        app: { build: random.hex(8), locale: language, theme: random.pick(["light", "dark"]) },
      },
      breadcrumbs: breadcrumbs(random, time, route),
    },
  };
}

const extra = (random, route, { account }) => ({
  cart: { lines: random.whole(1, 9), total_cents: random.whole(900, 48_000), currency: random.pick(["EUR", "GBP", "JPY"]) },
  request: { method: "GET", route, headers: { accept: "text/html", authorization: "Bearer made-up" } },
  experiments: { checkout_v3: random.chance(0.5), gift_wrap: account !== undefined },
});
