# What preflight.sh looks at on this host: engine, names, ports, disks, clock. It sources this file.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

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
  check_disk "$engine_folder" ", the engine's"
  folder=$("$(engine)" volume inspect --format '{{.Mountpoint}}' "$(stack_name)_data" 2>/dev/null) || folder=
  check_disk "$folder" ', which has the data'
}

# ask_engine: whether the engine answers; engine_folder is where it keeps images then, under podman's name or Docker's. Podman takes
# half a second for each answer; Docker without its service gives an empty one, and has succeeded.
engine_folder=
ask_engine() {
  for field in '{{.Store.GraphRoot}}' '{{.DockerRootDir}}'; do
    if engine_folder=$("$(engine)" info --format "$field" 2>/dev/null) && [ -n "$engine_folder" ]; then return 0; fi
  done
  engine_folder=
  "$(engine)" info >/dev/null 2>&1
}

check_host() {
  if is_service; then
    : # Neither containers nor Caddy's ports.
  elif [ -z "$(engine)" ]; then
    error 'there is no container engine: install Docker, or podman and podman-compose'
  elif [ -z "$(compose_command)" ]; then
    error "$(engine) has no compose command: install its compose plugin, or podman-compose"
  elif ! ask_engine; then
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
