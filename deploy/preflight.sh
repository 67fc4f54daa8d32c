#!/bin/sh
# Checks the configuration and this host before anything is started. Changes nothing.
#
#   preflight.sh [--strict] [--json]
#
# --strict: warnings count as errors. --json: {"errors": [...], "warnings": [...]} on standard output.
# Exit codes: 0 nothing to correct, 1 errors, 2 wrong usage.
. "$(dirname "$0")/lib.sh"

strict=
json=
for argument; do
  case $argument in
    --strict) strict=yes ;;
    --json) json=yes ;;
    *) echo "usage: ${0##*/} [--strict] [--json]" >&2; exit 2 ;;
  esac
done

errors=
warnings=
error() {
  errors="$errors$1
"
}
warning() {
  warnings="$warnings$1
"
}

# The template beside the script, or in its parent; it names every variable.
template=$here/.env.static.example
[ -f "$template" ] || template=$here/../.env.static.example

# Names that the template does not list, and that are accepted: older template blocks, background jobs,
# and what other services of the stack read.
accepted='^(SERVICE_)?(SSO|INSTANCE)_|^SERVICE_|^(CELERY|REDBEAT|CLOUD_MCP|CUSTOMERIO|SENTRY|AGENT_GATEWAY|PROXY|LITELLM|BIFROST)_|_API_KEY$'

check_files() {
  if [ ! -f "$static" ]; then
    error ".env.static is missing: run bootstrap.sh, which copies the template"
    return 1
  fi
  for file in "$static" "$local"; do
    [ -f "$file" ] || continue
    name=${file##*/}
    if ! fault=$(assignments "$file" 2>&1 >/dev/null); then
      error "$fault"
      return 1
    fi
    twice=$(assignments "$file" | sed 's/=.*//' | sort | uniq -d | tr '\n' ' ')
    [ -z "$twice" ] || warning "$name sets these more than once, and the last one counts: ${twice% }"
    unknown=$(assignments "$file" | sed 's/=.*//' | sort -u | grep -vE "$accepted" | while IFS= read -r variable; do
      grep -qE "^#?$variable=" "$template" || printf '%s ' "$variable"
    done)
    [ -z "$unknown" ] || warning "$name has variables that nothing reads: ${unknown% }"
    [ -z "$(find "$file" -perm -004)" ] || warning "$name can be read by every user: chmod 600 $name"
  done
}

check_required() {
  for name in SITE_ADDRESS SERVICE_TELEMETRY_MODE SERVICE_SERVER_IMAGE_TAG; do
    [ -n "$(setting "$name")" ] || error "$name is required: set it in .env.static"
  done
  # What templates leave for people to fill in.
  left=$({ assignments "$static"; assignments "$local"; } |
    grep -iE '=(<[^>]*>|change[-_ ]?me.*|your[-_ ].*|replace[-_ ]?(me|with|this).*|todo|xxx+)$' | sed 's/=.*//' | sort -u | tr '\n' ' ')
  [ -z "$left" ] || error "these still hold a placeholder of the template: ${left% }"
  case $(setting SITE_ADDRESS) in
    *example.com | *example.org) warning "SITE_ADDRESS is an example's name: nobody can reach this instance by it" ;;
  esac
  for name in JWT_SECRET CLOUD_SECRET_KEY POSTGRES_PASSWORD; do
    kept=$(value_in "$generated" "$name")
    given=$(setting "$name")
    if [ -n "$kept" ] && [ -n "$given" ] && [ "$kept" != "$given" ]; then
      warning "$name in .env.static or .env.local is not used: .env.generated holds another value, which the data was made with"
    fi
  done
}

check_gateway() {
  is_on AGENT_GATEWAY_ENABLED || return 0
  own=$(setting AGENT_GATEWAY_PROXY_MASTER_KEY)
  theirs=$(value_in "$generated" PROXY_MASTER_KEY)
  [ -n "$theirs" ] || theirs=$(setting PROXY_MASTER_KEY)
  if [ -n "$own" ] && [ "$own" != "$theirs" ]; then
    error 'AGENT_GATEWAY_PROXY_MASTER_KEY and PROXY_MASTER_KEY differ: the gateway would refuse the server'
  fi
}

# The server's own validator judges every value.
check_values() {
  if [ -z "${MAYDAY_BIN:-}" ]; then
    [ -n "$(engine)" ] || return 0
    if ! has_image "$(image)"; then
      warning "the values were not checked: the image $(image) is not on this host"
      return 0
    fi
  fi
  answer=$({ assignments "$static"; assignments "$local"; assignments "$generated"; } |
    mayday check-config --deploy --env-file /dev/stdin 2>&1) || true
  found=$(printf '%s\n' "$answer" | sed -n 's/^error: //p')
  [ -z "$found" ] || errors="$errors$found
"
  found=$(printf '%s\n' "$answer" | sed -n 's/^warning: //p')
  [ -z "$found" ] || warnings="$warnings$found
"
  case $answer in
    *error:* | *'The configuration is valid.'*) ;;
    *) error "the server's validator could not run: $(printf '%s' "$answer" | head -n 1)" ;;
  esac
}

# Whether something listens on a TCP port of this host, by the kernel's tables.
listens() {
  hex=$(printf '%04X' "$1")
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port=":$hex" '$4 == "0A" && $2 ~ port "$" { found = 1 } END { exit !found }'
}

check_host() {
  if [ -z "$(engine)" ]; then
    error 'there is no container engine: install Docker, or podman and podman-compose'
  elif [ -z "$(compose_command)" ]; then
    error "$(engine) has no compose command: install its compose plugin, or podman-compose"
  elif ! "$(engine)" info >/dev/null 2>&1; then
    error "$(engine) does not answer: start its service, or run this script as a user who may use it"
  elif [ -z "$(container_of caddy)" ]; then
    for port in 80 443; do
      ! listens "$port" || error "port $port is in use by another program: Caddy needs it"
    done
  fi
  free=$(df -Pk "$here" | awk 'NR == 2 { print int($4 / 1024) }')
  if [ "$free" -lt 1024 ]; then
    error "only $free MiB are free on the disk of $here: at least 1024 are needed"
  elif [ "$free" -lt 5120 ]; then
    warning "only $free MiB are free on the disk of $here"
  fi
  # Certificates and sessions depend on it. No Mayday is older than this.
  [ "$(date -u +%Y)" -ge 2026 ] || error "the clock says $(date -u): set it, and let it be kept by NTP"
  if command -v timedatectl >/dev/null 2>&1 && [ "$(timedatectl show -p NTPSynchronized --value 2>/dev/null)" = no ]; then
    warning 'the clock is not synchronised: switch NTP on (timedatectl set-ntp true)'
  fi
}

if check_files; then
  check_required
  check_gateway
  check_values
fi
check_host

quoted() {
  printf '%s' "$1" | awk '
    { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); gsub(/[\001-\037]/, " ") }
    { printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }'
}

if [ -n "$json" ]; then
  printf '{"errors": [%s], "warnings": [%s]}\n' "$(quoted "$errors")" "$(quoted "$warnings")"
else
  printf '%s' "$errors" | sed 's/^/error: /'
  printf '%s' "$warnings" | sed 's/^/warning: /'
fi
[ -z "$errors" ] || exit 1
[ -z "$strict" ] || [ -z "$warnings" ] || exit 1
