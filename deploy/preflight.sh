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

# Names that the template does not list, and that are accepted: older template blocks, background jobs, and what other
# services of the stack read.
accepted='^(CELERY|REDBEAT|CLOUD_MCP|CUSTOMERIO|SENTRY|LITELLM|BIFROST)_'

# unknown_names FILE: those that nothing reads. SSO_... and INSTANCE_... have a second name.
unknown_names() {
  [ -f "$template" ] || return 0
  assignments "$1" | awk -F= "!($(of_gateway)) || /^PROXY_/" | sed 's/=.*//' | sort -u | grep -vE "$accepted" |
    while IFS= read -r variable; do
      case $variable in
        SERVICE_SSO_* | SERVICE_INSTANCE_*) plain=${variable#SERVICE_} ;;
        *) plain=$variable ;;
      esac
      grep -qE "^#?($variable|$plain)=" "$template" || printf '%s ' "$variable"
    done
}

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
    unknown=$(unknown_names "$file")
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

# is_port TEXT
is_port() {
  case $1 in '' | *[!0-9]* | ??????*) return 1 ;; esac
  [ "$1" -ge 1 ] && [ "$1" -le 65535 ]
}

# is_network TEXT: whether it is A.B.C.D/SIZE, from /8 to /29, and what is beyond the size is 0.
is_network() {
  printf '%s\n' "$1" | awk -F '[./]' '
    !/^[0-9]+(\.[0-9]+)(\.[0-9]+)(\.[0-9]+)\/[0-9]+$/ || $5 < 8 || $5 > 29 { exit 1 }
    {
      for (each = 1; each <= 4; each++) {
        if ($each > 255) exit 1
        address = address * 256 + $each
      }
      exit address % 2 ^ (32 - $5) != 0
    }'
}

# What has to differ between instances of one host. 0 if it can be used.
check_stack() {
  wrong=
  printf '%s' "$(stack_name)" | grep -qxE '[a-z0-9][a-z0-9_-]*' ||
    wrong="SERVICE_STACK_NAME=$(stack_name): expected lower-case letters, digits, _ and -, a letter or a digit first"
  for name in SERVICE_HTTP_PORT SERVICE_HTTPS_PORT; do
    is_port "$(setting "$name" 80)" || wrong="$name=$(setting "$name"): expected a port between 1 and 65535"
  done
  [ "$(http_port)" != "$(https_port)" ] || wrong="SERVICE_HTTP_PORT and SERVICE_HTTPS_PORT are both $(http_port): give each its own"
  is_network "$(proxy_network)" ||
    wrong="SERVICE_PROXY_NETWORK=$(proxy_network): expected the first address and the size of an IPv4 network, such as 172.31.213.0/24"
  [ -n "$wrong" ] || return 0
  error "$wrong"
  return 1
}

# Caddy listens where SITE_ADDRESS says, and no other program does.
check_ports() {
  its=
  if [ -n "$(container_of caddy)" ]; then
    http=$(value_in "$compose_env" MAYDAY_HTTP_PORT) https=$(value_in "$compose_env" MAYDAY_HTTPS_PORT)
    its="${http:-$(http_port)} ${https:-$(https_port)}"
  fi
  for port in "$(http_port)" "$(https_port)"; do
    case " $its " in *" $port "*) continue ;; esac
    ! listens "$port" || error "port $port is in use by another program: Caddy needs it"
  done
  site=$(with_scheme "$(setting SITE_ADDRESS)")
  case $site in
    https:*) name=SERVICE_HTTPS_PORT port=$(https_port) ;;
    http:*) name=SERVICE_HTTP_PORT port=$(http_port) ;;
    *) return 0 ;;
  esac
  [ "$(port_of "$site")" != "$port" ] || return 0
  case ${site#*://} in
    *:*) error "SITE_ADDRESS is at port $(port_of "$site"), and Caddy at $name=$port: give both the same" ;;
    *) warning "Caddy listens on port $port ($name): unless a proxy or a router leads there, SITE_ADDRESS needs :$port" ;;
  esac
}

# The containers and the data go by the name of the stack.
check_stack_is_ours() {
  folder=$(elsewhere)
  if [ -n "$folder" ]; then
    error "the containers named $(stack_name)_... belong to $folder: give this instance a SERVICE_STACK_NAME, SERVICE_HTTP_PORT, SERVICE_HTTPS_PORT and SERVICE_PROXY_NETWORK of its own"
    return 0
  fi
  [ -f "$here/.started" ] || return 0
  was=$(value_in "$compose_env" COMPOSE_PROJECT_NAME)
  was=${was:-mayday}
  if [ "$was" != "$(stack_name)" ] && "$(engine)" volume inspect "${was}_data" >/dev/null 2>&1; then
    error "the data of this instance is in the volume ${was}_data: keep SERVICE_STACK_NAME=$was, or restore a backup in another folder"
  fi
}

# Names end up in a condition of awk.
check_gateway() {
  case $(setting SERVICE_GATEWAY_VARIABLES | tr -d ' \t') in
    *[!A-Za-z0-9_,]*) error 'SERVICE_GATEWAY_VARIABLES: expected names of variables, comma-separated'; return 1 ;;
  esac
}

# podman-compose reads the gateway's files with rules of its own. The values are not shown: most of them are keys.
check_gateway_values() {
  is_on AGENT_GATEWAY_ENABLED || return 0
  case $(compose_command) in *podman-compose*) ;; *) return 0 ;; esac
  changed=$({ assignments "$static"; assignments "$local"; assignments "$generated"; } | awk -F= "$(of_gateway)" |
    awk '{ value = substr($0, index($0, "=") + 1) } value ~ /[#$\\\047"`]/ || value ~ /^[ \t]/ || value ~ /[ \t]$/' | sed 's/=.*//' | sort -u | tr '\n' ' ')
  [ -z "$changed" ] || error "podman-compose would change values with quotes, #, \$, \\ or outer spaces on their way to the gateway: give these others, or use Docker Compose: ${changed% }"
}

# Files that providers' programs read, such as GOOGLE_APPLICATION_CREDENTIALS, are of the gateway's container.
check_gateway_files() {
  if ! is_on AGENT_GATEWAY_ENABLED || is_service; then return 0; fi
  unseen=$(layered "$static" "$local" | awk -F= "$(of_gateway)" | while IFS= read -r line; do
    case ${line#*=} in /*) ;; *) continue ;; esac
    [ ! -f "${line#*=}" ] || is_mounted "${line#*=}" || printf '%s ' "${line%%=*}"
  done)
  [ -z "$unseen" ] || warning "files of this host that the gateway's container does not see: mount each at the same path in compose.local.yml: ${unseen% }"
}

# is_mounted PATH: whether the operator's own compose file names it.
is_mounted() { [ -f "$here/compose.local.yml" ] && grep -qF -e "$1" "$here/compose.local.yml"; }

# A Web app of this host, which the server's container has mounted.
check_web() {
  web=$(setting WEB_DIST_DIR)
  if [ -z "$web" ] || is_service; then return 0; fi
  case $web in
    [!/]*) error "WEB_DIST_DIR=$web: expected the absolute path of a directory of this host. Leave it out for the Web app of the image" ;;
    *[!A-Za-z0-9/._-]*) error "WEB_DIST_DIR=$web: use a directory with letters, digits, dots, _ and - only" ;;
    *)
      if [ ! -f "$web/index.html" ]; then
        error "WEB_DIST_DIR=$web has no index.html on this host. Leave it out for the Web app of the image"
      elif [ -n "$(find "$web/" \( -type d ! -perm -005 -o -type f ! -perm -004 \) 2>/dev/null | head -n 1)" ]; then
        error "WEB_DIST_DIR=$web cannot be read by the server, which runs as 10001: chmod -R a+rX $web"
      fi
      ;;
  esac
}

# Other paths would be those of the container.
check_paths() {
  if is_service; then where='/var/lib/mayday' kept='/var/lib/mayday'; else where='/data/mayday' kept="the volume $(stack_name)_data"; fi
  given=$(setting SERVICE_DATA_DIR)
  [ -z "$given" ] || [ "$given" = "$where" ] || warning "SERVICE_DATA_DIR=$given is not used: the data is in $kept"
  if is_service; then return 0; fi
  given=$(setting SERVICE_SETUP_TOKEN_FILE)
  case $given in
    '' | /data/?*) ;;
    *)
      # The directory's path has a name in it.
      case $given in /?*/?*) ! is_mounted "${given%/*}" || return 0 ;; esac
      error "SERVICE_SETUP_TOKEN_FILE=$given: the server's container writes to /data only. Leave it out: bootstrap.sh prints the token, which is kept with the data"
      ;;
  esac
}

# The private key of the code-host app is a file of this host. Its content is never shown.
check_host_app() {
  key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
  case $key in
    '') return 0 ;;
    /*) ;;
    *) error "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key: expected an absolute path"; return 0 ;;
  esac
  if [ ! -f "$key" ] || ! may test -r "$key"; then
    error "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key is no file that can be read$(! is_service || echo ' by the user mayday')"
  elif ! grep -q -e '^-----BEGIN .*PRIVATE KEY-----' "$key"; then
    error "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key is no private key in PEM form (-----BEGIN ... PRIVATE KEY-----)"
  elif [ -n "$(find "$key" -perm -004)" ]; then
    warning "$key can be read by every user: chmod o= $key"
  fi
}

# What scheduled backups need of this host.
check_backups() {
  file=$(setting SERVICE_BACKUP_PASSPHRASE_FILE)
  if [ -n "$file" ]; then
    if [ -n "$(setting SERVICE_BACKUP_PASSPHRASE)" ]; then
      error 'SERVICE_BACKUP_PASSPHRASE and SERVICE_BACKUP_PASSPHRASE_FILE are both set: keep one of them'
    elif [ ! -f "$file" ] || ! may test -r "$file"; then
      error "SERVICE_BACKUP_PASSPHRASE_FILE=$file is no file that can be read"
    fi
  fi
  folder=$(backup_folder)
  [ -n "$folder" ] && [ -n "$(setting SERVICE_BACKUP_SCHEDULE)" ] || return 0
  user=10001
  if is_service; then user=mayday; fi
  case $folder in
    *[!A-Za-z0-9/._-]*) error "SERVICE_BACKUP_TO=$folder: use a directory with letters, digits, dots, _ and - only"; return 0 ;;
    /*) ;;
    *) return 0 ;; # The validator says what is expected.
  esac
  if [ ! -d "$folder" ]; then
    error "SERVICE_BACKUP_TO=$folder is no directory of this host. Make it: install -d -o $user -g $user -m 700 $folder"
  elif ! is_writable "$folder"; then
    error "SERVICE_BACKUP_TO=$folder cannot be written by the server, which runs as $user: chown $user:$user $folder"
  fi
}

# may COMMAND: as the user that reads files of this host.
may() {
  if is_service && [ "$(id -u)" = 0 ]; then runuser -u mayday -- "$@"; else "$@"; fi
}

# is_writable DIRECTORY: whether the server may write there. Without root, podman gives the container other user ids.
is_writable() {
  if is_service; then
    may test -w "$1"
  elif [ "$(id -u)" != 0 ] && [ "$(engine)" = podman ]; then
    return 0
  else
    [ -n "$(find "$1" -prune \( -user 10001 -perm -300 -o -group 10001 -perm -030 -o -perm -003 \))" ]
  fi
}

# The server's own validator judges every value.
check_values() {
  if [ -z "${MAYDAY_BIN:-}" ] && ! is_service; then
    [ -n "$(engine)" ] || return 0
    if ! has_image "$(image)"; then
      warning "the values were not checked: the image $(image) is not on this host"
      return 0
    fi
  fi
  # A server that runs there has its own port, and reads files of this host.
  set --
  as_given=without_paths
  if is_service; then
    set -- --data-dir "$service_data"
    as_given='cat'
  fi
  answer=$(layered "$static" "$local" "$generated" | $as_given | written |
    mayday check-config --deploy --env-file /dev/stdin "$@" 2>&1) || true
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

# Whether something listens on a TCP port of this host, by the kernel's tables (MAYDAY_PROC_NET names others).
listens() {
  hex=$(printf '%04X' "$1")
  cat "${MAYDAY_PROC_NET:-/proc/net}/tcp" "${MAYDAY_PROC_NET:-/proc/net}/tcp6" 2>/dev/null | awk -v port=":$hex" '$4 == "0A" && $2 ~ port "$" { found = 1 } END { exit !found }'
}

# compose.yml has environment files that are read literally, and some that need not exist.
check_compose() {
  # The version, the least one, and the name.
  # shellcheck disable=SC2046 # a list of words
  set -- $($(compose_command) version 2>/dev/null </dev/null | sed -nE \
    -e 's/^podman-composer? version:? +v?([0-9]+)\.([0-9]+).*/\1 \2 1 2 podman-compose/p' \
    -e 's/^Docker Compose version +v?([0-9]+)\.([0-9]+).*/\1 \2 2 30 Docker Compose/p' | head -n 1)
  [ $# -ge 5 ] || return 0
  if [ "$1" -lt "$3" ] || { [ "$1" = "$3" ] && [ "$2" -lt "$4" ]; }; then
    error "$5${6:+ $6} is $1.$2, which cannot read compose.yml: install $3.$4 or newer"
  fi
}

# check_disk FOLDER [WORDS]: whether its disk has room, if it is to be seen from here and is none of those before.
disks=' '
check_disk() {
  [ -d "$1" ] || return 0
  of=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024), $6 }')
  case $disks in *" ${of#* } "*) return 0 ;; esac
  disks="$disks${of#* } "
  free=${of%% *}
  [ -n "$free" ] || return 0
  text="only $free MiB are free on the disk of $1${2:-}"
  if [ "$free" -lt 1024 ]; then error "$text: at least 1024 are needed"
  elif [ "$free" -lt 5120 ]; then warning "$text"; fi
}

# Backups of updates lie beside the scripts; images and volumes with the engine, but a volume may be anywhere.
check_disks() {
  check_disk "$here"
  if is_service; then
    check_disk /var/lib/mayday ', which has the data'
    return 0
  fi
  [ -n "$(engine)" ] || return 0
  for field in '{{.Store.GraphRoot}}' '{{.DockerRootDir}}'; do
    folder=$("$(engine)" info --format "$field" 2>/dev/null) || folder=
    check_disk "$folder" ", the engine's"
  done
  folder=$("$(engine)" volume inspect --format '{{.Mountpoint}}' "$(stack_name)_data" 2>/dev/null) || folder=
  check_disk "$folder" ', which has the data'
}

check_host() {
  if is_service; then
    : # Neither containers nor Caddy's ports.
  elif [ -z "$(engine)" ]; then
    error 'there is no container engine: install Docker, or podman and podman-compose'
  elif [ -z "$(compose_command)" ]; then
    error "$(engine) has no compose command: install its compose plugin, or podman-compose"
  elif ! "$(engine)" info >/dev/null 2>&1; then
    error "$(engine) does not answer: start its service, or run this script as a user who may use it"
  else
    check_compose
    if check_stack; then
      check_stack_is_ours
      if has_caddy; then check_ports; fi
    fi
  fi
  check_disks
  # Certificates and sessions depend on it. No Mayday is older than this.
  [ "$(date -u +%Y)" -ge 2026 ] || error "the clock says $(date -u): set it, and let it be kept by NTP"
  if command -v timedatectl >/dev/null 2>&1 && [ "$(timedatectl show -p NTPSynchronized --value 2>/dev/null)" = no ]; then
    warning 'the clock is not synchronised: switch NTP on (timedatectl set-ntp true)'
  fi
}

if check_gateway && check_files; then
  check_required
  check_gateway_values
  check_gateway_files
  check_paths
  check_web
  check_host_app
  check_backups
  check_values
fi
check_host

if [ -n "$json" ]; then
  printf '{"errors": [%s], "warnings": [%s]}\n' "$(quoted "$errors")" "$(quoted "$warnings")"
else
  printf '%s' "$errors" | sed 's/^/error: /'
  printf '%s' "$warnings" | sed 's/^/warning: /'
fi
[ -z "$errors" ] || exit 1
[ -z "$strict" ] || [ -z "$warnings" ] || exit 1
