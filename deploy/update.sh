#!/bin/sh
# Updates this instance to the image of the configured tag. A failure before the stop leaves the running
# server as it is; a migration that fails starts the previous image again.
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
[ -f "$static" ] || fail '.env.static is missing' 'Run bootstrap.sh first.'

"$here/ensure-secrets.sh"

step 'Preflight'
if report=$("$here/preflight.sh"); then
  finish "${report:+warnings, see below}"
  [ -z "$report" ] || printf '%s\n' "$report"
else
  printf '\n%s\n' "$report" >&2
  fail 'the configuration or this host is not ready' 'Correct the errors above, then run this script again. Nothing was changed.'
fi

# The image that runs now, whatever its tag means after the pull.
previous=localhost/mayday:previous
running=$(container_of server)
if [ -n "$running" ]; then
  "$(engine)" tag "$("$(engine)" inspect --format '{{.Image}}' "$running")" "$previous"
fi

step 'Image'
case $(image_source) in
  *.dkr.ecr.*.amazonaws.com/*)
    "$here/ecr-login.sh" >"$log" 2>&1 || fail "the registry refused the log-in: $(tail -n 1 "$log")" 'Check AWS_REGION and the credentials of the AWS command line.'
    ;;
esac
"$(engine)" pull "$(image)" >"$log" 2>&1 ||
  fail "$(image) could not be pulled: $(tail -n 1 "$log")" 'The running server was not touched. Check SERVER_IMAGE and SERVICE_SERVER_IMAGE_TAG.'
if is_on AGENT_GATEWAY_ENABLED; then
  compose pull gateway gateway-database >"$log" 2>&1 || fail "the gateway's images could not be pulled: $(tail -n 1 "$log")" 'The running server was not touched.'
fi
finish "$(image)"

saved=
if [ -n "$backup" ] && [ -n "$running" ]; then
  saved=$here/backups/before-update-$(date -u +%Y%m%dT%H%M%SZ)
  "$here/backup.sh" "$saved"
fi

step 'Stop'
# What the containers were started with, to go back to.
for file in "$runtime" "$compose_env"; do
  [ ! -f "$file" ] || cp -p "$file" "$file.previous"
done
derive
compose stop server >"$log" 2>&1 || fail "the server could not be stopped: $(tail -n 1 "$log")"
finish

go_back() {
  for file in "$runtime" "$compose_env"; do
    [ ! -f "$file.previous" ] || mv -f "$file.previous" "$file"
  done
  sed "s|^MAYDAY_IMAGE=.*|MAYDAY_IMAGE=$previous|" "$compose_env" | replace_file "$compose_env"
  compose up -d server >>"$log" 2>&1 || warn "the previous image did not start either: see $log"
}

step 'Migrations'
if ! compose run --rm -T server migrate >"$log" 2>&1; then
  reason=$(tail -n 1 "$log")
  [ -z "$running" ] || go_back
  fail "the data could not be migrated: $reason" "The data is unchanged${running:+, and the previous image runs again}. All of the output: $log"
fi
finish "$(tail -n 1 "$log")"

step 'Start'
if ! start; then
  printf '\n' >&2
  [ -z "$saved" ] || echo "To go back: $here/restore.sh $saved" >&2
  fail "the new server did not start: $(tail -n 1 "$log")" "All of the output: $log"
fi
finish

if ! "$here/wait-for-health.sh"; then
  [ -z "$saved" ] || echo "To go back: $here/restore.sh $saved" >&2
  exit 1
fi
rm -f "$runtime.previous" "$compose_env.previous"
