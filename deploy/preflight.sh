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

. "$here/lib/host.sh"

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
    [ -n "$(engine)" ] && [ -n "$(setting SERVICE_SERVER_IMAGE_TAG)" ] || return 0
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
    *) error "the server's validator could not run: $(reason_in "$answer")" ;;
  esac
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
