#!/bin/sh
# What the recipes for GitHub and GitLab run: uploads the source maps of a build, with the `mayday` binary where there is
# one, which also checks that each script resolves, and with curl otherwise.
#
#   MAYDAY_URL=https://mayday.example MAYDAY_KEY=pk_… pipeline.sh RELEASE DIR [PREFIX]
#
# RELEASE, DIR and PREFIX are those of upload-source-maps.sh; without PREFIX, the binary reads a page in DIR.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || {
  echo "usage: pipeline.sh RELEASE DIR [PREFIX]" >&2
  exit 2
}
release=$1 dir=$2 prefix=${3:-}
if command -v mayday >/dev/null; then
  set -- "--release=$release"
  [ -z "$prefix" ] || set -- "$@" "--url-prefix=$prefix"
  mayday sourcemaps upload "$@" "$dir"
  exec mayday releases check "$@" "$dir"
fi
exec sh "${0%/*}/upload-source-maps.sh" "$release" "$dir" "${prefix:-"~/"}"
