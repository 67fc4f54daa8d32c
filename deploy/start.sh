#!/bin/sh
# Starts the containers of this instance as they ran last: start.sh. For hosts whose engine starts none when they boot: podman.
#
# Nothing is derived from the configuration and no container is made anew: that is bootstrap.sh's. After stop.sh there is none
# to start.
. "$(dirname "$0")/lib.sh"

[ $# = 0 ] || { echo "usage: ${0##*/}" >&2; exit 2; }
if is_service; then fail 'Mayday runs without containers here' 'systemctl start mayday'; fi
alone
[ ! -f "$update_state" ] || fail 'an update was interrupted' "Run $(updater): it finishes the update."

step 'Containers'
# What a killed script has left of its own is not of the instance.
names=$("$(engine)" ps --all --filter "label=com.docker.compose.project=$(stack_name)" --format '{{.Names}}' | grep -v "^$(stack_name)-once-") || names=
if [ -z "$names" ]; then
  finish 'there are none'
  exit
fi
# shellcheck disable=SC2086 # one name a line
"$(engine)" start $names >"$log" 2>&1 || fail "they could not be started: $(said)" "All of the output: $log"
finish
"$here/wait-for-health.sh" --here
