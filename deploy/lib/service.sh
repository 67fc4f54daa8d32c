# Mayday as a systemd service of this host, without containers. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# Below another root, for packages and tests.
root=${DESTDIR:-}
units=$root/etc/systemd/system
service_binary=$root/usr/local/bin/mayday
service_env=$root/etc/mayday/env
service_data=$root/var/lib/mayday
# What passes between root and the service's user: the folder of the scripts is not that user's to look into.
handover=$root/var/lib/mayday-handover

# is_service: whether install-service.sh has put Mayday on this host, or is doing so.
is_service() { [ -n "${MAYDAY_SERVICE:-}" ] || [ -f "${MAYDAY_UNIT:-$units/mayday.service}" ]; }

# needs_root [WORDS]: ends a script that works on a service and was started, with these words, by somebody else.
needs_root() {
  if ! is_service || [ "$(id -u)" = 0 ]; then return 0; fi
  fail 'only root can do this to a service' "sudo $0${*:+ $*}"
}

# as_service COMMAND: as the service's user, with nothing of this shell's environment.
as_service() { (cd / && runuser -u mayday -- env -i PATH="$PATH" "$@"); }

# installed ARGUMENTS, staged ARGUMENTS: a command of the binary on the service's data; of the one that is installed, or of the one
# that is to be.
installed() { as_service "$service_binary" "$@" --env-file "$service_env" --data-dir "$service_data"; }
staged() { as_service "$service_binary.new" "$@" --env-file "$service_env.new" --data-dir "$service_data"; }

# service_settings: what the server reads. Quotes keep every value as it stands: one pair of them is taken off. The unit says where
# the data is; Caddy or another proxy on this host is in front.
service_settings() {
  {
    assignments "$runtime" | grep -vE '^SERVICE_(LISTEN|DATA_DIR|TRUSTED_PROXIES|BACKUP_TO|BACKUP_PASSPHRASE|BACKUP_PASSPHRASE_FILE)='
    printf 'SERVICE_LISTEN=%s\n' "$(setting SERVICE_LISTEN 127.0.0.1:8000)"
    proxies=$(setting SERVICE_TRUSTED_PROXIES)
    printf 'SERVICE_TRUSTED_PROXIES=%s127.0.0.1,::1\n' "${proxies:+$proxies,}"
    # Paths of this host are the service's, too.
    for name in SERVICE_BACKUP_TO SERVICE_BACKUP_PASSPHRASE SERVICE_BACKUP_PASSPHRASE_FILE SERVICE_HOST_APP_PRIVATE_KEY_FILE; do
      value=$(setting "$name")
      [ -z "$value" ] || printf '%s=%s\n' "$name" "$value"
    done
  } | sed "s/^\([^=]*\)=\(.*\)$/\1='\2'/"
}

# stage BINARY: puts the binary and the derived configuration beside those that are installed, and checks the configuration.
stage() {
  (umask 022 && mkdir -p "${service_binary%/*}" "${service_env%/*}")
  chgrp mayday "${service_env%/*}"
  chmod 750 "${service_env%/*}"
  service_settings | replace_file "$service_env.new"
  chgrp mayday "$service_env.new"
  chmod 640 "$service_env.new"
  install -m 755 "$1" "$service_binary.new"
  report=$(staged check-config --deploy 2>&1) || fail 'the configuration is not valid' "$report"
}

unstage() { rm -f "$service_binary.new" "$service_env.new"; }

# place: what was staged is installed. Another binary that was there is kept as mayday.previous.
place() {
  if [ -f "$service_binary" ] && ! cmp -s "$service_binary.new" "$service_binary"; then ln -f "$service_binary" "$service_binary.previous"; fi
  mv -f "$service_binary.new" "$service_binary"
  mv -f "$service_env.new" "$service_env"
  (umask 022 && mkdir -p "$units/mayday.service.d")
  install -m 644 "$here/mayday.service" "$units/mayday.service"
  # The unit may write to its own directory alone.
  folder=$(backup_folder)
  if [ -n "$folder" ]; then
    printf '[Service]\nReadWritePaths=-%s\n' "$folder" | replace_file "$units/mayday.service.d/backups.conf"
  else
    rm -f "$units/mayday.service.d/backups.conf"
  fi
  systemctl daemon-reload
}

# start_service: whatever starts have failed before. The output goes to $log.
start_service() {
  systemctl reset-failed mayday.service >/dev/null 2>&1 || true
  systemctl enable mayday.service >"$log" 2>&1 && systemctl restart mayday.service >>"$log" 2>&1
}

# make_handover: an empty folder of the service's user, whatever a killed script has left there.
make_handover() {
  rm -rf "$handover"
  mkdir "$handover"
  chown mayday "$handover"
}

# --- With containers or without -----------------------------------------------------------------

# server_runs, stop_server, in_server ARGUMENTS: the server, and a command of its binary beside it.
server_runs() { if is_service; then systemctl is-active --quiet mayday.service; else [ -n "$(container_of server)" ]; fi; }
stop_server() { if is_service; then systemctl stop mayday.service; else compose stop server; fi; }
in_server() { if is_service; then installed "$@"; else compose exec -T server mayday "$@"; fi; }

# log_cure [SERVICE]: where its log is.
log_cure() {
  if is_service; then
    echo 'Read its log: journalctl -u mayday'
  else
    echo "Read its log: $(compose_command) -f $here/compose.yml logs${1:+ $1}"
  fi
}

# installer, updater, starter: what sets an instance up, updates it, and starts one that was stopped.
installer() { if is_service; then echo 'install-service.sh BINARY'; else echo bootstrap.sh; fi; }
updater() { if is_service; then installer; else echo update.sh; fi; }
starter() { if is_service; then echo 'systemctl start mayday'; else echo bootstrap.sh; fi; }

# has_gateway: whether the stack has one.
has_gateway() { ! is_service && is_on AGENT_GATEWAY_ENABLED; }
