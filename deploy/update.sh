#!/bin/sh
# Updates this instance to the image of the configured tag. A failure before the stop leaves the running
# server as it is; a migration that fails starts the previous image again. If this script is killed, running it again
# finishes the update.
#
#   update.sh [--no-backup]
. "$(dirname "$0")/lib.sh"

backup=yes
for argument; do
  case $argument in
    --no-backup) backup= ;;
    *) echo "usage: ${0##*/} [--no-backup]" >&2; exit 2 ;;
  esac
done
if is_service; then fail 'Mayday runs without containers here' "Update it to another binary: $here/install-service.sh BINARY"; fi
[ -f "$static" ] || fail '.env.static is missing' 'Run bootstrap.sh first.'
alone

"$here/ensure-secrets.sh"

preflight 'Preflight' 'the configuration or this host is not ready' 'Nothing was changed.'

# What there is to go back to. An update that was interrupted after the stop has left it, and nothing has been accepted
# since then; if the server runs, everything starts over.
previous=localhost/$(stack_name):previous
running=$(container_of server)
saved=
# put_back: the files that the containers were started with.
put_back() {
  for file in "$runtime" "$compose_env"; do
    [ ! -f "$file.previous" ] || mv -f "$file.previous" "$file"
  done
  hand_over_runtime
  [ ! -f "$key_before" ] || hand_over "$key_before" host-app-private-key.pem
}
if [ -n "$running" ]; then
  # Interrupted before the stop: what was derived then was never started.
  [ "$(checksum)" = "$(started_with)" ] || put_back
  forget_previous
  before=$(image_of "$running")
else
  before=$(value_in "$update_state" IMAGE_ID)
  saved=$(value_in "$update_state" BACKUP)
  [ ! -f "$update_state" ] || echo 'An update was interrupted; this finishes it.'
fi

# was_loaded: whether the image came from a file: it is on this host, and its name is that of no registry.
was_loaded() { from_file "$(image)" && has_image "$(image)"; }

# Until the server is stopped, a moving tag goes on meaning what runs, however this ends, so that nothing else starts the other
# image without a backup. One that was loaded from a file cannot be pulled again, and keeps its name.
stopped=
keep_tag() {
  leave_open
  [ -z "$stopped" ] && [ -n "$running" ] && [ "$(value_in "$compose_env" MAYDAY_IMAGE)" = "$(image)" ] || return 0
  was_loaded || [ "$(image_id "$(image)")" = "$before" ] || "$(engine)" tag "$before" "$(image)" >/dev/null 2>&1 || true
}
trap keep_tag EXIT
trap 'exit 1' HUP INT TERM

step 'Image'
case $(image_source) in
  *.dkr.ecr.*.amazonaws.com/*)
    "$here/ecr-login.sh" >"$log" 2>&1 || fail "the registry refused the log-in: $(tail -n 1 "$log")" 'Check AWS_REGION and the credentials of the AWS command line.'
    ;;
esac
if ! "$(engine)" pull "$(image)" >"$log" 2>&1 && ! was_loaded; then
  cure='Check SERVER_IMAGE and SERVICE_SERVER_IMAGE_TAG'
  ! from_file "$(image)" || cure=$(fetching "$(image)")
  fail "$(image) could not be pulled: $(tail -n 1 "$log")" "The running server was not touched. $cure."
fi
if is_on AGENT_GATEWAY_ENABLED; then
  for name in GATEWAY GATEWAY_DATABASE; do
    "$(engine)" pull "$(named_image "$name")" >"$log" 2>&1 ||
      fail "$(named_image "$name") could not be pulled: $(tail -n 1 "$log")" 'The running server was not touched.'
  done
fi
if has_caddy && ! has_image "$(named_image CADDY)"; then
  "$(engine)" pull "$(named_image CADDY)" >"$log" 2>&1 ||
    fail "$(named_image CADDY) could not be pulled: $(tail -n 1 "$log")" 'The running server was not touched.'
fi
# A name for the image that ran, whatever its tag means now: one without a name is easily pruned.
if [ -n "$before" ] && [ "$before" != "$(image_id "$(image)")" ]; then "$(engine)" tag "$before" "$previous"; fi
finish "$(image)"

# Before, the configuration was judged by the image that runs, if at all.
preflight 'Values' "$(image) does not accept the configuration" 'The running server was not touched.'

# A stopped instance is backed up from its files.
if [ -n "$backup" ] && [ -z "$saved" ] && { [ -n "$running" ] || [ -f "$here/.started" ]; }; then
  back_up_before_update
fi

step 'Stop'
# What the containers were started with, to go back to.
if [ -n "$running" ]; then
  for file in "$runtime" "$compose_env"; do
    [ ! -f "$file" ] || cp -p "$file" "$file.previous"
  done
  [ ! -f "$handed/server/host-app-private-key.pem" ] || cp -p "$handed/server/host-app-private-key.pem" "$key_before"
  printf 'IMAGE_ID=%s\nBACKUP=%s\n' "$before" "$saved" | replace_file "$update_state"
fi
derive
stopped=yes
if [ -n "$running" ]; then
  compose stop server >"$log" 2>&1 || fail "the server could not be stopped: $(tail -n 1 "$log")" 'Run this script again.'
fi
finish

# go_back: whether the previous image runs again.
go_back() {
  put_back
  # A moving tag means on this host what works, until it is pulled again: bootstrap.sh would start the other one.
  name=$(value_in "$compose_env" MAYDAY_IMAGE)
  [ "$(image_id "$name")" = "$before" ] || "$(engine)" tag "$before" "$name"
  mv -f "$log" "$log.failed"
  # All containers anew: Caddy may not find a server again that was only stopped (podman with CNI).
  rm -f "$here/.started"
  rm -f "$update_state"
  start && "$here/wait-for-health.sh" --here >>"$log" 2>&1
}

step 'Migrations'
if ! once migrate server migrate >"$log" 2>&1; then
  reason=$(tail -n 1 "$log")
  [ -n "$before" ] || fail "the data could not be migrated: $reason" "All of the output: $log"
  # The previous image refuses data of a newer version: where it is healthy, the data is as it was.
  if go_back; then
    fail "the data could not be migrated: $reason" "The data is unchanged, and the previous image runs again. All of the output: $log.failed"
  fi
  fail "the data could not be migrated: $reason" "The previous image does not run with this data either: see $log, and $log.failed for the migration.${saved:+ The way back: $(line "$here/restore.sh" "$saved")}"
fi
finish "$(migrated)"
[ -z "$saved" ] || echo "The way back, without what is accepted from now on: $(line "$here/restore.sh" "$saved")"

step 'Start'
# Everything anew: not every compose command notices that a tag means another image now.
rm -f "$here/.started"
start || fail "the new server did not start: $(said)" "All of the output: $log"
finish
"$here/wait-for-health.sh"
forget_previous
echo "Mayday runs at $(configured FRONTEND_BASE_URL)"
