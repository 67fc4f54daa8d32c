#!/bin/sh
# Compiles our crates with Clippy, which lints on the way; what it warns of is an error. The library is compiled twice,
# for its own tests and for everybody else, and linted only with its tests: half a minute less.
set -eu
case " $* " in
*" --test "*) ;;
*" --crate-type lib "*) exec "$@" -D warnings ;;
esac
exec clippy-driver "$@"
