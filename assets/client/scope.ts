import { randomId } from "./ids.ts";
import { attempt } from "./safe.ts";
import type { Account, Breadcrumb, MaydayEvent, Scalar, User } from "./types.ts";
import { cut, plain, texts } from "./values.ts";

/** The newest breadcrumbs are kept, up to the server's limit. */
const CRUMBS = 100;

/** What the page has set for everything that is sent from now on. */
export function createScope(traceOf?: () => string | undefined) {
  const crumbs: Breadcrumb[] = [];
  let tags: Record<string, string> = {};
  let traceId = "";

  const trace = (next?: boolean): string => {
    if (next || !traceId) traceId = randomId(16);
    return traceOf?.() || traceId;
  };

  const who: Pick<MaydayEvent, "user" | "account"> = {};
  return {
    trace,
    who,
    setUser(next: User | null): void {
      who.user = attempt(() => texts(next));
    },
    setAccount(next: Account | null): void {
      who.account = attempt(() => texts(next));
    },
    setTag(name: string, value: Scalar | null): void {
      tags = { ...tags, ...texts({ [name]: value }) };
      if (value === null) delete tags[name];
    },
    /** Keeps a breadcrumb, and returns it as it is kept. */
    crumb({ timestamp, category, message, level, type, data }: Breadcrumb): Breadcrumb {
      const kept: Breadcrumb = {
        timestamp: Number(timestamp) || Date.now(),
        category: category && cut(category),
        message: message && cut(message),
        level: level && (cut(level) as typeof level),
        type: type && cut(type),
        data: data && (plain(data) as Record<string, unknown>),
      };
      crumbs.push(kept);
      if (crumbs.length > CRUMBS) crumbs.shift();
      return kept;
    },
    /** The fields of an event; `more` has the event's own tags. */
    fields: (more: unknown): Pick<MaydayEvent, "user" | "account" | "trace_id" | "tags" | "breadcrumbs"> => ({
      ...who,
      trace_id: trace(),
      tags: { ...tags, ...texts(more) },
      breadcrumbs: crumbs.slice(),
    }),
  };
}
