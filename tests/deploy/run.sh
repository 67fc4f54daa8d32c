#!/bin/sh
# Runs the tests of this folder one after the other, and says how long each file took, and what was not tried here.
#
#   tests/deploy/run.sh [FILE...]
set -u
cd "$(dirname "$0")/../.." || exit
most=480 # seconds, on two cores with everything compiled
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=
# From PyPI, once: not what the bound is about.
from=$(date +%s)
node --input-type=module -e 'import { install, installGateway } from "./tests/deploy/venv.mjs"; install(); installGateway();' || failed=' venv.mjs'
table="$(printf '%5s s  %s' "$(($(date +%s) - from))" 'virtual environments, not counted')
"
begun=$(date +%s)
[ $# -gt 0 ] || set -- tests/deploy/*.test.mjs
for file; do
  from=$(date +%s)
  # The outer limit is the runner's own: it never ends when a file exits in the middle of a result.
  { timeout --foreground --kill-after=10 570 node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=./tools/missing-tests.mjs --test-reporter-destination=stdout --test-timeout=540000 "$file" ||
    echo "FAILED: ${file##*/}"; } 2>&1 | tee "$log"
  ! grep -q '^FAILED: ' "$log" || failed="$failed ${file##*/}"
  table="$table$(printf '%5s s  %s' "$(($(date +%s) - from))" "${file##*/}")
$(grep -E '^ *NOT TRIED: ' "$log" | sort -u | sed 's/^ */         /')
"
done
took=$(($(date +%s) - begun))
echo
printf '%s' "$table" | grep .
printf '%5s s  in all\n' "$took"
[ "$took" -le "$most" ] || echo "warning: more than $most s. On an idle machine with two cores, move what is slow or make it faster."
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
