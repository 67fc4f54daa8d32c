// The commands for CI, ready to paste. All text from outside is quoted.

import { option, shellWord } from "./upload.ts";

export interface Place {
  /** Where Mayday answers: `https://mayday.example`. */
  origin: string;
  /** The version, if known; otherwise the commit being built. */
  version?: string | undefined;
  /** Of the release, when there is one. */
  prefix?: string | undefined;
  /** The CI key, where it is shown; otherwise it is in CI's secrets. */
  key?: string | undefined;
}

/**
 * The one-line command: it finds scripts and maps, checks each pair, uploads new maps and finalizes. Without a
 * version, it uses the commit; without a prefix, the way in which a page of the build loads its scripts.
 */
export function commandSnippet({ origin, version, prefix, key }: Place): string {
  const words = [
    `MAYDAY_URL=${shellWord(origin)} MAYDAY_KEY=${key ?? '"$MAYDAY_KEY"'} mayday sourcemaps upload`,
    ...(version === undefined ? [] : [option("--release", version)]),
    ...(prefix === undefined || prefix === "~/" ? [] : [option("--url-prefix", prefix)]),
    "dist/",
  ];
  return words.join(" ");
}

const variables = ({ origin, version, prefix = "~/" }: Place, commit: string): string[] => [
  ...(version === undefined ? [] : [`# For this release only: for each build, ${commit} here and $VERSION at the end`]),
  `VERSION=${version === undefined ? commit : shellWord(version)}`,
  "DIST=dist        # the folder your build writes to",
  `PREFIX=${shellWord(prefix)}      # the URL of that folder; ~ stands for any scheme and host`,
  `MAYDAY=${shellWord(origin)}`,
];

/** The version as a part of a path. */
const inPath = (version: string | undefined): string =>
  version === undefined ? "$VERSION" : encodeURIComponent(version);

const steps = (place: Place): string[] => [
  `find "$DIST" -name '*.map' | grep -q . || { echo "There are no source maps in $DIST" >&2; exit 1; }`,
  'mayday() { curl -sS --fail-with-body --retry 3 -H "Authorization: Bearer $MAYDAY_KEY" "$@"; echo; }',
  "",
  `mayday "$MAYDAY/api/v1/releases" --form-string "version=$VERSION"${place.prefix === undefined || place.prefix === "~/" ? "" : ' --form-string "url_prefix=$PREFIX"'}`,
  `find "$DIST" -name '*.map' | while read -r map; do`,
  '  script="${map#"$DIST"/}"',
  '  mayday "$MAYDAY/api/v1/sourcemaps" --form-string "release=$VERSION" \\',
  '    --form-string "url=$PREFIX${script%.map}" -F "sourcemap=@$map"',
  "done",
  `mayday -X POST "$MAYDAY/api/v1/releases/${inPath(place.version)}/finalize"`,
];

/** For any shell with curl: an upload for each source map, which are paired by their names and not checked. */
export function shellSnippet(place: Place): string {
  return [
    ...(place.key === undefined
      ? ["set -eu", `: "\${MAYDAY_KEY:?is not set: store a CI key as a secret of that name in your CI}"`]
      : ["set -eu", `MAYDAY_KEY=${place.key}   # keep it with your CI's secrets`]),
    ...variables(place, "$(git rev-parse HEAD)"),
    "",
    ...steps(place),
  ].join("\n");
}

/** Characters that YAML would misread, and invisible ones. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in YAML's double quotes, which read JSON's escapes. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(unseen, (one) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, "0")}`);

/** An input of a GitHub Actions step, with expressions escaped. */
const input = (name: string, value: string): string =>
  `    ${name}: ${quoted(value.replaceAll("${{", "${{ '${{' }}"))}`;

/** The prefix, unless it is the recipes' default. */
const prefixOf = ({ prefix }: Place): string[] =>
  prefix === undefined || prefix === "" || prefix === "~/" ? [] : [prefix];

/** A step of a workflow of GitHub Actions, with the recipe of `deploy/ci/action.yml`. */
export function actionsSnippet(place: Place): string {
  return [
    "- uses: ./.github/actions/mayday",
    "  with:",
    `    url: ${place.origin}`,
    "    key: ${{ secrets.MAYDAY_KEY }}",
    "    dir: dist",
    ...(place.version === undefined ? [] : [input("release", place.version)]),
    ...prefixOf(place).map((prefix) => input("url-prefix", prefix)),
  ].join("\n");
}

/** An item of a list in YAML, as it is where that can be read. */
function item(text: string): string {
  const isPlain = text.search(unseen) < 0 && !/:(\s|$)|\s#|\s$/.test(text);
  return `    - ${isPlain ? text : quoted(text)}`;
}

/** The script that a GitLab job runs instead of `deploy/ci/gitlab.yml`'s, for what variables cannot express. */
function ownScript(place: Place): string[] {
  const prefix = prefixOf(place);
  if (place.version === undefined && prefix.length === 0) return [];
  const release = place.version === undefined ? '"$CI_COMMIT_SHA"' : shellWord(place.version);
  const words = ['sh "$MAYDAY_SCRIPTS/pipeline.sh"', release, '"$MAYDAY_DIR"', ...prefix.map(shellWord)];
  return ["  script:", item(words.join(" "))];
}

/** A job of GitLab CI, with the recipe of `deploy/ci/gitlab.yml`. */
export function gitlabSnippet(place: Place): string {
  return [
    "include: .gitlab/mayday/gitlab.yml",
    "",
    "upload-source-maps:",
    "  variables:",
    `    MAYDAY_URL: ${place.origin}`,
    "    MAYDAY_DIR: dist",
    "    # MAYDAY_KEY comes from the masked variable of that name in the project's CI/CD settings",
    ...ownScript(place),
  ].join("\n");
}
