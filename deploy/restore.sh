#!/bin/sh
# Restores what backup.sh made, onto this host: restore.sh [--yes] DIRECTORY
#
# The data and the configuration that are here are kept aside. Ends with a check of the restored instance;
# with MAYDAY_CHECK_EMAIL and MAYDAY_CHECK_PASSWORD it includes a sign-in.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

yes=
[ "${1:-}" != --yes ] || { yes=yes; shift; }
[ $# = 1 ] || { echo "usage: ${0##*/} [--yes] DIRECTORY" >&2; exit 2; }
from=$(cd "$1" 2>/dev/null && pwd) || fail "$1 is not a directory"

step 'Backup'
[ -f "$from/data.tar.zst" ] || fail "$from has no data.tar.zst" 'Name a directory that backup.sh made.'
[ -f "$from/.env.static" ] || fail "$from has no .env.static" 'Name a directory that backup.sh made.'
if [ -f "$from/SHA256SUMS" ] && command -v sha256sum >/dev/null 2>&1; then
  (cd "$from" && sha256sum --quiet --check SHA256SUMS) >"$log" 2>&1 ||
    fail "the backup is damaged: $(head -n 1 "$log")" 'Nothing was changed. Use another backup.'
fi
finish

if [ -z "$yes" ] && [ -f "$static" ]; then
  printf 'The data and configuration of this host are replaced and kept aside. Go on? [y/N] '
  read -r answer
  case $answer in y | Y | yes) ;; *) echo 'Nothing was changed.'; exit 1 ;; esac
fi

step 'Configuration and secrets'
aside=$here/before-restore-$(date -u +%Y%m%dT%H%M%SZ)
mkdir "$aside"
for file in .env.static .env.local .env.generated; do
  [ ! -f "$here/$file" ] || cp -p "$here/$file" "$aside/"
done
put_back() {
  for file in .env.static .env.local .env.generated; do
    rm -f "${here:?}/$file"
    [ ! -f "$aside/$file" ] || cp -p "$aside/$file" "$here/"
  done
  [ ! -f "$static" ] || derive
}
for file in .env.static .env.local .env.generated; do
  rm -f "${here:?}/$file"
  [ ! -f "$from/$file" ] || cp -p "$from/$file" "$here/"
done
derive
has_image "$(image)" || { put_back; fail "$(image) is not on this host" "Pull it: $(engine) pull $(image). Nothing was changed."; }
finish "those from before: $aside"

step 'Stop'
compose stop server >"$log" 2>&1 || true
finish

step 'Data'
# Its path is not the container user's to read: standard input would need a second copy, so it is mounted alone.
mkdir -p "$here/.restore"
ln -f "$from/data.tar.zst" "$here/.restore/data.tar.zst" 2>/dev/null || cp "$from/data.tar.zst" "$here/.restore/data.tar.zst"
chmod 755 "$here/.restore"
chmod 644 "$here/.restore/data.tar.zst"
trap 'rm -rf "$here/.restore"' EXIT
if ! compose run --rm --no-deps -T --volume "$here/.restore:/backup:ro" server restore --yes --input /backup/data.tar.zst >"$log" 2>&1; then
  reason=$(tail -n 1 "$log")
  put_back
  [ ! -f "$static" ] || compose up -d server >>"$log" 2>&1 || true
  fail "the data could not be restored: $reason" "What was here is unchanged, and runs again. All of the output: $log"
fi
finish

if is_on AGENT_GATEWAY_ENABLED && [ -f "$from/gateway.sql" ]; then
  step 'Gateway'
  compose up -d gateway-database >"$log" 2>&1
  # The variables are those of the container.
  # shellcheck disable=SC2016
  compose exec -T gateway-database sh -c 'until pg_isready -q; do sleep 1; done; dropdb -U "$POSTGRES_USER" --if-exists --force "$POSTGRES_DB" && createdb -U "$POSTGRES_USER" "$POSTGRES_DB" && psql -q -U "$POSTGRES_USER" "$POSTGRES_DB"' <"$from/gateway.sql" >"$log" 2>&1 ||
    fail "the gateway's database could not be restored: $(tail -n 1 "$log")"
  finish
fi

step 'Start'
start || fail "the stack did not start: $(tail -n 1 "$log")" "All of the output: $log"
finish
"$here/wait-for-health.sh"

step 'Restore check'
check=$(compose exec -T server mayday healthcheck 2>&1) || fail "the server is not healthy: $check"
words='health'
site=$(configured API_BASE_URL)
if meta=$(curl --fail --silent --show-error --max-time 5 "$site/meta" 2>/dev/null) && [ -n "$meta" ]; then
  words="$words, meta"
else
  warn "$site/meta does not answer from this host: check the name, the certificate and the ports"
fi
if [ -n "${MAYDAY_CHECK_EMAIL:-}" ]; then
  body=$(printf '%s\n%s\n' "$MAYDAY_CHECK_EMAIL" "${MAYDAY_CHECK_PASSWORD:-}" | awk '
    { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); line[NR] = $0 }
    END { printf "{\"email\": \"%s\", \"password\": \"%s\"}", line[1], line[2] }')
  printf '%s' "$body" | curl --fail --silent --show-error --max-time 10 --output /dev/null -H 'Content-Type: application/json' \
    -H "Origin: $(configured FRONTEND_BASE_URL)" --data @- "$site/auth/password/login" 2>"$log" ||
    fail "$MAYDAY_CHECK_EMAIL cannot sign in: $(tail -n 1 "$log")"
  words="$words, sign-in"
fi
finish "$words"
