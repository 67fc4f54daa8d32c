import { api, ok } from "./client.ts";
import { isStatus } from "./error.ts";
import { sessionEnded } from "./session.ts";

/** How long a stream may be lost before the cause is checked, in milliseconds. */
const doubtful = 1_500;

/** A lost stream does not say why, so after a moment a request checks it. */
export function makeDoubt() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => clearTimeout(timer);
  return {
    begin: () => {
      settle();
      timer = setTimeout(() => void askWhy(), doubtful);
    },
    settle,
  };
}

/** Finds out whether the server is down, or the session has ended. */
async function askWhy(): Promise<void> {
  try {
    await ok(api.GET("/api/v1/me"));
  } catch (error) {
    if (isStatus(error, 401)) sessionEnded();
  }
}
