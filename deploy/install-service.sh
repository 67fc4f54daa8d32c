#!/bin/sh
# Installs Mayday as a systemd service, for hosts without containers: install-service.sh BINARY
#
# Safe to run again: it then replaces the binary and the unit, and restarts the service.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

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
  MAYDAY_ENGINE=none "$here/bootstrap.sh"
  exit 0
fi
"$here/ensure-secrets.sh"

step 'Configuration'
derive
mkdir -p /etc/mayday
# The unit says where the data is; Caddy or another proxy on this host is in front.
grep -vE '^(SERVICE_LISTEN|SERVICE_DATA_DIR|SERVICE_TRUSTED_PROXIES)=' "$runtime" |
  { cat; listen=$(setting SERVICE_LISTEN); printf 'SERVICE_LISTEN=%s\n' "${listen:-127.0.0.1:8000}"; printf 'SERVICE_TRUSTED_PROXIES=127.0.0.1,::1\n'; } |
  replace_file /etc/mayday/env
report=$("$binary" check-config --deploy --env-file /etc/mayday/env --data-dir /var/lib/mayday) ||
  fail 'the configuration is not valid' "$report"
finish

step 'Binary and unit'
install -m 755 "$binary" /usr/local/bin/mayday.new
mv -f /usr/local/bin/mayday.new /usr/local/bin/mayday
install -m 644 "$here/mayday.service" /etc/systemd/system/mayday.service
systemctl daemon-reload
finish

step 'Start'
systemctl enable mayday.service >/dev/null 2>&1
systemctl restart mayday.service || fail 'the service did not start' 'journalctl -u mayday'
finish
mayday_url=http://$(value_in /etc/mayday/env SERVICE_LISTEN)
"$here/wait-for-health.sh" "$mayday_url/health"
token=$(runuser -u mayday -- /usr/local/bin/mayday setup-token --data-dir /var/lib/mayday 2>/dev/null) || token=
[ -z "$token" ] || echo "Claim this instance: $(value_in /etc/mayday/env FRONTEND_BASE_URL)/setup#token=$token"
