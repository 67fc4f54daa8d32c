#!/bin/sh
# Runs the tests of this folder, two files at a time, and says how long each file took, and what was not tried here.
#
#   tests/deploy/run.sh [FILE...]
set -u
cd "$(dirname "$0")/../.." || exit
most=400 # seconds, on two cores with everything compiled
beside=2 # files at a time

# note NAME WHAT: since $from, a line of the table.
note() { printf '%5s s  %s\n' "$(($(date +%s) - from))" "$2" >"$results/$1.took"; }

# try FILE: its output goes to its log, and is printed once it has ended, apart from that of others.
try() {
  name=${1##*/}
  # Bridges and the name server of containers are the host's: one file at a time has some.
  case $name in stack.* | ci.* | runner.*) exec 9>"$results/containers" && flock 9 ;; esac
  from=$(date +%s)
  # The outer limit is the runner's own: it never ends when a file exits in the middle of a result.
  timeout --foreground --kill-after=10 690 node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=./tools/missing-tests.mjs --test-reporter-destination=stdout --test-timeout=660000 "$1" \
    >"$results/$name.log" 2>&1 9>&- || echo "FAILED: $name" >>"$results/$name.log"
  exec 9>&-
  note "$name" "$name"
  flock "$results/printing" cat "$results/$name.log"
}

# work FILE...: those that nobody else has begun.
work() {
  for file; do
    [ ! -e "$results/interrupted" ] || return
    if mkdir "$results/${file##*/}.begun" 2>/dev/null; then try "$file"; fi
  done
}

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
# Runners of tests that are interrupted say which they were at, and nothing else begins.
trap 'touch "$results/interrupted"; wait' INT TERM
begun=$(date +%s)
# From PyPI, once, beside the tests: those that need it wait for it.
(
  from=$begun
  node --input-type=module -e 'import { install, installGateway } from "./tests/deploy/venv.mjs"; install(); installGateway();' ||
    echo "FAILED: venv.mjs" >"$results/venv.mjs.log"
  note venv.mjs 'virtual environments, beside the rest'
) &
if [ $# = 0 ]; then
  # What takes longest begins first; last what waits for the environment of the gateway, or for the containers of the first.
  set --
  for name in stack service configuration host images variables s3 claim release alone unit proxy gateway ci runner; do set -- "$@" "tests/deploy/$name.test.mjs"; done
  for file in tests/deploy/*.test.mjs; do
    case " $* " in *" $file "*) ;; *) set -- "$@" "$file" ;; esac
  done
fi
for _ in $(seq "$beside"); do work "$@" & done
wait

cd "$results" || exit
echo
for file in venv.mjs "$@"; do
  name=${file##*/}
  [ -f "$name.took" ] || continue
  cat "$name.took"
  [ ! -f "$name.log" ] || grep -E '^ *NOT TRIED: ' "$name.log" | sort -u | sed 's/^ */         /'
done
took=$(($(date +%s) - begun))
printf '%5s s  in all\n' "$took"
[ "$took" -le "$most" ] || echo "warning: more than $most s. On an idle machine with two cores, move what is slow or make it faster."
failed=$(sed -n 's/^FAILED: / /p' ./*.log | tr -d '\n')
[ ! -e interrupted ] || failed=" interrupted$failed"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
