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
# What the server's container reads, which mounts the folder in it: nobody else gets through the outer one.
handed=$here/.handed

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

# confirmed QUESTION: whether to go on; always, if the script's `yes` is not empty.
confirmed() {
  [ -z "$yes" ] || return 0
  printf '%s [y/N] ' "$1"
  read -r answer || answer=
  case $answer in y | Y | yes) ;; *) return 1 ;; esac
}

# line WORDS: for people to type, whatever is in them.
line() {
  for word; do
    case $word in *[!A-Za-z0-9/._-]*) word=\'$(printf '%s' "$word" | sed "s/'/'\\\\''/g")\' ;; esac
    printf '%s ' "$word"
  done | sed 's/ $//'
  echo
}

warn() { printf 'warning: %s\n' "$1" >&2; }

# began PID: when a process began, in the kernel's count; empty if it has ended.
began() { sed -nE 's/^.*\) [^ZX] //p' "/proc/$1/stat" 2>/dev/null | awk '{ print $19 }'; }

# alone: ends this script if another one that changes something is at work in this folder. What a script starts belongs to it.
# Each one says so in .lock/PID before it looks for others, so that of two at once one goes on at most. A killed one is nobody.
alone() {
  [ ! -f "$here/.lock/${MAYDAY_ALONE:-none}" ] || return 0
  mkdir -p "$here/.lock"
  printf '%s\n%s\n' "$(began $$)" "${0##*/} has been at work here since $(date -u '+%Y-%m-%d %H:%M:%S UTC')" >"$here/.lock/.$$"
  mv -f "$here/.lock/.$$" "$here/.lock/$$"
  for other in "$here"/.lock/*; do
    [ "${other##*/}" != $$ ] || continue
    since=$(began "${other##*/}")
    if [ -n "$since" ] && [ "$since" = "$(sed -n 1p "$other" 2>/dev/null)" ]; then
      rm -f "$here/.lock/$$"
      fail "$(sed -n 2p "$other") (process ${other##*/})" 'Run this script again once that one has ended. Nothing was changed.'
    fi
    rm -f "$other"
  done
  MAYDAY_ALONE=$$
  export MAYDAY_ALONE
}

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

# written: NAME=value lines as a file has them, so that reading them gives these values.
written() {
  awk '
    {
      at = index($0, "=")
      value = substr($0, at + 1)
      first = substr(value, 1, 1)
      size = length(value)
      quoted = size > 1 && (first == "\"" || first == "\047") && substr(value, size) == first
      if (quoted || value ~ /^[ \t]/ || value ~ /[ \t]$/) value = "\"" value "\""
      print substr($0, 1, at) value
    }'
}

# layered FILE...: the assignments that count. A later file beats an earlier one, under whichever of the two names that SSO_... and
# INSTANCE_... have; two names in one file are both there, for the validator to compare.
layered() {
  for file; do
    assignments "$file"
    echo
  done | awk '
    /^$/ { file++; next }
    {
      name = substr($0, 1, index($0, "=") - 1)
      twin = name ~ /^SERVICE_(SSO|INSTANCE)_/ ? substr(name, 9) : "SERVICE_" name
      if (name ~ /^(SERVICE_)?(SSO|INSTANCE)_/ && twin in value && of[twin] < file) delete value[twin]
      if (!(name in of)) order[++count] = name
      value[name] = substr($0, index($0, "=") + 1)
      of[name] = file
    }
    END { for (at = 1; at <= count; at++) if (order[at] in value) print order[at] "=" value[order[at]] }'
}

# value_in FILE NAME: the last value of a variable in a file; empty if there is none.
value_in() { assignments "$1" | sed -n "s/^$2=//p" | tail -n 1; }

# setting NAME [DEFAULT]: the value that the operator configured, under either of its names: .env.local, else .env.static.
setting() {
  case $1 in SSO_* | INSTANCE_*) names="(SERVICE_)?$1" ;; *) names=$1 ;; esac
  found=$({ assignments "$static"; assignments "$local"; } | sed -nE "s/^$names=//p" | tail -n 1)
  printf '%s\n' "${found:-${2:-}}"
}

# configured NAME [DEFAULT]: what the containers get.
configured() {
  found=$(value_in "$runtime" "$1")
  printf '%s\n' "${found:-${2:-}}"
}

# replace_value FILE NAME VALUE: gives a variable that the file has another value.
replace_value() {
  awk -v name="$2" -v value="$3" '
    { bare = $0; sub(/^[ \t]+/, "", bare); at = index(bare, "=") }
    at && substr(bare, 1, at - 1) ~ "^" name "[ \t]*$" { print name "=" value; next }
    { print }' "$1" | replace_file "$1"
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

# host_of URL, port_of URL: of an http or https address.
host_of() { printf '%s\n' "$1" | sed -E 's,^https?://,,; s,/.*,,; s,:[0-9]+$,,'; }
port_of() {
  port=$(printf '%s\n' "$1" | sed -nE 's,^https?://[^/]*:([0-9]+)(/.*)?$,\1,p')
  case $port:$1 in
    :https:*) echo 443 ;;
    :*) echo 80 ;;
    *) echo "$port" ;;
  esac
}

# url_part TEXT: as part of an address: as it stands, or where a character could mean something there, every byte as %xx.
url_part() {
  case $1 in
    *[!A-Za-z0-9._~-]*) printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g' ;;
    *) printf '%s' "$1" ;;
  esac
}

# backup_folder: the directory of this host that scheduled backups go to; empty if it is in S3-compatible storage.
backup_folder() {
  case $(setting SERVICE_BACKUP_TO) in
    s3://*) ;;
    *) setting SERVICE_BACKUP_TO ;;
  esac
}

# without_paths: takes from NAME=value lines what names paths of this host, and adds what containers get instead: the
# mounted directory, and the passphrase itself.
without_paths() {
  paths='SERVICE_(BACKUP_(TO|PASSPHRASE_FILE)|HOST_APP_PRIVATE_KEY_FILE)='
  is_service || paths="$paths|WEB_DIST_DIR=."
  awk "!/^($paths)/"
  case $(setting SERVICE_BACKUP_TO) in
    '') ;;
    s3://*) printf 'SERVICE_BACKUP_TO=%s\n' "$(setting SERVICE_BACKUP_TO)" ;;
    *) echo 'SERVICE_BACKUP_TO=/backups' ;;
  esac
  file=$(setting SERVICE_BACKUP_PASSPHRASE_FILE)
  [ ! -f "$file" ] || printf 'SERVICE_BACKUP_PASSPHRASE=%s\n' "$(head -n 1 "$file")"
}

# hand_over FILE NAME: copies a file to where the server's container may read it, whoever owns the original. The folder stays
# the same one, since containers that run have it mounted.
hand_over() {
  mkdir -p "$handed/server"
  chmod 700 "$handed"
  chmod 755 "$handed/server"
  # One that was left behind cannot be written to.
  rm -f "$handed/server/.$2"
  cp "$1" "$handed/server/.$2"
  chmod 444 "$handed/server/.$2"
  mv -f "$handed/server/.$2" "$handed/server/$2"
}

# hand_over_key: the private key of the code-host app.
hand_over_key() {
  key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
  if [ -z "$key" ]; then
    rm -f "$handed/server/host-app-private-key.pem"
    return 0
  fi
  if [ -r "$key" ]; then
    hand_over "$key" host-app-private-key.pem
  elif [ -n "${putting_back:-}" ]; then
    warn "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key cannot be read"
  else
    fail "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key cannot be read" 'Name the file with the private key of the code-host app.'
  fi
}

# hand_over_runtime: what the server is configured with.
hand_over_runtime() {
  if ! is_service && [ -f "$runtime" ]; then hand_over "$runtime" env; fi
}

# derive: writes .env.runtime, which the server reads, and .env, which the compose file reads.
derive() {
  if ! is_service; then hand_over_key; fi
  site=$(with_scheme "$(setting SITE_ADDRESS)")
  api=$(with_scheme "$(setting API_BASE_URL)")
  frontend=$(with_scheme "$(setting FRONTEND_BASE_URL)")
  {
    echo '# Derived by the deployment scripts. Edit .env.static, then run bootstrap.sh or update.sh.'
    layered "$static" "$local" "$generated" | awk -F= "!($(of_gateway)) && \$1 !~ /^($derived)\$/" | without_paths | written
    [ ! -f "$handed/server/host-app-private-key.pem" ] || echo 'SERVICE_HOST_APP_PRIVATE_KEY_FILE=/run/mayday/host-app-private-key.pem'
    is_service || [ -z "$(setting WEB_DIST_DIR)" ] || echo 'WEB_DIST_DIR=/web'
    printf 'SITE_ADDRESS=%s\n' "$site"
    printf 'API_BASE_URL=%s\n' "${api:-$site}"
    printf 'FRONTEND_BASE_URL=%s\n' "${frontend:-$site}"
    # Within the container.
    echo 'SERVICE_LISTEN=0.0.0.0:8000'
    echo 'SERVICE_DATA_DIR=/data/mayday'
    proxies=$(setting SERVICE_TRUSTED_PROXIES)
    printf 'SERVICE_TRUSTED_PROXIES=%s%s\n' "${proxies:+$proxies,}" "$(proxy_network)"
    if is_on AGENT_GATEWAY_ENABLED; then
      admin=$(setting AGENT_GATEWAY_PROXY_BASE_URL)
      public=$(setting AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL)
      printf 'AGENT_GATEWAY_PROXY_BASE_URL=%s\n' "${admin:-http://gateway:4000}"
      printf 'AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL=%s\n' "${public:-$site/llm}"
      printf 'AGENT_GATEWAY_PROXY_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    fi
  } | replace_file "$runtime"
  hand_over_runtime
  if is_on AGENT_GATEWAY_ENABLED; then derive_gateway; fi
  {
    echo '# Derived by the deployment scripts; holds no secrets.'
    printf 'MAYDAY_IMAGE=%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"
    printf 'MAYDAY_SITE=%s\n' "$site"
    printf 'COMPOSE_PROJECT_NAME=%s\n' "$(stack_name)"
    printf 'MAYDAY_HTTP_PORT=%s\nMAYDAY_HTTPS_PORT=%s\n' "$(http_port)" "$(https_port)"
    folder=$(backup_folder)
    [ -z "$folder" ] || printf 'MAYDAY_BACKUPS=%s\n' "$folder"
    web=$(setting WEB_DIST_DIR)
    [ -z "$web" ] || printf 'MAYDAY_WEB=%s\n' "$web"
    for name in CADDY GATEWAY GATEWAY_DATABASE; do
      other=$(setting "SERVICE_${name}_IMAGE")
      [ -z "$other" ] || printf '%s_IMAGE=%s\n' "$name" "$other"
    done
  } | replace_file "$compose_env"
}

# What derive writes itself.
derived='SITE_ADDRESS|API_BASE_URL|FRONTEND_BASE_URL|SERVICE_LISTEN|SERVICE_DATA_DIR|SERVICE_TRUSTED_PROXIES|AGENT_GATEWAY_PROXY_(PUBLIC_)?BASE_URL|AGENT_GATEWAY_PROXY_MASTER_KEY'
# What LiteLLM's providers read: what their names begin with, beside keys and addresses.
providers='AIMLAPI|ANTHROPIC|AWS|AZURE|BEDROCK|CLOUDFLARE|COHERE|COMETAPI|DATABRICKS|DATAROBOT|FIREWORKS|FIREWORKS_AI|FRIENDLI|GEMINI|GIGACHAT|GITHUB_COPILOT|GOOGLE|GRADIENT_AI|GROQ|HF|HUGGINGFACE|JINA_AI|MISTRAL|OCI|OLLAMA|OPENAI|OPENROUTER|OR|PREDIBASE|REPLICATE|RUNWAYML|SAGEMAKER|SCW|SNOWFLAKE|TOGETHER_AI|VERCEL|VERTEX|VERTEXAI|VOYAGE_AI|WATSONX|WML|WX|XAI'

# of_gateway: a condition of awk for what the gateway's containers get and the server does not: all that is for providers,
# what SERVICE_GATEWAY_VARIABLES names, and the secrets of the gateway's database. Of ..._API_KEY, MAIL_API_KEY alone is the
# server's. The scripts themselves read AWS_REGION from the configuration.
of_gateway() {
  named=$(setting SERVICE_GATEWAY_VARIABLES | tr -d ' \t' | tr ',' '|')
  # shellcheck disable=SC2016 # of awk
  printf '($1 ~ /^(PROXY|%s)_/ || $1 ~ /_API_(KEY|BASE)$/ && $1 !~ /^(SERVICE_|MAIL_API_KEY)/%s)' "$providers" \
    "${named:+ || \$1 ~ /^($named)\$/}"
}

# The files of the gateway's containers.
derive_gateway() {
  name=$(setting PROXY_POSTGRES_DB)
  user=$(setting PROXY_POSTGRES_USER)
  password=$(value_in "$generated" PROXY_POSTGRES_PASSWORD)
  {
    echo '# Derived by the deployment scripts.'
    printf 'LITELLM_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    printf 'DATABASE_URL=postgresql://%s:%s@gateway-database:5432/%s\n' "$(url_part "${user:-gateway}")" "$(url_part "$password")" "$(url_part "${name:-gateway}")"
    { assignments "$static"; assignments "$local"; } | awk -F= "$(of_gateway) && !/^PROXY_/"
  } | replace_file "$here/.env.gateway"
  {
    echo '# Derived by the deployment scripts.'
    printf 'POSTGRES_USER=%s\nPOSTGRES_PASSWORD=%s\nPOSTGRES_DB=%s\n' "${user:-gateway}" "$password" "${name:-gateway}"
  } | replace_file "$here/.env.gateway-database"
}

# What two instances on one host may not share. The names of containers, volumes and networks begin with the stack's; requests
# from the network come through Caddy, whose X-Forwarded-For is trusted.
# shellcheck disable=SC2034 # restore.sh uses it
of_host='SERVICE_STACK_NAME SERVICE_HTTP_PORT SERVICE_HTTPS_PORT SERVICE_PROXY_NETWORK'
stack_name() { setting SERVICE_STACK_NAME mayday; }
http_port() { setting SERVICE_HTTP_PORT 80; }
https_port() { setting SERVICE_HTTPS_PORT 443; }
proxy_network() { setting SERVICE_PROXY_NETWORK 172.31.213.0/24; }

image_source() {
  source=$(setting SERVER_IMAGE)
  printf '%s\n' "${source:-mayday}"
}

. "$here/service.sh"

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
  case $1 in up | run) make_networks || return 1 ;; esac
  # Both are lists of words.
  # shellcheck disable=SC2086
  (cd "$here" && $command -p "$(stack_name)" $files $profile "$@")
}

# has_caddy: whether the stack has its own proxy; compose.local.yml may leave it out.
has_caddy() {
  [ -f "$here/compose.local.yml" ] || return 0
  listed=$(compose config --services 2>/dev/null) || return 0
  [ -z "$listed" ] || printf '%s\n' "$listed" | grep -qx caddy
}

# container_of SERVICE [-a]: the id of its running container, with -a also of one that has ended; empty if there is none.
# By labels, since not every compose command lists the containers of one service; those of `once` have them, too.
container_of() {
  "$(engine)" ps ${2:+"$2"} --filter label="com.docker.compose.project=$(stack_name)" --filter "label=com.docker.compose.service=$1" \
    --format '{{.ID}} {{.Names}}' | awk -v once="$(stack_name)-once-" 'index($2, once) != 1 { print $1; exit }'
}

has_volume() { "$(engine)" volume inspect "$(stack_name)_$1" >/dev/null 2>&1; }

# elsewhere: the folder that the containers of this stack belong to, if it is another one than this.
elsewhere() {
  any=$("$(engine)" ps --all --filter "label=com.docker.compose.project=$(stack_name)" --format '{{.ID}}' 2>/dev/null | head -n 1)
  [ -n "$any" ] || return 0
  folder=$("$(engine)" inspect --format '{{index .Config.Labels "com.docker.compose.project.working_dir"}}' "$any" 2>/dev/null) || return 0
  # A folder that was moved has left none behind; one that cannot be looked into is another one.
  if [ -e "$folder" ] && [ ! -x "$folder" ]; then
    printf '%s\n' "$folder"
    return 0
  fi
  [ -f "$folder/compose.yml" ] && [ "$(cd "$folder" && pwd -P)" != "$(cd "$here" && pwd -P)" ] || return 0
  printf '%s\n' "$folder"
}

# image_of CONTAINER: the id of the image that it was made of.
image_of() { "$(engine)" inspect --format '{{.Image}}' "$1"; }

# once NAME [OPTIONS] server ARGUMENTS: runs the binary in a container of its own that has the data. One that a killed
# script has left behind is ended first; what it did is whole or undone.
once() {
  once=$(stack_name)-once-$1
  shift
  "$(engine)" rm --force "$once" >/dev/null 2>&1 || true
  compose run --rm --no-deps -T --name "$once" "$@"
}

# checksum: of all that containers are made of.
checksum() { (cd "$here" && cat .handed/server/* compose.yml compose.local.yml Caddyfile gateway.yaml .env .env.runtime .env.gateway* 2>/dev/null | cksum); }

# started_with: the checksum at the last start.
started_with() { cat "$here/.started" 2>/dev/null || true; }

# said: what went wrong, by $log: what Mayday said last, or else the last line that tells of an error, or else the last one.
said() {
  {
    tail -n 1 "$log"
    grep -i error "$log" || true
    grep '^mayday: ' "$log" || true
  } 2>/dev/null | tail -n 1
}

# make_networks: what the stack's containers are in, where there is none.
make_networks() {
  has_network front || "$(engine)" network create --subnet "$(proxy_network)" "$(stack_name)_front" >/dev/null || return 1
  has_network gateway || "$(engine)" network create "$(stack_name)_gateway" >/dev/null
}

has_network() { "$(engine)" network inspect "$(stack_name)_$1" >/dev/null 2>&1; }

# leave_network: ends the containers if their network is to be another one: engines change none that exists.
leave_network() {
  has_network front || return 0
  case $("$(engine)" network inspect "$(stack_name)_front") in
    *"\"$(proxy_network)\""*) ;;
    *) end_containers "" && remove_network front ;;
  esac
}

# forget_names NAME: what podman's name server still knows of a network that is gone, if a container there was killed. Without
# any network it ends.
forget_names() {
  for folder in /run/containers/networks/aardvark-dns "${XDG_RUNTIME_DIR:-/run}/containers/networks/aardvark-dns"; do
    [ -f "$folder/$1" ] || continue
    rm -f "$folder/$1" || return 1
    server=$(cat "$folder/aardvark.pid" 2>/dev/null) || continue
    [ "$(cat "/proc/$server/comm" 2>/dev/null)" != aardvark-dns ] || kill -HUP "$server" 2>/dev/null || true
  done
}

# remove_network NAME: with its bridge, which podman leaves while it has a port of a container whose start was killed.
remove_network() {
  bridge=$("$(engine)" network inspect --format '{{.NetworkInterface}}' "$(stack_name)_$1" 2>/dev/null) || bridge=
  "$(engine)" network rm "$(stack_name)_$1" || return 1
  forget_names "$(stack_name)_$1" || return 1
  [ -z "$bridge" ] || [ ! -e "/sys/class/net/$bridge" ] || ip link delete "$bridge"
}

# end_containers [OPTION OF DOWN]: removes the containers, also those of a gateway that was switched off, and what killed
# commands have left.
end_containers() {
  compose --profile gateway down ${1:+"$1"} || return 1
  left=$("$(engine)" ps --all --quiet --filter "label=com.docker.compose.project=$(stack_name)")
  # shellcheck disable=SC2086 # one id a line
  [ -z "$left" ] || "$(engine)" rm --force $left
}

# start: starts the stack, or the service. Containers are made anew when something that they were made of has changed, which not every
# compose command notices by itself. The output goes to $log.
start() {
  if is_service; then
    start_service
    return
  fi
  now=$(checksum)
  recreate=
  [ "$now" = "$(started_with)" ] || recreate=--force-recreate
  # Without --remove-orphans, which would remove a gateway that was switched off. An empty word would be an argument.
  leave_network >"$log" 2>&1 || return 1
  # shellcheck disable=SC2086
  compose up -d $recreate >>"$log" 2>&1 || return 1
  printf '%s\n' "$now" | replace_file "$here/.started"
}

# images: those that the stack is started with, one a line. compose.local.yml may name others.
images() {
  image
  if has_caddy; then named_image CADDY; fi
  if is_on AGENT_GATEWAY_ENABLED; then
    named_image GATEWAY
    named_image GATEWAY_DATABASE
  fi
}

# named_image NAME: what SERVICE_NAME_IMAGE says, or else compose.yml.
named_image() {
  other=$(setting "SERVICE_$1_IMAGE")
  [ -n "$other" ] || other=$(sed -n "s/^ *image: *\${$1_IMAGE:-\(.*\)}\$/\1/p" "$here/compose.yml")
  printf '%s\n' "$other"
}

log=$here/.compose.log
# Exists while an update is under way: what there was before it.
# shellcheck disable=SC2034 # the scripts use it
update_state=$here/.update

# The code-host app's private key as it was handed over then.
key_before=$handed/host-app-private-key.pem.previous

# forget_previous: an update has nothing to go back to or to finish any more.
forget_previous() { rm -f "$update_state" "$runtime.previous" "$compose_env.previous" "$key_before"; }

# back_up_before_update: makes a backup, named $saved; those that were interrupted are removed.
back_up_before_update() {
  rm -rf "$here"/backups/before-update-*.part
  saved=$here/backups/before-update-$(date -u +%Y%m%dT%H%M%SZ)
  # Of an update in the same second.
  [ ! -e "$saved" ] || saved=$saved-$$
  "$here/backup.sh" "$saved"
}

image() { printf '%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"; }

has_image() { "$(engine)" image inspect "$1" >/dev/null 2>&1; }

# image_id NAME: the id of an image on this host; empty if it is not here.
image_id() { "$(engine)" image inspect --format '{{.Id}}' "$1" 2>/dev/null || true; }

# digest_of ID: what a registry gives an image by, whatever its tags mean; empty for one that came from none.
digest_of() {
  "$(engine)" image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$1" 2>/dev/null |
    awk -v source="$(image_source)@" 'index($0, source) == 1 && !/^localhost\// { print; exit }'
}

# mayday ARGUMENTS: the binary that MAYDAY_BIN names, the installed one, or the one of the image; standard input goes to it. A
# container of the image has a network only to look up the name of a gateway elsewhere.
mayday() {
  if [ -n "${MAYDAY_BIN:-}" ]; then
    "$MAYDAY_BIN" "$@"
  elif is_service; then
    "$service_binary" "$@"
  else
    network='--network none'
    if is_on AGENT_GATEWAY_ENABLED; then
      case $(host_of "$(setting AGENT_GATEWAY_PROXY_BASE_URL)") in *.*) network= ;; esac
    fi
    # shellcheck disable=SC2086 # two words, or none
    "$(engine)" run --rm --interactive $network --read-only "$(image)" "$@"
  fi
}

# --- What people and programs read --------------------------------------------------------------

# quoted TEXT: its lines as JSON strings, separated by commas.
quoted() {
  printf '%s' "$1" | awk '
    { gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); gsub(/[\001-\037]/, " ") }
    { printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }'
}

# secret_values: the value of every variable that holds a secret, and the password in an address, one a line.
secret_values() {
  { assignments "$static"; assignments "$local"; assignments "$generated"; } 2>/dev/null |
    sed -nE 'h; s/^([A-Z0-9_]*(SECRET|PASSWORD|PASSPHRASE|TOKEN|_KEY|SMTP_URL)|DATABASE_URL)=(.)/\3/p; g; s,^[A-Z0-9_]+=[a-z]+://[^:/@]*:([^@/]+)@.*,\1,p'
}

# redacted: copies standard input without any value of a secret.
redacted() {
  { secret_values; echo; cat; } | awk '
    !past && /^$/ { past = 1; next }
    !past { if (length($0) > 3) secret[++count] = $0; next }
    {
      for (each = 1; each <= count; each++) {
        clean = ""
        while (at = index($0, secret[each])) {
          clean = clean substr($0, 1, at - 1) "[secret]"
          $0 = substr($0, at + length(secret[each]))
        }
        $0 = clean $0
      }
      print
    }'
}
