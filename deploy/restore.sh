#!/bin/sh
# Restores what backup.sh made, onto this host: restore.sh [--yes] DIRECTORY
#
# restore.sh [--yes] --remove-kept removes what former restores have kept, here and in the data.
#
# The data and the configuration that are here are kept aside. Ends with a check of the restored instance;
# with MAYDAY_CHECK_EMAIL and MAYDAY_CHECK_PASSWORD it includes a sign-in.
#
# Instead of a directory, an archive that the server made by itself: /PATH/NAME.tar.zst or s3://BUCKET/KEY.tar.zst. Then
# only the data is restored; the configuration and the secrets here have to be those of its instance.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

needs_root "$@"
yes=
[ "${1:-}" != --yes ] || { yes=yes; shift; }
[ $# = 1 ] || { echo "usage: ${0##*/} [--yes] DIRECTORY|ARCHIVE|--remove-kept" >&2; exit 2; }

if [ "$1" = --remove-kept ]; then
  set -- "$here"/before-restore-*
  [ -d "$1" ] || set --
  [ $# = 0 ] || du -sh "$@"
  confirmed "This$([ $# != 0 ] || echo ', which is nothing here,') and what restores have kept in the data is removed. Go on?" ||
    { echo 'Nothing was removed.'; exit 1; }
  alone
  [ $# = 0 ] || rm -rf "$@"
  server_runs || fail 'the server does not run: what is kept in the data was not removed' "Start it with $(starter), then run this again."
  in_server restore --remove-kept --yes
  exit
fi

step 'Backup'
# The directory, empty for the data alone; and the data, as a file or an address.
from=
case $1 in
  s3://*) data=$1 ;;
  *)
    if [ -f "$1" ]; then
      data=$(cd "$(dirname "$1")" && pwd)/${1##*/}
    else
      from=$(cd "$1" 2>/dev/null && pwd) || fail "$1 is neither a directory nor a file" 'Name what backup.sh made, its archive, or an s3:// address.'
      data=$from/data.tar.zst
      [ ! -f "$from/data.address" ] || data=$(cat "$from/data.address")
    fi
    ;;
esac
case $data in
  s3://*.tar.zst) ;;
  s3://*) fail "$data is no archive" 'Name one: s3://BUCKET/KEY.tar.zst' ;;
  *.tar.zst) [ -f "$data" ] || fail "$from has no data.tar.zst" 'Name a directory that backup.sh made.' ;;
  *) fail "$data is no archive" 'Name a directory that backup.sh made, or a file that ends in .tar.zst.' ;;
esac
if [ -z "$from" ]; then
  [ -f "$runtime" ] || fail 'this host has no configuration for these data' "Put .env.static and .env.generated of its instance here, and run $(installer)."
else
  [ -f "$from/.env.static" ] || fail "$from has no .env.static" 'Name a directory that backup.sh made.'
fi
if [ -n "$from" ] && [ -f "$from/SHA256SUMS" ] && command -v sha256sum >/dev/null 2>&1; then
  (cd "$from" && sha256sum --quiet --check SHA256SUMS) >"$log" 2>&1 ||
    fail "the backup is damaged: $(head -n 1 "$log")" 'Nothing was changed. Use another backup.'
fi
finish

if [ -f "$static" ]; then
  confirmed "The data${from:+ and configuration} of this host are replaced and kept aside. Go on?" || { echo 'Nothing was changed.'; exit 1; }
fi
alone

aside=$here/before-restore-$(date -u +%Y%m%dT%H%M%SZ)
# Of a restore in the same second.
[ ! -e "$aside" ] || aside=$aside-$$
pinned=
# What is to be said of an image that is not here.
absent=
digest=
# Whether the configuration of the backup is here, and the data is not yet touched.
swapped=
# This script may end anywhere.
tidy() {
  leave_open
  rm -rf "$here/.restore" "$handover"
  if is_service; then unstage; fi
  [ -n "$swapped" ] || return 0
  put_back
  echo "${0##*/}: ended early. The configuration is again as it was, and so is the data; $(starter) starts a server that was stopped." >&2
}
trap tidy EXIT
trap 'exit 1' HUP INT TERM
put_back() {
  swapped=
  putting_back=yes
  if [ -z "$from" ]; then return 0; fi
  for file in .env.static .env.local .env.generated; do
    rm -f "${here:?}/$file"
    [ ! -f "$aside/$file" ] || cp -p "$aside/$file" "$here/"
  done
  [ -z "$took_compose" ] || rm -f "$here/compose.local.yml"
  if [ -n "$key_was" ]; then
    rm -f "$key_was"
    [ ! -f "$aside/host-app-private-key.pem" ] || mv "$aside/host-app-private-key.pem" "$key_was"
  fi
  if [ -f "$static" ]; then derive; else rm -rf "$runtime" "$compose_env" "$handed" "$here"/.env.gateway*; fi
  # Copies by now.
  rm -rf "$aside"
}
# The private key of the code-host app goes to where the configuration of the backup says; another one that is there is kept
# aside.
key_was=
take_host_app_key() {
  [ -f "$from/host-app-private-key.pem" ] || return 0
  key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
  case $key in /*) ;; *) return 0 ;; esac
  if cmp -s "$from/host-app-private-key.pem" "$key"; then return 0; fi
  mkdir -p "$(dirname "$key")"
  [ ! -f "$key" ] || cp -p "$key" "$aside/host-app-private-key.pem"
  key_was=$key
  replace_file "$key" <"$from/host-app-private-key.pem"
  # The service reads the file itself.
  if is_service; then chown mayday "$key"; fi
}
# The data goes with the image that ran when the backup was made, whatever its tag means today: an update's backup has the
# tag that the update was for. Without a word about it, or without that image, the configured tag counts.
same_image() {
  name=$(value_in "$from/image" MAYDAY_IMAGE)
  id=$(value_in "$from/image" MAYDAY_IMAGE_ID)
  if [ -z "$name" ] || [ "${name%:*}" != "$(image_source)" ]; then return 0; fi
  if [ -z "$id" ] || [ -z "$(image_id "$id")" ]; then
    pinned=${name##*:}
    digest=$(value_in "$from/image" MAYDAY_IMAGE_DIGEST)
    [ -z "$id" ] || absent="the image that ran when the backup was made is not on this host, and $name is started. To have the same one, $([ -n "$digest" ] && echo "$(engine) pull $digest" || echo 'load it'), then run this again"
  elif [ "$(image_id "$id")" != "$(image_id "$(image)")" ]; then
    pinned=${name##*:}
    if [ "$(image_id "$id")" != "$(image_id "$name")" ]; then
      # A moving tag has moved on.
      pinned=restored-$(date -u +%Y%m%dT%H%M%SZ)
      "$(engine)" tag "$id" "$(image_source):$pinned"
    fi
  fi
  [ "$pinned" != "$(setting SERVICE_SERVER_IMAGE_TAG)" ] || pinned=
  [ -n "$pinned" ] || return 0
  for file in "$static" "$local"; do
    [ ! -f "$file" ] || replace_value "$file" SERVICE_SERVER_IMAGE_TAG "$pinned"
  done
}
# keep_host: what belongs to this host stays, whatever the backup says; for the backup of another stack, also where this one is
# reached and backed up to.
keep_host() {
  [ -n "$ours" ] || return 0
  names=$of_host
  [ "$stack" = "$(stack_name)" ] || names="$names $of_place"
  for name in $names; do
    value=$(printf '%s\n' "$ours" | sed -n "s/^$name=//p")
    for file in "$static" "$local"; do
      [ ! -f "$file" ] || replace_value "$file" "$name" "$value"
    done
    [ "$(setting "$name")" = "$value" ] || printf '%s=%s\n' "$name" "$value" >>"$static"
  done
}
ours=
took_compose=
of_place='SITE_ADDRESS API_BASE_URL FRONTEND_BASE_URL SERVICE_BACKUP_SCHEDULE SERVICE_BACKUP_TO'
take_configuration() {
  stack=$(stack_name)
  if [ -f "$static" ]; then
    ours=$(for name in $of_host $of_place; do printf '%s=%s\n' "$name" "$(setting "$name")"; done)
  fi
  mkdir "$aside"
  swapped=yes
  for file in .env.static .env.local .env.generated; do
    [ ! -f "$here/$file" ] || cp -p "$here/$file" "$aside/"
    rm -f "${here:?}/$file"
    [ ! -f "$from/$file" ] || cp -p "$from/$file" "$here/"
  done
  keep_host
  # It may name ports and paths of its host: a folder that had a configuration keeps its own, or none.
  if [ -z "$ours" ] && [ -f "$from/compose.local.yml" ] && [ ! -f "$here/compose.local.yml" ] && ! is_service; then
    cp -p "$from/compose.local.yml" "$here/"
    took_compose=yes
  fi
  if ! is_service; then same_image; fi
  take_host_app_key
}
if [ -n "$from" ]; then
  step 'Configuration and secrets'
  take_configuration
  derive
  for needed in $(is_service || images); do
    if has_image "$needed"; then continue; fi
    cure=$(fetching "$needed" "$([ "$needed" != "$(image)" ] || echo "$digest")")
    put_back
    fail "$needed is not on this host" "$cure. Nothing was changed."
  done
  finish "${ours:+those from before: $aside}"
  [ -z "$absent" ] || warn "$absent"
  [ -z "$pinned" ] || echo "SERVICE_SERVER_IMAGE_TAG is now $pinned: the image that ran when the backup was made"
fi

other=$(elsewhere)
name=$(stack_name)
[ -z "$other" ] || {
  put_back
  fail "the containers named ${name}_... belong to $other" "Put an .env.static here first that gives this instance a SERVICE_STACK_NAME, SERVICE_HTTP_PORT, SERVICE_HTTPS_PORT and SERVICE_PROXY_NETWORK of its own. Nothing was changed."
}

# Of a service, the backup has the binary that ran when it was made.
if is_service; then
  step 'Binary'
  of_backup=$service_binary
  [ -z "$from" ] || [ ! -f "$from/mayday" ] || of_backup=$from/mayday
  stage "$of_backup"
  finish "$(as_service "$service_binary.new" --version)"
fi

step 'Stop'
stop_server >"$log" 2>&1 || true
finish

step 'Data'
# restore INPUT [OPTIONS]: by the service's binary, or in a container with these options.
restore() {
  swapped=
  code=0
  input=$1
  shift
  if is_service; then staged restore --yes --input "$input"; else once restore "$@" server restore --yes --input "$input"; fi >"$log" 2>&1 || code=$?
  [ "$code" != 0 ] || return 0
  reason=$(said)
  mv -f "$log" "$log.failed"
  # 3: it has begun to move files, and can only be finished. From 128 on: it was ended from outside, nobody knows where.
  if [ "$code" = 3 ] || [ "$code" -ge 128 ]; then
    fail "the data is not restored yet: $reason" "The configuration is that of the backup. Run this script again with the same backup, which finishes it. All of the output: $log.failed"
  fi
  put_back
  [ -f "$static" ] || fail "the data could not be restored: $reason" "This folder is as it was. All of the output: $log.failed"
  rm -f "$here/.started"
  if start && "$here/wait-for-health.sh" --here >>"$log" 2>&1; then
    fail "the data could not be restored: $reason" "What was here is unchanged, and runs again. All of the output: $log.failed"
  fi
  fail "the data could not be restored: $reason" "What was here does not run: see $log, and $log.failed for the restore."
}
# The archive at a path that the server's user may read: itself where everybody may, or else a copy, so that it stays as closed
# as it is, however this script ends. A copy takes no room on file systems that share blocks.
readable() {
  case $(stat -c %a "$1") in
    *[4567]) ln -f "$1" "$2" 2>/dev/null && return ;;
  esac
  { cp --reflink=auto "$1" "$2" 2>/dev/null || cp "$1" "$2"; } && chmod 644 "$2"
}

case $data in
  s3://*) restore "$data" ;;
  *)
    # Its path is not the server's user's to read, so it is mounted alone, below a directory that nobody else gets through.
    if is_service; then
      make_handover
      mounted=$handover/data.tar.zst
    else
      rm -rf "$here/.restore"
      mkdir -p "$here/.restore/backup"
      chmod 755 "$here/.restore/backup"
      mounted=$here/.restore/backup/data.tar.zst
    fi
    readable "$data" "$mounted" 2>"$log" || {
      reason=$(tail -n 1 "$log")
      cure="Run this script as a user who may, root for one; or copy the file for yourself."
      case $reason in *'No space left'*) cure="Make room for a copy in ${mounted%/*}: the server's user may not read the file itself." ;; esac
      put_back
      if is_service; then start_service; else compose up -d >>"$log" 2>&1; fi || true
      fail "$data cannot be read: $reason" "$cure Nothing was changed."
    }
    if is_service; then restore "$mounted"; else restore /backup/data.tar.zst --volume "$here/.restore/backup:/backup:ro"; fi
    ;;
esac
# An update that was interrupted has nothing to finish any more.
forget_previous
# Of a folder that had no configuration, nothing is kept.
rmdir "$aside" 2>/dev/null || true
finish

# A host that has certificates keeps them: they are the newer ones.
if [ -n "$from" ] && [ -f "$from/certificates.tar" ] && uses_certificates; then
  step 'Certificates'
  if take_certificates 2>"$log" | some_certificates; then
    finish 'those of this host stay'
  elif put_certificates <"$from/certificates.tar" 2>"$log"; then
    finish
  else
    finish 'left out, see below'
    warn "Caddy's certificates could not be put into their volume: $(tail -n 1 "$log"). It obtains others."
  fi
fi

if [ -n "$from" ] && has_gateway && [ -f "$from/gateway.sql" ]; then
  step 'Gateway'
  compose stop gateway >"$log" 2>&1 || true
  compose up -d --force-recreate gateway-database >"$log" 2>&1 ||
    fail "the gateway's database did not start: $(said)" "All of the output: $log"
  "$here/wait-for-health.sh" --gateway-database >"$log" 2>&1 || fail "the gateway's database did not start" "All of the output: $log"
  # A database that was here before has its own password. It is replaced once the other one is whole. The variables are those of
  # the container.
  # shellcheck disable=SC2016
  {
    printf "alter role current_user password '%s';\n" "$(value_in "$generated" PROXY_POSTGRES_PASSWORD | sed "s/'/''/g")"
    cat "$from/gateway.sql"
  } | compose exec -T gateway-database sh -c 'restored=$POSTGRES_DB-restored
    dropdb -U "$POSTGRES_USER" --if-exists --force "$restored" && createdb -U "$POSTGRES_USER" "$restored" &&
      psql -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" "$restored" &&
      dropdb -U "$POSTGRES_USER" --if-exists --force "$POSTGRES_DB" &&
      psql -q -U "$POSTGRES_USER" -c "alter database \"$restored\" rename to \"$POSTGRES_DB\"" template1' >"$log" 2>&1 ||
    fail "the gateway's database could not be restored: $(said)" "It is as it was. The server is stopped, and its data is that of the backup: bootstrap.sh starts both. Run this script again with a backup that is whole to restore both."
  finish
fi

step 'Start'
if is_service; then place; fi
# Everything anew, as after an update: the proxy looks the server up again.
rm -f "$here/.started"
start || fail "the server did not start: $(said)" "All of the output: $log. $(log_cure)"
finish
"$here/wait-for-health.sh" --here

step 'Restore check'
listen=127.0.0.1:8000
if is_service; then listen=$(value_in "$service_env" SERVICE_LISTEN); fi
check=$(in_server healthcheck 2>&1) || fail "the server is not healthy: $check" "$(log_cure server)"
check=$(in_server healthcheck --url "http://$listen/meta" 2>&1) || fail "the server does not answer /meta: $check" "$(log_cure server)"
words='health, meta'
site=$(configured API_BASE_URL)
# answers URL: within some seconds, since the proxy may need a moment to find the server.
answers() {
  for _ in 1 2 3 4 5 6 7 8; do
    if answer=$(curl --fail --silent --show-error --max-time 3 "$1" 2>&1) && [ -n "$answer" ]; then return 0; fi
    sleep 1
  done
  return 1
}
unreached=
if answers "$site/meta"; then
  words="$words, $site"
else
  unreached="$site/meta does not answer from this host: $(reason_in "$answer")"
fi
if [ -n "${MAYDAY_CHECK_EMAIL:-}" ]; then
  [ -z "$unreached" ] ||
    fail "whether $MAYDAY_CHECK_EMAIL can sign in was not tried: $unreached" 'The data is restored, and the server runs. doctor.sh looks at the name, the certificate and the ports. Sign in once they are well.'
  body=$(printf '%s\n%s\n' "$MAYDAY_CHECK_EMAIL" "${MAYDAY_CHECK_PASSWORD:-}" | awk '
    { gsub(/[\\"]/, "\\\\&"); line[NR] = $0 }
    END { printf "{\"email\": \"%s\", \"password\": \"%s\"}", line[1], line[2] }')
  printf '%s' "$body" | curl --fail --silent --show-error --max-time 10 --output /dev/null -H 'Content-Type: application/json' \
    -H "Origin: $(configured FRONTEND_BASE_URL)" --data @- "$site/auth/password/login" 2>"$log" ||
    fail "$MAYDAY_CHECK_EMAIL cannot sign in: $(reason_in "$(cat "$log")")" 'The data is restored, and the server runs. Is it the password of the time of the backup?'
  words="$words, sign-in"
fi
finish "$words"
[ -z "$unreached" ] || warn "$unreached. Check the name, the certificate and the ports; doctor.sh looks at them"
