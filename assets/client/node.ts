// The package in Node.

import { AsyncLocalStorage } from "node:async_hooks";
import { createClient } from "./client.ts";
import type { Platform } from "./platform.ts";
import { describe } from "./describe.ts";
import { randomId } from "./ids.ts";
import type { Mayday, NodeMayday } from "./types.ts";

export type * from "./types.ts";

/** How long an ending process waits for unsent data, in milliseconds. */
const LIMIT = 2_000;

const traces = new AsyncLocalStorage<string>();

const platform: Platform = {
  sdk: "mayday.node",
  platform: "node",
  most: 600,
  traceOf: () => traces.getStore(),
  about: () => ({
    contexts: { runtime: { name: "node", version: process.version }, os: { name: process.platform } },
  }),
  watch({ report, flush }) {
    let ending = false;
    // Also receives unhandled rejections, unless Node was configured otherwise.
    const onError = (error: unknown, origin: string): void => {
      const rejected = origin === "unhandledRejection";
      const [mechanism, name] = rejected
        ? ["onunhandledrejection", "UnhandledRejection"]
        : ["onuncaughtexception", "Error"];
      report(mechanism!, error, () => describe(error, name!));
      // If the program has its own listener, that decides; otherwise the process ends as it would without us.
      if (ending || process.listenerCount("uncaughtException") > 1) return;
      ending = true;
      console.error(error);
      void flush(LIMIT).finally(() => process.exit(1));
    };
    const onEnd = (): void => void flush(LIMIT);
    process.on("uncaughtException", onError);
    process.once("beforeExit", onEnd);
    return () => {
      process.off("uncaughtException", onError);
      process.off("beforeExit", onEnd);
    };
  },
};

const registry = globalThis as unknown as Record<symbol, Mayday>;
const name = Symbol.for("mayday");

/** A program that loads the package twice, with import and require, shares one client. */
const client = (registry[name] ||= createClient(platform));

export const {
  init,
  captureException,
  captureMessage,
  logger,
  setUser,
  setAccount,
  setTag,
  addBreadcrumb,
  flush,
  close,
} = client;

export const withTrace: NodeMayday["withTrace"] = (traceparent, act) => {
  const [, id] = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-/.exec(String(traceparent)) || [];
  return traces.run(id || randomId(16), act);
};
