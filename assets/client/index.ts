// The package in pages, frames and workers.

import { client } from "./browser.ts";

export type * from "./types.ts";

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
