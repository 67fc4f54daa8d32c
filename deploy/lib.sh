# Shared by the deployment scripts, which source it: steps with their times, and the environment files.
# POSIX sh; needs awk, sed, od and mv.

set -eu
umask 077
LC_ALL=C
export LC_ALL

# The folder that the scripts act on: the one they lie in.
here=$(cd "$(dirname "$0")" && pwd)
static=$here/.env.static
local=$here/.env.local
generated=$here/.env.generated
runtime=$here/.env.runtime
compose_env=$here/.env

# --- Steps --------------------------------------------------------------------------------------

step_name=
step_started=

# step TEXT: says what is being done. `finish` or `fail` ends the line.
step() {
  step_name=$1
  step_started=$(date +%s)
  printf '%-48s ' "$1"
}

# finish [TEXT]: the step is done.
finish() {
  printf '%s (%s s)\n' "${1:-done}" "$(($(date +%s) - step_started))"
  step_name=
}

# fail TEXT [CURE]: ends the script. The cure says what to do about it.
fail() {
  [ -z "$step_name" ] || printf 'failed (%s s)\n' "$(($(date +%s) - step_started))"
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
  exit 1
}

warn() { printf 'warning: %s\n' "$1" >&2; }

# --- Environment files --------------------------------------------------------------------------

# assignments FILE: its assignments as NAME=value lines, read as the server reads them: values are literal,
# one pair of surrounding quotes is removed, # starts a comment only at the beginning of a line, and CRLF
# line ends are accepted. Nothing for a file that does not exist. A line that is no assignment is an error
# (its number is printed, not its text, which may be secret).
assignments() {
  [ -f "$1" ] || return 0
  awk -v file="$1" '
    function refuse(got) {
      print file ": line " NR ": expected NAME=value, got " got > "/dev/stderr"
      exit 1
    }
    NR == 1 { sub(/^\357\273\277/, "") }
    { gsub(/^[ \t\r]+|[ \t\r]+$/, "") }
    /^$/ || /^#/ { next }
    {
      at = index($0, "=")
      if (!at) refuse("no `=`")
      name = substr($0, 1, at - 1)
      value = substr($0, at + 1)
      sub(/[ \t]+$/, "", name)
      sub(/^[ \t]+/, "", value)
      if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/) refuse("a name with characters other than letters, digits and _")
      first = substr(value, 1, 1)
      size = length(value)
      if (size > 1 && (first == "\"" || first == "\047") && substr(value, size) == first)
        value = substr(value, 2, size - 2)
      print name "=" value
    }' "$1"
}

# value_in FILE NAME: the last value of a variable in a file; empty if there is none.
value_in() { assignments "$1" | sed -n "s/^$2=//p" | tail -n 1; }

# setting NAME: the value that the operator configured: .env.local, else .env.static.
setting() {
  { assignments "$static"; assignments "$local"; } | sed -n "s/^$1=//p" | tail -n 1
}

# configured NAME [DEFAULT]: what the containers get.
configured() {
  found=$(value_in "$runtime" "$1")
  printf '%s\n' "${found:-${2:-}}"
}

# is_on NAME: whether a switch is on.
is_on() {
  case $(setting "$1" | tr '[:upper:]' '[:lower:]') in
    true | 1 | yes) return 0 ;;
    *) return 1 ;;
  esac
}

# replace_file FILE: writes standard input to a file of this name (0600), all at once.
replace_file() {
  cat >"$1.new"
  chmod 600 "$1.new"
  mv -f "$1.new" "$1"
}

# --- Derivations --------------------------------------------------------------------------------

# with_scheme ADDRESS: https:// is assumed, and http:// for this machine. A trailing slash is dropped.
with_scheme() {
  address=${1%/}
  case $address in
    '') ;;
    http://* | https://*) printf '%s\n' "$address" ;;
    localhost | localhost:* | 127.0.0.1 | 127.0.0.1:* | '[::1]' | '[::1]:'*) printf 'http://%s\n' "$address" ;;
    *) printf 'https://%s\n' "$address" ;;
  esac
}

# derive: writes .env.runtime, which the containers load, and .env, which the compose file reads.
derive() {
  site=$(with_scheme "$(setting SITE_ADDRESS)")
  api=$(with_scheme "$(setting API_BASE_URL)")
  frontend=$(with_scheme "$(setting FRONTEND_BASE_URL)")
  {
    echo '# Derived by the deployment scripts. Edit .env.static, then run bootstrap.sh or update.sh.'
    # The last assignment of a name counts; the order of the first ones is kept.
    { assignments "$static"; assignments "$local"; assignments "$generated"; } | awk '
      {
        name = substr($0, 1, index($0, "=") - 1)
        if (!(name in value)) order[++count] = name
        value[name] = substr($0, index($0, "=") + 1)
      }
      END { for (at = 1; at <= count; at++) print order[at] "=" value[order[at]] }' |
      grep -vE "^($derived)=|$of_gateway" || true
    printf 'SITE_ADDRESS=%s\n' "$site"
    printf 'API_BASE_URL=%s\n' "${api:-$site}"
    printf 'FRONTEND_BASE_URL=%s\n' "${frontend:-$site}"
    # Within the container.
    echo 'SERVICE_LISTEN=0.0.0.0:8000'
    echo 'SERVICE_DATA_DIR=/data/mayday'
    proxies=$(setting SERVICE_TRUSTED_PROXIES)
    printf 'SERVICE_TRUSTED_PROXIES=%s%s\n' "${proxies:+$proxies,}" "$proxy_network"
    if is_on AGENT_GATEWAY_ENABLED; then
      admin=$(setting AGENT_GATEWAY_PROXY_BASE_URL)
      public=$(setting AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL)
      printf 'AGENT_GATEWAY_PROXY_BASE_URL=%s\n' "${admin:-http://gateway:4000}"
      printf 'AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL=%s\n' "${public:-$site/llm}"
      printf 'AGENT_GATEWAY_PROXY_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    fi
  } | replace_file "$runtime"
  if is_on AGENT_GATEWAY_ENABLED; then derive_gateway; fi
  {
    echo '# Derived by the deployment scripts; holds no secrets.'
    printf 'MAYDAY_IMAGE=%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"
    printf 'MAYDAY_SITE=%s\n' "$site"
    printf 'MAYDAY_PROXY_NETWORK=%s\n' "$proxy_network"
    for name in CADDY GATEWAY GATEWAY_DATABASE; do
      other=$(setting "SERVICE_${name}_IMAGE")
      [ -z "$other" ] || printf '%s_IMAGE=%s\n' "$name" "$other"
    done
  } | replace_file "$compose_env"
}

# What derive writes itself, and what the gateway's containers get and the server does not: providers' keys, and
# the secrets of the gateway's database.
derived='SITE_ADDRESS|API_BASE_URL|FRONTEND_BASE_URL|SERVICE_LISTEN|SERVICE_DATA_DIR|SERVICE_TRUSTED_PROXIES|AGENT_GATEWAY_PROXY_(PUBLIC_)?BASE_URL|AGENT_GATEWAY_PROXY_MASTER_KEY'
of_gateway='^PROXY_|^(OPENAI|ANTHROPIC|GEMINI|GOOGLE|AZURE|MISTRAL|GROQ|OPENROUTER|DEEPSEEK|XAI|COHERE|TOGETHERAI|FIREWORKS)_[A-Z_]*KEY='

# The files of the gateway's containers.
derive_gateway() {
  name=$(setting PROXY_POSTGRES_DB)
  user=$(setting PROXY_POSTGRES_USER)
  password=$(value_in "$generated" PROXY_POSTGRES_PASSWORD)
  {
    echo '# Derived by the deployment scripts.'
    printf 'LITELLM_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    printf 'DATABASE_URL=postgresql://%s:%s@gateway-database:5432/%s\n' "${user:-gateway}" "$password" "${name:-gateway}"
    { assignments "$static"; assignments "$local"; } | grep -E "$of_gateway" | grep -v '^PROXY_' || true
  } | replace_file "$here/.env.gateway"
  {
    echo '# Derived by the deployment scripts.'
    printf 'POSTGRES_USER=%s\nPOSTGRES_PASSWORD=%s\nPOSTGRES_DB=%s\n' "${user:-gateway}" "$password" "${name:-gateway}"
  } | replace_file "$here/.env.gateway-database"
}

# The network of the compose file; requests from it come through Caddy, whose X-Forwarded-For is trusted.
proxy_network=172.31.213.0/24

image_source() {
  source=$(setting SERVER_IMAGE)
  printf '%s\n' "${source:-mayday}"
}

# --- Container engine ---------------------------------------------------------------------------

# The engine and its compose command: MAYDAY_ENGINE and MAYDAY_COMPOSE name others.
engine() {
  if [ -n "${MAYDAY_ENGINE:-}" ]; then
    printf '%s\n' "$MAYDAY_ENGINE"
  elif command -v docker >/dev/null 2>&1; then
    echo docker
  elif command -v podman >/dev/null 2>&1; then
    echo podman
  fi
}

compose_command() {
  if [ -n "${MAYDAY_COMPOSE:-}" ]; then
    printf '%s\n' "$MAYDAY_COMPOSE"
  elif [ "$(engine)" = podman ] && command -v podman-compose >/dev/null 2>&1; then
    echo podman-compose
  elif [ -n "$(engine)" ] && "$(engine)" compose version >/dev/null 2>&1; then
    printf '%s compose\n' "$(engine)"
  fi
}

# compose ARGUMENTS: in the deploy folder, with the operator's compose.local.yml if there is one, and the gateway's
# profile when it is enabled.
compose() {
  command=$(compose_command)
  [ -n "$command" ] || fail 'no compose command was found' 'Install Docker with its compose plugin, or podman and podman-compose.'
  files='-f compose.yml'
  [ ! -f "$here/compose.local.yml" ] || files="$files -f compose.local.yml"
  profile=
  if is_on AGENT_GATEWAY_ENABLED; then profile='--profile gateway'; fi
  # Both are lists of words.
  # shellcheck disable=SC2086
  (cd "$here" && $command $files $profile "$@")
}

# container_of SERVICE: the id of its running container; empty if it does not run. By labels, since not every compose
# command lists the containers of one service.
container_of() {
  "$(engine)" ps -q --filter label=com.docker.compose.project=mayday --filter "label=com.docker.compose.service=$1" | head -n 1
}

# start: starts the stack. Containers are made anew when something that they were made of has changed, which not every
# compose command notices by itself. The output goes to $log.
start() {
  now=$(cd "$here" && cat compose.yml compose.local.yml Caddyfile .env .env.runtime .env.gateway* 2>/dev/null | cksum)
  recreate=
  [ "$now" = "$(cat "$here/.started" 2>/dev/null)" ] || recreate=--force-recreate
  # An empty word would be an argument.
  # shellcheck disable=SC2086
  compose up -d --remove-orphans $recreate >"$log" 2>&1 || return 1
  printf '%s\n' "$now" | replace_file "$here/.started"
}

log=$here/.compose.log

image() { printf '%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"; }

has_image() { "$(engine)" image inspect "$1" >/dev/null 2>&1; }

# mayday ARGUMENTS: the binary that MAYDAY_BIN names, or the one of the image; standard input goes to it.
mayday() {
  if [ -n "${MAYDAY_BIN:-}" ]; then
    "$MAYDAY_BIN" "$@"
  else
    "$(engine)" run --rm --interactive --network none --read-only "$(image)" "$@"
  fi
}
