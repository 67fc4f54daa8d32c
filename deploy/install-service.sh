#!/bin/sh
# Installs Mayday as a systemd service, for hosts without containers: install-service.sh BINARY
#
# Safe to run again: it then replaces the binary and the unit, and restarts the service.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

# Below another root, for packages and tests.
root=${DESTDIR:-}
configuration=$root/etc/mayday
units=$root/etc/systemd/system
MAYDAY_SERVICE=yes
export MAYDAY_SERVICE
binary=${1:-}
if [ -z "$binary" ] || [ $# != 1 ]; then
  echo "usage: ${0##*/} BINARY" >&2
  exit 2
fi
[ "$(id -u)" = 0 ] || fail 'only root can install a service' "sudo $0 $binary"
[ -x "$binary" ] || fail "$binary is not an executable file" 'Unpack the release, and name its mayday binary.'
command -v systemctl >/dev/null 2>&1 || fail 'this host has no systemd' 'Use the containers: bootstrap.sh.'

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

step 'Configuration'
derive
mkdir -p "$configuration"
chgrp mayday "$configuration"
chmod 750 "$configuration"
# What the server reads. Quotes keep every value as it stands: one pair of them is taken off. The unit says where the data
# is; Caddy or another proxy on this host is in front.
{
  assignments "$runtime" | grep -vE '^SERVICE_(LISTEN|DATA_DIR|TRUSTED_PROXIES|BACKUP_TO|BACKUP_PASSPHRASE|BACKUP_PASSPHRASE_FILE)='
  listen=$(setting SERVICE_LISTEN)
  printf 'SERVICE_LISTEN=%s\n' "${listen:-127.0.0.1:8000}"
  proxies=$(setting SERVICE_TRUSTED_PROXIES)
  printf 'SERVICE_TRUSTED_PROXIES=%s127.0.0.1,::1\n' "${proxies:+$proxies,}"
  # Paths of this host are the service's, too.
  for name in SERVICE_BACKUP_TO SERVICE_BACKUP_PASSPHRASE SERVICE_BACKUP_PASSPHRASE_FILE SERVICE_HOST_APP_PRIVATE_KEY_FILE; do
    value=$(setting "$name")
    [ -z "$value" ] || printf '%s=%s\n' "$name" "$value"
  done
} | sed "s/^\([^=]*\)=\(.*\)$/\1='\2'/" | replace_file "$configuration/env"
chgrp mayday "$configuration/env"
chmod 640 "$configuration/env"
report=$("$binary" check-config --deploy --env-file "$configuration/env" --data-dir "$root/var/lib/mayday") ||
  fail 'the configuration is not valid' "$report"
finish

step 'Binary and unit'
mkdir -p "$root/usr/local/bin" "$units"
install -m 755 "$binary" "$root/usr/local/bin/mayday.new"
mv -f "$root/usr/local/bin/mayday.new" "$root/usr/local/bin/mayday"
install -m 644 "$here/mayday.service" "$units/mayday.service"
# The unit may write to its own directory alone.
folder=$(backup_folder)
if [ -n "$folder" ]; then
  mkdir -p "$units/mayday.service.d"
  printf '[Service]\nReadWritePaths=-%s\n' "$folder" | replace_file "$units/mayday.service.d/backups.conf"
else
  rm -f "$units/mayday.service.d/backups.conf"
fi
systemctl daemon-reload
finish

step 'Start'
systemctl enable mayday.service >/dev/null 2>&1
systemctl restart mayday.service || fail 'the service did not start' 'journalctl -u mayday'
finish
mayday_url=http://$(value_in "$configuration/env" SERVICE_LISTEN)
"$here/wait-for-health.sh" "$mayday_url/health"
token=$(runuser -u mayday -- "$root/usr/local/bin/mayday" setup-token --data-dir "$root/var/lib/mayday" 2>/dev/null) || token=
[ -z "$token" ] || echo "Claim this instance: $(value_in "$configuration/env" FRONTEND_BASE_URL)/setup#token=$token"
