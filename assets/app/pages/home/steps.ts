/** One step on the way from an unclaimed instance to an error with its original source. */
export interface Step {
  title: string;
  text: string;
  /** What has to be set before the command. */
  before?: string;
  command: string;
  /** What to type in place of the command where that has been done already. */
  instead?: string;
  /** What to keep from the answer for the steps that follow. */
  keep?: string;
}

const bearer = (variable: string) => `-H "Authorization: Bearer $${variable}"`;
const json = `-H "Content-Type: application/json"`;
const lines = (...parts: string[]) => parts.join(" \\\n  ");

/**
 * The steps, as shell commands that can be pasted one after the other. They need curl and nothing
 * else; values travel in variables, of which `MAYDAY_URL` and `MAYDAY_KEY` are the ones that the
 * command line in CI reads too.
 */
export function steps(origin: string): Step[] {
  return [
    {
      title: "Claim the instance",
      text: "The server prints the setup token when it starts; `mayday setup-token` prints it again. The one who claims becomes the owner.",
      before: `export MAYDAY_URL=${origin}\nexport SETUP_TOKEN=<token that the server printed>`,
      command:
        lines(
          `curl -sS "$MAYDAY_URL/auth/setup" ${json}`,
          `-d '{"setup_token": "'"$SETUP_TOKEN"'", "email": "you@example.com",`,
        ) + `\n       "password": "at least twelve characters", "organization_name": "Acme"}'`,
      instead:
        "# Claimed already? Sign in.\n" +
        lines(
          `curl -sS "$MAYDAY_URL/auth/password/login" ${json}`,
          `-d '{"email": "you@example.com", "password": "at least twelve characters"}'`,
        ),
      keep: "export MAYDAY_TOKEN=<access_token of the answer>",
    },
    {
      title: "Create a project",
      text: "A project holds the errors, logs and releases of one application. Ask for your organization's id first.",
      command: [
        `curl -sS "$MAYDAY_URL/api/v1/organizations" ${bearer("MAYDAY_TOKEN")}`,
        lines(
          `curl -sS "$MAYDAY_URL/api/v1/organizations/\${ORGANIZATION:-1}/projects"`,
          bearer("MAYDAY_TOKEN"),
          `${json} -d '{"name": "Shop"}'`,
        ),
      ].join("\n"),
      keep: "export PROJECT=<id of the answer>",
    },
    {
      title: "Make a key",
      text: "The key goes into your application and into CI. It is shown once, here.",
      command: lines(
        `curl -sS "$MAYDAY_URL/api/v1/projects/$PROJECT/api-keys"`,
        bearer("MAYDAY_TOKEN"),
        `${json} -d '{"name": "Shop, CI and browser"}'`,
      ),
      keep: "export MAYDAY_KEY=<key of the answer>",
    },
    {
      title: "Create a release",
      text: "The version is the one your application sends with its errors. The prefix `~/` stands for the scheme and host of your scripts.",
      command: lines(
        `curl -sS "$MAYDAY_URL/api/v1/releases" ${bearer("MAYDAY_KEY")}`,
        `-F version=1.0.0 -F "url_prefix=~/"`,
      ),
    },
    {
      title: "Upload its source maps, then finalize",
      text: "The `url` is the script's as stack traces show it, with `~` in place of scheme and host; the file is its map. Repeat for every script.",
      command: [
        lines(
          `curl -sS "$MAYDAY_URL/api/v1/sourcemaps" ${bearer("MAYDAY_KEY")}`,
          `-F release=1.0.0 -F "url=~/assets/app.js" -F sourcemap=@dist/assets/app.js.map`,
        ),
        lines(`curl -sS -X POST "$MAYDAY_URL/api/v1/releases/1.0.0/finalize"`, bearer("MAYDAY_KEY")),
      ].join("\n"),
    },
    {
      title: "Send an error",
      text: "From a browser, post `error.stack` as it is. The answer comes when the event is on disk.",
      command:
        lines(
          `curl -sS "$MAYDAY_URL/api/v1/errors" ${json}`,
          `-d '{"api_key": "'"$MAYDAY_KEY"'", "event_id": "first-error", "release": "1.0.0",`,
        ) +
        `\n  "exception": {"type": "TypeError", "message": "price is undefined", "stack":` +
        `\n  "TypeError: price is undefined\\n    at o (https://shop.example/assets/app.js:1:120)"}}'`,
    },
    {
      title: "Read it, with its original source",
      text: "Each frame carries the original file, function, line and column with five lines of code on each side, or says why it could not be resolved.",
      command: [
        `curl -sS "$MAYDAY_URL/api/v1/events/first-error" ${bearer("MAYDAY_TOKEN")}`,
        lines(`curl -sS "$MAYDAY_URL/api/v1/projects/$PROJECT/issues"`, bearer("MAYDAY_TOKEN")),
      ].join("\n"),
    },
  ];
}
