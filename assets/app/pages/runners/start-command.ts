/**
 * The command that starts a runner. The token is in the environment, because everybody on a machine can read command
 * lines.
 */
export const startCommand = (origin: string, token: string): string =>
  `export MAYDAY_RUNNER_TOKEN=${token}\nmayday runner --url ${origin} --agent claude-code`;
