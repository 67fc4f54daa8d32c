#!/bin/sh
# Waits until the server answers: wait-for-health.sh [URL] [SECONDS]
#
# Without a URL, asks inside the server's container, then SERVICE_PUBLIC_HEALTHCHECK_URL if it is set.
. "$(dirname "$0")/lib.sh"

url=${1:-}
limit=${2:-60}

# wait_for TEXT COMMAND…: until the command succeeds, or the time is over.
wait_for() {
  step "$1"
  shift
  started=$(date +%s)
  until answer=$("$@" 2>&1); do
    if [ "$(($(date +%s) - started))" -ge "$limit" ]; then
      fail "no healthy answer within $limit s: $(printf '%s' "$answer" | tail -n 1)" "Read the server's log: $(compose_command) -f $here/compose.yml logs server"
    fi
    sleep 1
  done
  finish healthy
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --max-time 5 "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -T 5 -O - "$1"
  else
    echo 'neither curl nor wget is installed' && return 1
  fi
}

if [ -n "$url" ]; then
  wait_for "Health of $url" fetch "$url"
  exit
fi
wait_for 'Health of the server' compose exec -T server mayday healthcheck
public=$(setting SERVICE_PUBLIC_HEALTHCHECK_URL)
[ -z "$public" ] || wait_for "Health of $public" fetch "$public"
