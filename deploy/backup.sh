#!/bin/sh
# Backs up everything that a restore needs, while the server runs: backup.sh [--data-to s3://BUCKET/PREFIX] [DIRECTORY]
#
# The directory (by default backups/<time> beside this script) must not exist. It gets data.tar.zst (databases,
# journal, source maps), the configuration with the generated secrets and compose.local.yml, which image ran (of a service,
# the binary itself), the code-host app's private key, Caddy's certificates and, if the gateway is enabled, its database.
# Whoever has it can read everything in it.
#
# --data-to: the data goes to S3-compatible storage (SERVICE_BACKUP_S3_...) as PREFIX/<name of the directory>.tar.zst, and
# the directory says where it is. Keep the directory elsewhere, too: without its secrets the data cannot be restored.
# shellcheck disable=SC2119 # finish has an argument of its own
. "$(dirname "$0")/lib.sh"

usage() {
  echo "usage: ${0##*/} [--data-to s3://BUCKET/PREFIX] [DIRECTORY]" >&2
  exit 2
}
remote=
case ${1:-} in
  --data-to)
    remote=${2:-}
    case $remote in s3://?*) ;; *) usage ;; esac
    shift 2
    ;;
  -*) usage ;;
esac
[ $# -le 1 ] || usage
needs_root "$@"
target=${1:-$here/backups/$(date -u +%Y%m%dT%H%M%SZ)}
case $target in /*) ;; *) target=$(pwd)/$target ;; esac
[ ! -e "$target" ] || fail "$target exists already" 'Name another directory.'
[ -f "$runtime" ] || fail 'this instance was never started from here' "Run $(installer) first."
alone
# It gets its name once it is complete.
part=$target.part
rm -rf "$part"
mkdir -p "$part" || fail "$part cannot be made" 'Name a directory on a disk that can be written to and has room.'
trap 'leave_open; rm -rf "$part" "$part.sums" "$part.sorted" "$handover"' EXIT
trap 'exit 1' HUP INT TERM

# not_written WHAT: ends the script, which removes what there is of the backup.
not_written() { fail "$1 could not be written to $target: $(said)" 'Make room there, or name a directory on another disk. The server was not touched.'; }

# What it goes with: the tag may be another one when it is restored, or mean another image. It is also made by the image
# that runs: an update has pulled a newer one, which could make what the older one cannot restore.
note_image() {
  container=$(container_of server -a)
  name=$(value_in "$compose_env" MAYDAY_IMAGE)
  ran=
  [ -z "$container" ] || ran=$(image_of "$container")
  digest=
  [ -z "$ran" ] || digest=$(digest_of "$ran")
  printf '# The image that ran when this backup was made.\nMAYDAY_IMAGE=%s\nMAYDAY_IMAGE_ID=%s\nMAYDAY_IMAGE_DIGEST=%s\n' "$name" "$ran" "$digest" >"$part/image"
  if [ -n "$ran" ] && [ "$(image_id "$name")" != "$ran" ]; then
    MAYDAY_IMAGE=localhost/$(stack_name):running
    export MAYDAY_IMAGE
    "$(engine)" tag "$ran" "$MAYDAY_IMAGE"
  fi
}
# A binary has no name to find it by again.
if is_service; then
  cp -p "$service_binary" "$part/mayday" 2>"$log" || not_written 'the binary'
else
  note_image
fi

step 'Data'
# back_up OUTPUT [OPTIONS]: by the service's binary, or in a container with these options and a name of its own: a backup that
# runs already is left alone.
back_up() {
  output=$1
  shift
  if is_service; then installed backup --output "$output"; else once "backup-$$" "$@" server backup --output "$output"; fi >"$log" 2>&1 ||
    fail "the data could not be backed up: $(said)" "All of the output: $log"
}
if [ -n "$remote" ]; then
  address=${remote%/}/${target##*/}.tar.zst
  back_up "$address"
  printf '%s\n' "$address" >"$part/data.address"
  finish "$address"
elif is_service; then
  make_handover
  back_up "$handover/data.tar.zst"
  mv "$handover/data.tar.zst" "$part/data.tar.zst" 2>"$log" || not_written "the data"
  chown 0:0 "$part/data.tar.zst"
  finish "$(du -h "$part/data.tar.zst" | cut -f 1)"
else
  # The container's user writes here; nobody else gets through the directory around it.
  mkdir "$part/data"
  chmod 777 "$part/data"
  back_up /backup/data.tar.zst --volume "$part/data:/backup"
  # Without root, podman gives the container other user ids: its file becomes that of who runs this.
  [ -r "$part/data/data.tar.zst" ] || "$(engine)" unshare chown 0:0 "$part/data/data.tar.zst" >"$log" 2>&1 || true
  [ -r "$part/data/data.tar.zst" ] ||
    fail 'the data was backed up as another user, and its file cannot be read' "Run this script as root, as whom the stack was started, too: sudo $0"
  [ "$(id -u)" != 0 ] || chown 0:0 "$part/data/data.tar.zst"
  mv "$part/data/data.tar.zst" "$part/data.tar.zst"
  rmdir "$part/data"
  finish "$(du -h "$part/data.tar.zst" | cut -f 1)"
fi

step 'Configuration and secrets'
for file in "$static" "$local" "$generated" "$here/compose.local.yml"; do
  [ ! -f "$file" ] || cp -p "$file" "$part/" 2>"$log" || not_written "${file##*/}"
done
key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
if [ -n "$key" ]; then
  [ -f "$key" ] || fail "$key does not exist" 'SERVICE_HOST_APP_PRIVATE_KEY_FILE names the private key of the code-host app.'
  cp -p "$key" "$part/host-app-private-key.pem" 2>"$log" || not_written 'the private key of the code-host app'
fi
finish

if has_gateway; then
  step 'Gateway'
fi
if has_gateway && [ -z "$(container_of gateway-database --all)" ] && ! has_volume gateway; then
  finish 'it was never started: it has no data'
elif has_gateway; then
  # The variables are those of the container.
  # shellcheck disable=SC2016
  compose exec -T gateway-database sh -c 'pg_dump --no-owner -U "$POSTGRES_USER" "$POSTGRES_DB"' >"$part/gateway.sql" 2>"$log" ||
    fail "the gateway's database could not be dumped: $(tail -n 1 "$log")" 'Is it running? bootstrap.sh starts it.'
  finish
fi

# Without them a restore is complete: Caddy obtains others.
if uses_certificates; then
  step 'Certificates'
  if ! take_certificates >"$part/certificates.tar" 2>"$log"; then
    rm -f "$part/certificates.tar"
    finish 'left out, see below'
    warn "Caddy's certificates could not be read: $(tail -n 1 "$log"). After a restore on another host it obtains others."
  elif some_certificates <"$part/certificates.tar"; then
    finish
  else
    rm -f "$part/certificates.tar"
    finish 'there are none yet'
  fi
fi

step 'Checksums'
if command -v sha256sum >/dev/null 2>&1; then
  # Not in one pipe, which would hide a file that cannot be read.
  (cd "$part" && find . -type f -exec sha256sum {} +) >"$part.sums" 2>"$log" ||
    fail "the files of the backup could not be read: $(tail -n 1 "$log")" 'Run this script as a user who may: root, for one.'
  sort -k 2 "$part.sums" >"$part.sorted"
  mv "$part.sorted" "$part/SHA256SUMS"
  rm -f "$part.sums"
fi
sync
mv "$part" "$target"
finish
echo "Backup: $target"
