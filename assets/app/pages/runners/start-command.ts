/** What starts a runner. The token is in the environment: everybody on a machine can read command lines. */
export const startCommand = (origin: string, token: string): string =>
  `export MAYDAY_RUNNER_TOKEN=${token}\nmayday runner --url ${origin} --agent claude-code`;
