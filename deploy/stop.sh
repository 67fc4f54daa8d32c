#!/bin/sh
# Ends this instance and removes its containers and networks: stop.sh [--yes] [--remove-data]
#
# The data, the certificates and the configuration stay, and bootstrap.sh starts it again. --remove-data removes the
# volumes, too, after asking; what lies in this folder stays (the configuration, the secrets, backups).
. "$(dirname "$0")/lib.sh"

yes=
volumes=
for argument; do
  case $argument in
    --yes) yes=yes ;;
    --remove-data) volumes=--volumes ;;
    *) echo "usage: ${0##*/} [--yes] [--remove-data]" >&2; exit 2 ;;
  esac
done
if is_service; then fail 'Mayday runs without containers here' 'systemctl stop mayday'; fi
[ -f "$compose_env" ] || fail 'nothing was started from here'
other=$(elsewhere)
[ -z "$other" ] || fail "the containers named $(stack_name)_... belong to $other" 'Run the stop.sh of that folder.'
[ -z "$volumes" ] || confirmed "All data of $(value_in "$compose_env" MAYDAY_SITE) is removed: the volumes $(stack_name)_... Go on?" ||
  { echo 'Nothing was removed.'; exit 1; }
alone

step 'Containers'
end_containers "$volumes" >"$log" 2>&1 || fail "they could not be ended: $(said)" "All of the output: $log"
[ -z "$volumes" ] || rm -f "$here/.started"
finish "${volumes:+removed with their data}"

step 'Networks'
for each in front gateway; do
  if has_network "$each"; then
    remove_network "$each" >>"$log" 2>&1 || fail "$(stack_name)_$each could not be removed: $(said)" "Another container may use it: $(engine) network inspect $(stack_name)_$each"
  fi
done
finish
