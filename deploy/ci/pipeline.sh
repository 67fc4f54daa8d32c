#!/bin/sh
# What the recipes for GitHub and GitLab run: uploads the source maps of a build, with the `mayday` binary where there is
# one, which also checks that each script resolves, and with curl otherwise.
#
#   MAYDAY_URL=https://mayday.example MAYDAY_KEY=pk_… pipeline.sh RELEASE DIR [PREFIX]
#
# RELEASE, DIR and PREFIX are those of upload-source-maps.sh; without PREFIX, a page in DIR says it: the binary takes it, and
# the script refuses if it is not ~/. Options of the binary: MAYDAY_IGNORE (a pattern a line: what is left out), MAYDAY_STRIP_PREFIX
# (the folders that addresses lack) and MAYDAY_ALLOW_MISSING=true (scripts without a source map are no failure).
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || {
  echo "usage: pipeline.sh RELEASE DIR [PREFIX]" >&2
  exit 2
}
release=$1 dir=$2 prefix=${3:-}
if command -v mayday >/dev/null; then
  set -- "--release=$release"
  [ -z "$prefix" ] || set -- "$@" "--url-prefix=$prefix"
  [ -z "${MAYDAY_STRIP_PREFIX:-}" ] || set -- "$@" "--strip-prefix=$MAYDAY_STRIP_PREFIX"
  [ "${MAYDAY_ALLOW_MISSING:-}" != true ] || set -- "$@" --allow-missing
  while IFS= read -r pattern; do
    [ -z "$pattern" ] || set -- "$@" "--ignore=$pattern"
  done <<EOF
${MAYDAY_IGNORE:-}
EOF
  mayday sourcemaps upload "$@" "$dir"
  exec mayday releases check "$@" "$dir"
fi
[ -z "${MAYDAY_STRIP_PREFIX:-}" ] || {
  echo "pipeline.sh: there is no mayday here, which MAYDAY_STRIP_PREFIX needs: use an image that has it" >&2
  exit 2
}
[ -z "${MAYDAY_IGNORE:-}" ] || echo "pipeline.sh: there is no mayday here, so nothing is left out: MAYDAY_IGNORE" >&2
exec sh "${0%/*}/upload-source-maps.sh" "$release" "$dir" ${prefix:+"$prefix"}
