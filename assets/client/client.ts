// The client on all platforms; `browser.ts` and `node.ts` add what depends on the platform.

import { describe } from "./describe.ts";
import { type Reportable, crumbOf, eventOf, isWanted, titleOf } from "./event.ts";
import { randomId } from "./ids.ts";
import { limiter } from "./limit.ts";
import { gatherer, loggerOf } from "./logs.ts";
import { attempt, isObject, text } from "./safe.ts";
import type { WatcherApi, Platform } from "./platform.ts";
import { createScope } from "./scope.ts";
import { type Sender, sender } from "./send.ts";
import type { Tap, Tapped } from "./tap.ts";
import type { Breadcrumb, Context, Exception, Options } from "./types.ts";

/** How long `flush` and `close` wait, in milliseconds. */
const LIMIT = 2_000;
/** Characters of a message, the server's limit. */
const MESSAGE = 8_192;

interface Running {
  options: Options;
  origin: string;
  post: typeof fetch | undefined;
  out: Sender;
  logs: ReturnType<typeof gatherer>;
  end?: (() => void) | undefined;
}

export function createClient(platform: Platform): Tapped {
  const scope = createScope(platform.traceOf);
  const seen = new WeakSet<object>();
  const allows = limiter(platform.most);
  let running: Running | undefined;
  let tap: Tap | undefined;
  let busy = false;

  /** Ignores what the page's own getters and patches throw or log meanwhile. */
  const alone = <T>(act: () => T): T | undefined => {
    if (busy) return undefined;
    busy = true;
    const result = attempt(act);
    busy = false;
    return result;
  };
  const crumb = (each: Breadcrumb): void =>
    void alone(() => {
      const kept = scope.crumb(each);
      tap?.crumb(kept);
    });

  const report = (context: Context = {}, make: () => Reportable | undefined): string | undefined =>
    alone(() => {
      const made = running && make();
      if (!running || !made) return undefined;
      const { options, out } = running;
      const title = titleOf(made);
      if (!isWanted(title, options) || !allows(`${title}\n${made.exception?.stack}`, performance.now()))
        return undefined;
      const event = { ...eventOf(made, context, platform, options), ...scope.fields(context.tags) };
      scope.crumb(crumbOf(made, title));
      attempt(() => tap!.event(event));
      const sent = options.beforeSend ? options.beforeSend(event) : event;
      if (!sent) return undefined;
      out.send("/api/v1/errors", JSON.stringify({ api_key: options.key, ...sent }));
      attempt(() => tap!.sent(sent));
      return sent.event_id;
    });

  const reportThrown = (
    mechanism: string,
    thrown: unknown,
    make: () => Exception | undefined,
    context?: Context,
    handled = false,
  ): string | undefined =>
    report(context, () => {
      // An error that was caught, reported and rethrown is the same error.
      if (isObject(thrown)) {
        if (seen.has(thrown)) return undefined;
        seen.add(thrown);
      }
      const exception = make();
      return exception && { exception: { ...exception, mechanism: { type: mechanism, handled } } };
    });

  const flush = async (limit: number = LIMIT): Promise<boolean> => {
    if (!running) return true;
    running.logs.flush();
    return running.out.flush(limit);
  };

  const start = (options: Options): boolean => {
    const { key, url, release, environment } = options;
    const { origin } = new URL(url);
    if (running || !/^https?:/.test(origin) || !key) return false;
    // The original `fetch`, from before the client wrapped it.
    const post = attempt(() => fetch);
    const out = sender(origin, post);
    const logs = gatherer((entries) => {
      const head = JSON.stringify({ api_key: text(key), release, environment }).slice(0, -1);
      out.send("/api/v1/logs/batch", `${head},"logs":${entries}}`, randomId(16));
    });
    const leave = (): void => {
      logs.flush();
      out.hurry(true);
    };
    running = { options, origin, post, out, logs };
    const api: WatcherApi = {
      options,
      report: reportThrown,
      crumb,
      trace: scope.trace,
      leave,
      retry: out.hurry,
      flush,
    };
    running.end = attempt(() => platform.watch(api));
    return true;
  };

  return {
    init: (options) => !!attempt(() => start({ ...options })),
    captureException: (thrown, context) =>
      reportThrown("generic", thrown, () => describe(thrown, "Error"), context, true),
    captureMessage: (message, context) => report(context, () => ({ message: text(message).slice(0, MESSAGE) })),
    logger: loggerOf((level, line) => {
      const entry = { timestamp: Date.now() / 1_000, level, ...line, trace_id: scope.trace(), ...scope.who };
      running?.logs.add(entry);
    }),
    setUser: scope.setUser,
    setAccount: scope.setAccount,
    setTag: scope.setTag,
    addBreadcrumb: crumb,
    tap(make) {
      if (!running || (tap && make)) return false;
      tap = make?.({
        ...running,
        who: scope.who,
        trace: () => scope.trace(),
        about: () => platform.about(running!.options),
      });
      return !!tap;
    },
    flush,
    async close(limit) {
      attempt(() => running!.end!());
      attempt(() => tap!.end());
      const done = await flush(limit);
      running = undefined;
      return done;
    },
  };
}
