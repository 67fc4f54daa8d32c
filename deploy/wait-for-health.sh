#!/bin/sh
# Waits until the stack, or the service, answers: wait-for-health.sh [URL | --here | --public | --gateway-database] [SECONDS]
#
# Without a URL: the server, asked by its own binary; the gateway and its database, if they are enabled; then
# SERVICE_PUBLIC_HEALTHCHECK_URL, if it is set. --here leaves that one out: its name may lead to another
# host; --public asks nothing else.
. "$(dirname "$0")/lib.sh"

url=${1:-}
limit=${2:-60}
service=server
cure=

# wait_for TEXT COMMAND…: until the command succeeds, or the time is over.
wait_for() {
  step "$1"
  shift
  started=$(date +%s)
  until answer=$("$@" 2>&1); do
    if [ "$(($(date +%s) - started))" -ge "$limit" ]; then
      fail "no healthy answer within $limit s: $(reason_in "$answer")" "${cure:-$(log_cure "$service")}"
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

# On a TCP port: while it sets itself up, PostgreSQL listens on its socket only.
gateway_database() {
  service=gateway-database
  # The variables are those of the container.
  # shellcheck disable=SC2016
  wait_for "Health of the gateway's database" compose exec -T gateway-database sh -c 'pg_isready -q -h 127.0.0.1 -U "$POSTGRES_USER" -d "$POSTGRES_DB"'
}

if [ "$url" = --gateway-database ]; then
  gateway_database
  exit
fi
case $url in
  --here | --public) ;;
  ?*)
    wait_for "Health of $url" fetch "$url"
    exit
    ;;
esac
[ "$url" = --public ] || wait_for 'Health of the server' in_server healthcheck
if has_gateway && [ "$url" != --public ]; then
  gateway_database
  service=gateway
  # Its first start creates the tables.
  [ -n "${2:-}" ] || limit=300
  # From where the server reaches it.
  wait_for 'Health of the gateway' compose exec -T server mayday healthcheck --url http://gateway:4000/health/liveliness
  limit=${2:-60}
fi
public=$(setting SERVICE_PUBLIC_HEALTHCHECK_URL)
if [ -z "$public" ] || [ "$url" = --here ]; then exit 0; fi
cure="The server itself is well. See whether the name leads here, and what the proxy says: curl -v $public; doctor.sh looks at both."
wait_for "Health of $public" fetch "$public"
