#!/bin/sh
# Installs Mayday as a systemd service, for hosts without containers; run again, it applies a changed configuration, or
# updates to another binary. A failure before the stop leaves the running server as it is; a migration that fails starts
# the previous binary again. If this script is killed, running it again finishes the update.
#
#   install-service.sh [--no-backup] BINARY
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

MAYDAY_SERVICE=yes
export MAYDAY_SERVICE
backup=yes
[ "${1:-}" != --no-backup ] || { backup=; shift; }
case $#:${1:-} in
  1:[!-]*) binary=$1 ;;
  *) echo "usage: ${0##*/} [--no-backup] BINARY" >&2; exit 2 ;;
esac
# Without a slash it would be looked for in PATH.
case $binary in */*) ;; *) binary=./$binary ;; esac
needs_root "$binary"
[ -f "$binary" ] || fail "$binary is no file" 'Name the binary of a release: mayday-server-vX.Y.Z-linux-...'
[ -x "$binary" ] || fail "$binary is not executable" "A download is not: chmod +x $(line "$binary")"
command -v systemctl >/dev/null 2>&1 || fail 'this host has no systemd' 'Use the containers: bootstrap.sh.'
alone

step 'User'
if ! getent passwd mayday >/dev/null; then
  useradd --system --home-dir /var/lib/mayday --shell /usr/sbin/nologin mayday
fi
finish

if [ ! -f "$static" ]; then
  "$here/bootstrap.sh"
  exit 0
fi
"$here/ensure-secrets.sh"

preflight 'Preflight' 'the configuration or this host is not ready' 'Nothing was changed.' "$binary"

step 'Configuration'
trap 'leave_open; unstage' EXIT
trap 'exit 1' HUP INT TERM
derive
stage "$binary"
finish

# back_up_before: what there is to go back to, as $saved. An update that was interrupted after the stop has made it already, and
# nothing has been accepted since then; if the server runs, everything starts over.
back_up_before() {
  if server_runs; then forget_previous; fi
  saved=$(value_in "$update_state" BACKUP)
  if [ -f "$update_state" ]; then
    echo 'An update was interrupted; this finishes it.'
  elif [ -n "$backup" ] && [ -f "$service_data/main.db" ]; then
    back_up_before_update
  fi
}

# go_back: the previous binary is still in place. It refuses data of a newer version: where it is healthy, the data is as it was.
go_back() {
  reason=$(said)
  mv -f "$log" "$log.failed"
  rm -f "$update_state"
  if start && "$here/wait-for-health.sh" --here >>"$log" 2>&1; then
    fail "the data could not be migrated: $reason" "The data is unchanged, and the previous binary runs again. All of the output: $log.failed"
  fi
  fail "the data could not be migrated: $reason" "The previous binary does not run with this data either: see journalctl -u mayday, and $log.failed for the migration.${saved:+ The way back: $(line "$here/restore.sh" "$saved")}"
}

# migrate: stops the server, and brings its data to the new version.
migrate() {
  back_up_before
  step 'Stop'
  printf 'BACKUP=%s\n' "$saved" | replace_file "$update_state"
  stop_server >"$log" 2>&1 || fail "the server could not be stopped: $(said)" 'Read systemctl status mayday, then run this script again.'
  finish
  step 'Migrations'
  staged migrate >"$log" 2>&1 || go_back
  finish "$(migrated)"
  [ -z "$saved" ] || echo "The way back, without what is accepted from now on: $(line "$here/restore.sh" "$saved")"
}

# The same binary applies the configuration alone.
if [ -f "$update_state" ] || { [ -f "$service_binary" ] && ! cmp -s "$binary" "$service_binary"; }; then migrate; fi

step 'Binary and unit'
place
finish

step 'Start'
start || fail "the service did not start: $(said)" 'Read its log: journalctl -u mayday'
finish
"$here/wait-for-health.sh" --here
forget_previous
token=$(in_server setup-token 2>/dev/null) || token=
tell_address "$token"
