// Fills a server with the demo's projects, through the public API alone.

import { Api, each, until } from "./api.mjs";
import { buildReleases } from "./build.mjs";
import { sendLogs } from "./logs.mjs";
import * as orders from "./orders.mjs";
import { makePeople } from "./people.mjs";
import { Random, moment } from "./random.mjs";
import * as storefront from "./storefront.mjs";

const hour = 3_600_000;
const day = 24 * hour;
const batchSize = 100;
/** Batches under way at once. */
const batchesAtOnce = 4;
/** Events of the current hour that make an issue escalate which had one or two an hour before. */
const burst = 80;

/**
 * Makes two projects and fills them; needs a claimed server.
 *
 * @param server `{origin, token}`, the token a signed-in owner's.
 * @param options `seed`; `events`, about how many altogether; `now` in milliseconds; `say`, told of
 *   each phase. Each issue has an event at least, and the escalating one over 200 a week.
 * @returns `{projects: [{id, name, key, events, issues}], events, issues}`.
 */
export async function fill(server, { seed = 1, events = 9_000, now = Date.now(), say = () => undefined } = {}) {
  const api = new Api(server.origin, server.token);
  const random = new Random(seed);
  const people = makePeople(random);

  const versions = storefront.releases.map(({ version }) => version);
  const builds = await buildReleases(versions);
  const exceptions = new Map();
  for (const [version, build] of builds) {
    const thrown = new Map();
    for (const action of storefront.actions) thrown.set(action, await build.thrownBy(action));
    exceptions.set(version, thrown);
  }
  say(`${versions.length} releases of the shop built and run`);

  const [organization] = await api.get("/api/v1/organizations");
  const me = await api.get("/api/v1/me");
  const shop = await makeProject(api, organization, "Storefront", "javascript");
  const backend = await makeProject(api, organization, "Orders API", "python");
  const maps = await uploadReleases(api, shop, builds);
  for (const { version } of orders.releases) await finalized(api, backend, version, "");
  say(`2 projects, ${versions.length + orders.releases.length} releases, ${maps} source maps`);

  const plans = [
    { project: shop, releases: storefront.releases, issues: storefront.issues({ exceptions, people }) },
    { project: backend, releases: orders.releases, issues: orders.issues({ people }) },
  ];
  const shares = plans.flatMap((plan) => plan.issues).reduce((sum, issue) => sum + issue.share, 0);
  for (const plan of plans) {
    plan.history = history(random, plan, events / shares, now);
    await send(api, plan.project, plan.history.map(({ event }) => event), say);
    await digested(api, plan.project, plan.history.length);
    say(`${plan.project.name}: ${plan.history.length} events of 14 days`);
  }

  let changed = 0;
  for (const plan of plans) changed += await settle(api, plan, me.id, now);
  say(`${changed} issues resolved, ignored, assigned or given a priority`);

  for (const plan of plans) {
    const latest = recent(random, plan, now);
    if (latest.length === 0) continue;
    await send(api, plan.project, latest);
    await digested(api, plan.project, plan.history.length + latest.length);
    say(`${plan.project.name}: ${latest.length} events of the last hour, one issue back and one escalating`);
    plan.history.push(...latest);
  }

  for (const plan of plans) {
    const events = plan.history.map((sent) => sent.event ?? sent);
    const sent = events.map((event) => ({ event, time: Date.parse(event.timestamp) }));
    const count = await sendLogs(api, plan.project, sent, { seed: seed + plan.project.id, now });
    say(`${plan.project.name}: ${count} log entries of the last three days`);
  }

  const projects = [];
  for (const { project, history } of plans) {
    const { total } = await api.get(`/api/v1/projects/${project.id}/issues?limit=1`);
    projects.push({ ...project, events: history.length, issues: total });
  }
  const sum = (key) => projects.reduce((total, project) => total + project[key], 0);
  return { projects, events: sum("events"), issues: sum("issues") };
}

async function makeProject(api, organization, name, platform) {
  const { id } = await api.post(`/api/v1/organizations/${organization.id}/projects`, { name, platform });
  const { key } = await api.post(`/api/v1/projects/${id}/api-keys`, { name: "demo" });
  return { id, name, key };
}

function form(fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

async function finalized(api, project, version, prefix, maps = []) {
  const token = project.key;
  await api.request("POST", "/api/v1/releases", { token, form: form({ version, url_prefix: prefix }) });
  for (const { url, map } of maps) {
    const sourcemap = new File([map], `${url.split("/").at(-1)}.map`, { type: "application/json" });
    await api.request("POST", "/api/v1/sourcemaps", { token, form: form({ release: version, url, sourcemap }) });
  }
  await api.request("POST", `/api/v1/releases/${encodeURIComponent(version)}/finalize`, { token });
}

/** Makes the shop's releases with the maps that each is to have; answers how many maps. */
async function uploadReleases(api, project, builds) {
  let count = 0;
  for (const { version, prefix, maps } of storefront.releases.filter((release) => release.maps !== "unmade")) {
    const all = builds.get(version).maps(prefix);
    const some = { all, none: [], main: all.filter(({ url }) => url.includes("/main-")) }[maps];
    await finalized(api, project, version, prefix, some);
    count += some.length;
  }
  return count;
}

/** Every event but the last hour's, the oldest first: `[{issue, time, event}]`. */
function history(random, { issues, releases, project }, each, now) {
  const all = [];
  for (const issue of issues) {
    const times = issue.escalating ? quiet(random, now) : spread(random, issue, Math.round(issue.share * each), now);
    for (const time of times) all.push({ issue, time, event: eventOf(random, issue, time, releases, project, now) });
  }
  return all.sort((one, other) => one.time - other.time);
}

/** Times of an issue's events; the first is where its span begins, so that no issue is a day old. */
function spread(random, { span }, count, now) {
  // Chance of its own: how often it is asked depends on the hour, and all else must not.
  const own = new Random(random.whole(0, 2 ** 32 - 1));
  const first = now - span[0] * day + own.next() * hour;
  return [first, ...Array.from({ length: Math.max(0, count - 1) }, () => moment(own, now, span))];
}

/** One or two events in each hour of the last ten days. */
function quiet(random, now) {
  const times = [];
  const start = Math.floor(now / hour) * hour;
  for (let at = start - 10 * day; at < start; at += hour) {
    for (let count = random.chance(0.3) ? 2 : 1; count > 0; count -= 1) times.push(at + random.whole(0, hour - 1));
  }
  return times;
}

function eventOf(random, issue, time, releases, project, now) {
  const release = issue.release ?? releaseAt(random, time, releases, now);
  return { api_key: project.key, event_id: random.hex(32), ...issue.make(random, time, release) };
}

/** The release that was live at a time; some visitors have not reloaded since the one before. */
function releaseAt(random, time, releases, now) {
  const made = releases.filter(({ apart, age }) => !apart && now - age * day <= time);
  const behind = random.chance(0.12) ? 2 : 1;
  return (made.at(-behind) ?? made.at(-1)).version;
}

/** Of the last minutes: an issue that was resolved is back, and one escalates. */
function recent(random, { issues, releases, project }, now) {
  const start = Math.max(Math.floor(now / hour) * hour, now - 20 * 60_000);
  const times = (count) => Array.from({ length: count }, () => start + Math.floor(random.next() * (now - start)));
  const newest = releases.filter(({ apart }) => !apart).at(-1).version;
  const of = (issue, count) =>
    times(count).map((time) => eventOf(random, { ...issue, release: newest }, time, releases, project, now));
  return issues.flatMap((issue) => {
    if (issue.regressed) return of(issue, 6);
    return issue.escalating ? of(issue, burst) : [];
  });
}

async function send(api, project, events, say = () => undefined) {
  const batches = [];
  for (let from = 0; from < events.length; from += batchSize) batches.push(events.slice(from, from + batchSize));
  let sent = 0;
  let told = 0;
  await each(batches, batchesAtOnce, async (batch) => {
    const { dropped } = await api.post("/api/v1/errors/batch", batch, { token: null });
    if (dropped > 0) throw new Error(`${project.name}: ${dropped} events of a batch were dropped`);
    sent += batch.length;
    if (sent - told >= 2_500 && sent < events.length) {
      told = sent;
      say(`${project.name}: ${sent} of ${events.length} events sent`);
    }
  });
}

/** Waits until the project's issues have counted so many events. */
function digested(api, project, count) {
  return until(`${count} events of ${project.name} are digested`, async () => {
    const { issues } = await api.get(`/api/v1/projects/${project.id}/issues?limit=100`);
    const counted = issues.reduce((sum, issue) => sum + issue.event_count, 0);
    return counted >= count ? counted : undefined;
  });
}

/** Gives issues the state that their plan names; answers how many were changed. */
async function settle(api, { project, history }, me, now) {
  const newest = new Map(history.map(({ issue, event }) => [issue, event.event_id]));
  let changed = 0;
  for (const [issue, eventId] of newest) {
    const change = changeOf(issue, me, now);
    if (Object.keys(change).length === 0) continue;
    const { issue_id: id } = await api.get(`/api/v1/events/${eventId}?project_id=${project.id}`);
    const path = `/api/v1/projects/${project.id}/issues/${id}`;
    await api.patch(path, change);
    if (issue.assign && issue.priority) await comment(api, path, issue.name);
    changed += 1;
  }
  return changed;
}

function changeOf({ state = {}, assign, priority, regressed }, me, now) {
  const { ignore_until: days, ...rest } = state;
  return {
    ...rest,
    ...(days && { ignore_until: new Date(now + days * day).toISOString() }),
    ...(regressed && { status: "resolved", resolved_in_release: "2.6.0" }),
    ...(assign && { assignee: me }),
    ...(priority && { priority }),
  };
}

/** A server without comments answers 404 or 405. */
async function comment(api, path, name) {
  const body = `Seen again while testing: ${name}. The support team has two tickets about it.`;
  await api.request("POST", `${path}/comments`, { json: { body, text: body }, expect: [200, 201, 404, 405, 422] });
}
