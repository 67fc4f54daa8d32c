# What an update leaves to go back to, or to finish. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# forget_previous: an update has nothing to go back to or to finish any more.
forget_previous() { rm -f "$update_state" "$runtime.previous" "$compose_env.previous" "$key_before"; }

# back_up_before_update: makes a backup, named $saved; those that were interrupted are removed.
back_up_before_update() {
  rm -rf "$here"/backups/before-update-*.part
  saved=$here/backups/before-update-$(date -u +%Y%m%dT%H%M%SZ)
  # Of an update in the same second.
  [ ! -e "$saved" ] || saved=$saved-$$
  "$here/backup.sh" "$saved"
}

# migrated: what has become of each database, by $log.
migrated() { sed -n 's/^\([a-z]*\.db: .*[^.]\)\.*$/\1/p' "$log" | awk '{ printf "%s%s", (NR > 1 ? "; " : ""), $0 }'; }
