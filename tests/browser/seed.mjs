// Events for the pages to show: as many issues as wanted, each told apart by its fingerprint.

import { until } from "./server.mjs";

/** Events that the server takes at once. */
const most = 100;

/** The event of one issue: the newest first when the list is sorted by the last event. */
export function eventOf(index, fields = {}) {
  const { exception, ...more } = fields;
  return {
    fingerprint: [`issue-${index}`],
    timestamp: new Date(Date.now() - index * 1_000).toISOString(),
    exception: {
      type: "TypeError",
      message: `number ${index} is not a function`,
      stack: `TypeError: number ${index} is not a function\n    at call${index} (https://shop.example/assets/app.js:1:${index + 1})`,
      ...exception,
    },
    ...more,
  };
}

/** Sends events in batches; each of them is an object without its key. */
export async function sendAll(project, events) {
  for (let at = 0; at < events.length; at += most) {
    const part = events.slice(at, at + most).map((event) => ({ api_key: project.key, ...event }));
    await project.server.post("/api/v1/errors/batch", part, { token: null, expect: 202 });
  }
}

/** Makes so many issues, and waits until the list has them. */
export async function fill(project, count, fieldsOf = () => ({})) {
  await sendAll(project, Array.from({ length: count }, (_, index) => eventOf(index, fieldsOf(index))));
  await hasIssues(project, count);
}

/** Waits until the project has so many issues. */
export function hasIssues(project, count) {
  const path = `/api/v1/projects/${project.id}/issues?limit=1`;
  return until(`${count} issues`, async () => ((await project.server.request(path)).total >= count ? true : undefined), 90_000);
}

/** The ids of all issues that a query finds, in the order of the list. */
export async function idsOf(project, query = "") {
  const ids = [];
  for (;;) {
    const page = await project.server.request(
      `/api/v1/projects/${project.id}/issues?limit=100&offset=${ids.length}&query=${encodeURIComponent(query)}`,
    );
    ids.push(...page.issues.map(({ id }) => id));
    if (!page.has_more) return ids;
  }
}

/** An alert rule with every filter, most of them with several values, some without a place to break them. */
export async function filteredRule(project) {
  const path = `/api/v1/projects/${project.id}`;
  const view = await project.server.post(`${path}/views`, { name: "Carts of customers", query: "cart", shared: true }, { expect: 201 });
  const filters = {
    levels: ["error", "fatal"],
    environments: ["production", "staging"],
    releases: ["shop@2026.11.21+build.1234", "x".repeat(200), ...Array.from({ length: 10 }, (_, patch) => `1.0.${patch}`)],
    tags: [{ key: "plan", value: "professional" }, { key: "region", value: `eu-${"y".repeat(100)}` }],
    query: `cart ${"checkout ".repeat(20)}${"z".repeat(150)}`,
    view_id: view.id,
  };
  await project.server.post(`${path}/alert-rules`, { name: "With every filter", condition: { type: "new" }, filters }, { expect: 201 });
}
