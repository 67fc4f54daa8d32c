import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionsSnippet, commandSnippet, gitlabSnippet, shellSnippet } from "./ci.ts";

const origin = "https://mayday.example";
const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");

test("a shell can read the snippets", () => {
  for (const version of [undefined, "1.4.2", 'it\'s "7" $(date) `id`']) {
    const text = shellSnippet({ origin, version });
    const line = commandSnippet({ origin, version });
    const told = execFileSync("sh", ["-c", `mayday() { printf '[%s]' "$MAYDAY_URL" "$@"; }; ${line}`], {
      encoding: "utf8",
    });
    const release = version === undefined ? "" : `[--release][${version}]`;
    expect(told).toBe(`[${origin}][sourcemaps][upload]${release}[dist/]`);
    expect(() => execFileSync("sh", ["-n"], { input: text, stdio: ["pipe", "ignore", "pipe"] })).not.toThrow();
  }
});

test("a known version is written out, and escaped within a path", () => {
  const text = shellSnippet({ origin, version: "web@2.0/7" });
  expect(text).toContain("\n# For this release only: for each build, $(git rev-parse HEAD) here and");
  expect(text).toContain("VERSION=web@2.0/7\n");
  expect(text).toContain("/releases/web%402.0%2F7/finalize");
});

test("without a version it is the whole commit, as the command line names it", () => {
  expect(shellSnippet({ origin })).toContain("VERSION=$(git rev-parse HEAD)\n");
  expect(shellSnippet({ origin })).not.toContain("this release only");
  expect(actionsSnippet({ origin })).not.toContain("release:");
  expect(gitlabSnippet({ origin })).not.toContain("script:");
});

test("a version that looks like an option is not used as one", () => {
  expect(commandSnippet({ origin, version: "-1" })).toContain(" --release='-1' dist/");
});

test("a key that is shown is part of both ways", () => {
  const shown = { origin, version: "1.0.0", key: "pk_0123" };
  expect(commandSnippet(shown)).toBe(
    `MAYDAY_URL=${origin} MAYDAY_KEY=pk_0123 mayday sourcemaps upload --release 1.0.0 dist/`,
  );
  expect(shellSnippet(shown)).toContain("\nMAYDAY_KEY=pk_0123 ");
  expect(shellSnippet({ origin })).not.toContain("MAYDAY_KEY=");
});

test("a key that is not shown comes from a secret of CI, which each way names", () => {
  expect(commandSnippet({ origin })).toContain(` MAYDAY_KEY="$MAYDAY_KEY" mayday `);
  expect(actionsSnippet({ origin })).toContain("key: ${{ secrets.MAYDAY_KEY }}");
  expect(gitlabSnippet({ origin })).toContain("# MAYDAY_KEY comes from the masked variable");
  const run = (env: Record<string, string>) => {
    const script = `${shellSnippet({ origin }).split("\n").slice(0, 2).join("\n")}\necho went on`;
    return execFileSync("sh", ["-c", script], { encoding: "utf8", env, stdio: "pipe" });
  };
  expect(run({ MAYDAY_KEY: "pk_0123" })).toBe("went on\n");
  expect(() => run({})).toThrow(/MAYDAY_KEY: is not set: store a CI key/);
});

test("a custom prefix is sent with the release", () => {
  expect(shellSnippet({ origin })).not.toContain("url_prefix");
  expect(commandSnippet({ origin, prefix: "~/" })).not.toContain("url-prefix");
  expect(commandSnippet({ origin, prefix: "~/app/" })).toContain("--url-prefix '~/app/' dist/");
  expect(shellSnippet({ origin, prefix: "https://cdn.example/" })).toContain("url_prefix=$PREFIX");
});

test("the step of GitHub is that of the documentation, and names inputs that the recipe has", () => {
  const documented = read("docs/ci.md");
  expect(documented).toContain(actionsSnippet({ origin }));
  const whole = actionsSnippet({ origin, version: "1.4.2", prefix: "~/app/" });
  const given = whole.split("  with:\n")[1]?.split("\n") ?? [];
  const recipe = read("deploy/ci/action.yml");
  for (const line of given) expect(recipe).toContain(`\n  ${line.trim().split(":")[0]}:\n`);
  expect(given.slice(3)).toEqual(['    release: "1.4.2"', '    url-prefix: "~/app/"']);
  expect(documented).toContain("to `.github/actions/mayday` in your repository");
});

test("a release's name cannot be a GitHub expression, or be misread", () => {
  const release = (version: string) => /release: (.*)$/m.exec(actionsSnippet({ origin, version }))?.[1];
  expect(release("${{ secrets.A }}")).toBe("\"${{ '${{' }} secrets.A }}\"");
  expect(release('a "b": #c')).toBe('"a \\"b\\": #c"');
  expect(release("1\u202e2\u{e0001}")).toBe('"1\\U0000202e2\\U000e0001"');
});

test("the GitLab job includes the recipe, and runs its script where variables are not enough", () => {
  const recipe = read("deploy/ci/gitlab.yml");
  expect(read("docs/ci.md")).toContain(gitlabSnippet({ origin }).split("\n")[0]);
  for (const line of ["upload-source-maps:", "    MAYDAY_DIR: dist"]) {
    expect(gitlabSnippet({ origin })).toContain(line);
    expect(recipe).toContain(`\n${line}\n`);
  }
  const prefixed = gitlabSnippet({ origin, prefix: "~/app/" });
  expect(prefixed).toContain(
    '\n  script:\n    - sh "$MAYDAY_SCRIPTS/pipeline.sh" "$CI_COMMIT_SHA" "$MAYDAY_DIR" \'~/app/\'',
  );
  expect(recipe).toContain('    - sh "$MAYDAY_SCRIPTS/pipeline.sh" "$CI_COMMIT_SHA" "$MAYDAY_DIR"\n');
  for (const version of ["-1", 'it\'s "7" $(date) `id`', "a: b", "a #b", "1\u202e"]) {
    const line = gitlabSnippet({ origin, version }).split("    - ")[1] ?? "";
    const command = line.startsWith('"') ? (JSON.parse(line.replace("\\U0000", "\\u")) as string) : line;
    const words = execFileSync("sh", ["-c", `sh() { shift; printf '[%s]' "$@"; }; MAYDAY_DIR=dist; ${command}`]);
    expect(words.toString()).toBe(`[${version}][dist]`);
  }
});
