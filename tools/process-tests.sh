#!/bin/sh
# Runs process tests: tools/process-tests.sh [FILTER...] [--skip FILTER...]
#
# By nextest, which gives each its own process and knows which need the machine for themselves (.config/nextest.toml).
# Without it by libtest: first those that share the machine, then the others one by one. With CI=true a test that fails
# runs once more, and is named as flaky if it passes then.
set -u
cd "$(dirname "$0")/.." || exit
[ "${CI:-}" != true ] || export NEXTEST_RETRIES=1
if cargo nextest --version >/dev/null 2>&1; then
  exec cargo nextest run --locked --no-fail-fast --test process -- "$@"
fi

# The same as in .config/nextest.toml.
alone='flood:: fairness:: memory_limit:: sign_ins:: sync_delay::'
skip=''
for each in $alone; do skip="$skip --skip $each"; done
failed=''
run() { node tools/watch-tests.mjs cargo test --locked --no-fail-fast --test process -- "$@" || failed=yes; }
# shellcheck disable=SC2086 # a list of words
run "$@" $skip
names=$(cargo test --locked --quiet --test process -- --list "$@" | sed -n 's/: test$//p' | grep -E "$(echo "$alone" | tr ' ' '|')")
# With one thread libtest runs a test in its main thread, and says of none that it is slow.
for each in $names; do run --test-threads=2 --exact "$each"; done
[ -z "$failed" ]
