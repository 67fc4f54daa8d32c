# The container engine, and the stack in it. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

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
