import { api, ok } from "./client.ts";
import { isStatus } from "./error.ts";
import { sessionEnded } from "./session.ts";

/** How long a stream may be lost before somebody asks why, in milliseconds. */
const doubtful = 1_500;

/** A stream that was lost says nothing of why: after a moment somebody asks. */
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

/** The server is gone, or the session has ended. */
async function askWhy(): Promise<void> {
  try {
    await ok(api.GET("/api/v1/me"));
  } catch (error) {
    if (isStatus(error, 401)) sessionEnded();
  }
}
