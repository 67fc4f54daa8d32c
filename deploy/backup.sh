#!/bin/sh
# Backs up everything that a restore needs, while the server runs: backup.sh [DIRECTORY]
#
# The directory (by default backups/<time> beside this script) must not exist. It gets data.tar.zst (databases,
# journal, source maps), the configuration with the generated secrets, the code-host app's private key and, if
# the gateway is enabled, its database. Whoever has it can read everything in it.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

[ $# -le 1 ] || { echo "usage: ${0##*/} [DIRECTORY]" >&2; exit 2; }
target=${1:-$here/backups/$(date -u +%Y%m%dT%H%M%SZ)}
case $target in /*) ;; *) target=$(pwd)/$target ;; esac
[ ! -e "$target" ] || fail "$target exists already" 'Name another directory.'
[ -f "$runtime" ] || fail 'this instance was never started' 'Run bootstrap.sh first.'
# It gets its name once it is complete.
part=$target.part
rm -rf "$part"
mkdir -p "$part/data"
trap 'rm -rf "$part" "$part.sums"' EXIT
trap 'exit 1' HUP INT TERM
# The container's user writes here; nobody else gets through the directory around it.
chmod 777 "$part/data"

step 'Data'
compose run --rm --no-deps -T --volume "$part/data:/backup" server backup --output /backup/data.tar.zst >"$log" 2>&1 ||
  fail "the data could not be backed up: $(tail -n 1 "$log")" "All of the output: $log"
mv "$part/data/data.tar.zst" "$part/data.tar.zst"
rmdir "$part/data"
finish "$(du -h "$part/data.tar.zst" | cut -f 1)"

step 'Configuration and secrets'
for file in "$static" "$local" "$generated"; do
  [ ! -f "$file" ] || cp -p "$file" "$part/"
done
key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
if [ -n "$key" ]; then
  [ -f "$key" ] || fail "$key does not exist" 'SERVICE_HOST_APP_PRIVATE_KEY_FILE names the private key of the code-host app.'
  cp -p "$key" "$part/host-app-private-key.pem"
fi
finish

if is_on AGENT_GATEWAY_ENABLED; then
  step 'Gateway'
  # The variables are those of the container.
  # shellcheck disable=SC2016
  compose exec -T gateway-database sh -c 'pg_dump -U "$POSTGRES_USER" "$POSTGRES_DB"' >"$part/gateway.sql" 2>"$log" ||
    fail "the gateway's database could not be dumped: $(tail -n 1 "$log")" 'Is it running? bootstrap.sh starts it.'
  finish
fi

step 'Checksums'
if command -v sha256sum >/dev/null 2>&1; then
  (cd "$part" && find . -type f -exec sha256sum {} + | sort -k 2) >"$part.sums"
  mv "$part.sums" "$part/SHA256SUMS"
fi
sync
mv "$part" "$target"
finish
echo "Backup: $target"
