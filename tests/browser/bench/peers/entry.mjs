// The other recorder, as its documentation sets it up, recording from the start.

import { getReplay, init, replayIntegration } from "@sentry/browser";

init({ dsn: globalThis.dsn, integrations: [replayIntegration()], replaysSessionSampleRate: 1 });
globalThis.peerRecords = () => getReplay()?.getReplayId() !== undefined;
