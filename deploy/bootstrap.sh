#!/bin/sh
# Sets this instance up, or applies a changed configuration. Safe to run again; never pulls an image.
. "$(dirname "$0")/lib.sh"
alone
if is_service && [ -f "$static" ]; then fail 'Mayday runs without containers here' "Apply the configuration with $here/install-service.sh BINARY"; fi

[ ! -f "$update_state" ] || warn 'an update was interrupted; update.sh finishes it'

template=$here/.env.static.example
[ -f "$template" ] || template=$here/../.env.static.example
if [ ! -f "$static" ]; then
  step 'Configuration'
  [ -f "$template" ] || fail '.env.static.example is missing' "Unpack the release's deploy folder again."
  cp "$template" "$static"
  chmod 600 "$static"
  finish 'copied from the template'
  echo
  echo "Set these in $static, without the # in front of them, then run this script again:"
  echo '  SITE_ADDRESS               public DNS name of this instance, such as mayday.example.com'
  echo '  SERVICE_TELEMETRY_MODE     self_managed'
  echo '  SERVICE_SERVER_IMAGE_TAG   stable, or a release such as server-v1.0.0'
  exit 0
fi

"$here/ensure-secrets.sh"

preflight 'Preflight' 'the configuration or this host is not ready' ''

# Before anything is derived: the server that runs has what was derived for it, and backups tell of its image.
step 'Image'
for image in $(images); do
  has_image "$image" || fail "$image is not on this host" "$(fetching "$image")"
done
running=$(container_of server)
[ -z "$running" ] || [ "$(image_of "$running")" = "$(image_id "$(image)")" ] ||
  fail "$(image) is another image than the one that runs" 'Run update.sh, which makes a backup first. The server was not touched.'
finish "$(image)"

step 'Runtime configuration'
derive
finish

step 'Start'
start || fail "the stack did not start: $(said)" "All of its output: $log"
finish

"$here/wait-for-health.sh" --here

token=$(in_server setup-token 2>/dev/null) || token=
tell_address "$token"
