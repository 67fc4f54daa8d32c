// The client in pages, frames and workers. It does nothing before `init`.

import { address } from "./address.ts";
import { createClient } from "./client.ts";
import type { Platform } from "./platform.ts";
import { watchErrors } from "./errors.ts";
import { visit } from "./ids.ts";
import { all } from "./listen.ts";
import { watchClicks, watchConsole, watchLeaving, watchNavigation } from "./page.ts";
import { watchRequests } from "./requests.ts";
import { attempt } from "./safe.ts";
import type { Tapped } from "./tap.ts";

let ids: ReturnType<typeof visit> | undefined;

const platform: Platform = {
  sdk: "mayday.browser",
  platform: "javascript",
  most: 30,
  about: ({ storage }) => ({
    url: attempt(() => address(location.href)),
    user_agent: attempt(() => navigator.userAgent),
    ...(ids ||= visit(storage !== false))(),
  }),
  watch(api) {
    const ends = [watchErrors, watchClicks, watchConsole, watchNavigation, watchRequests, watchLeaving].map((watch) =>
      attempt(() => watch(api)),
    );
    return all(ends);
  },
};

const registry = globalThis as unknown as Record<symbol, Tapped>;
const name = Symbol.for("mayday");

/** A page that loads the client twice, as a script and in a bundle, shares one. */
export const client: Tapped = (registry[name] ||= createClient(platform));
