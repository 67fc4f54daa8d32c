// What the benchmark looks at: the demo's projects, the first of them with thousands of issues more.

import { fill as fillDemo } from "../../demo/fill.mjs";
import { hasIssues, sendAll } from "../seed.mjs";
import { Project } from "../server.mjs";

/** Events of the demo; its issues with resolved frames are the ones that the benchmark opens. */
const demoEvents = 3_000;
const day = 86_400_000;
const places = ["cart", "checkout", "search", "account", "catalogue", "payment", "delivery", "login"];

/** Fills a claimed server; answers with the project that has `count` issues more than the demo's. */
export async function makeData(server, count) {
  const { projects } = await fillDemo({ origin: server.origin, token: server.token }, { events: demoEvents });
  const [{ id, key, issues }] = projects;
  const project = new Project(server, id, key);
  await sendAll(project, Array.from({ length: count }, (_, index) => other(index, Date.now())));
  await hasIssues(project, issues + count);
  return project;
}

/** An event of an issue of its own, seen before the demo's newest ones. */
function other(index, now) {
  const place = places[index % places.length];
  const at = `https://shop.example/assets/${place}.js:1:${index + 1}`;
  return {
    fingerprint: [`bench-${index}`],
    timestamp: new Date(now - 2 * day - index * 60_000).toISOString(),
    environment: index % 5 === 0 ? "staging" : "production",
    user: { id: `u-${index % 700}` },
    exception: {
      type: ["TypeError", "RangeError", "ReferenceError"][index % 3],
      message: `${place} ${index}: cannot read properties of undefined (reading 'total')`,
      stack: `Error: ${place} ${index}\n    at render${index} (${at})\n    at update (${at})`,
    },
  };
}
