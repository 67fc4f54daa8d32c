// What CI runs for each build, ready to be pasted. Everything that comes from elsewhere is quoted.

import { option, shellWord } from "./upload.ts";

export interface Place {
  /** Where Mayday answers: `https://mayday.example`. */
  origin: string;
  /** The version, if known; otherwise the commit being built. */
  version?: string | undefined;
  /** Of the release, when there is one. */
  prefix?: string | undefined;
  /** The CI key, where it is shown; otherwise it comes from CI's secrets. */
  key?: string | undefined;
}

/**
 * The one line: the command line finds scripts and maps, checks each pair, uploads what is new and finalizes. Without
 * a version, it takes the commit that is being built; without a prefix, how a page of the build loads its scripts.
 */
export function commandSnippet({ origin, version, prefix, key }: Place): string {
  const words = [
    `MAYDAY_URL=${shellWord(origin)}${key === undefined ? "" : ` MAYDAY_KEY=${key}`} mayday sourcemaps upload`,
    ...(version === undefined ? [] : [option("--release", version)]),
    ...(prefix === undefined || prefix === "~/" ? [] : [option("--url-prefix", prefix)]),
    "dist/",
  ];
  return words.join(" ");
}

const variables = ({ origin, version, prefix = "~/" }: Place, commit: string): string[] => [
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
      ? ["set -eu          # MAYDAY_KEY comes from your CI's secrets"]
      : ["set -eu", `MAYDAY_KEY=${place.key}   # keep it with your CI's secrets`]),
    ...variables(place, "$(git rev-parse HEAD)"),
    "",
    ...steps(place),
  ].join("\n");
}

/** A step of a workflow of GitHub Actions. */
export function actionsSnippet(place: Place): string {
  const lines = ["set -eu", ...variables(place, '"$GITHUB_SHA"'), "", ...steps(place)];
  return [
    "- name: Upload source maps to Mayday",
    "  shell: bash",
    "  env:",
    "    MAYDAY_KEY: ${{ secrets.MAYDAY_KEY }}",
    "  run: |",
    ...lines.map((line) => (line === "" ? "" : `    ${line}`)),
  ].join("\n");
}
