# What doctor.sh finds of backups, made by hand, by updates and by the server. It sources this file.
# shellcheck disable=SC2154 # lib.sh and doctor.sh have what is not assigned here

# What restores have kept has the secrets of its time.
check_kept() {
  set -- "$here"/before-restore-*
  [ ! -d "$1" ] || found warning kept "$# restores have kept the configuration and secrets of before" "Once nobody needs them: $here/restore.sh --remove-kept"
}

# Those of backup.sh and of updates lie beside the scripts until somebody removes them.
check_made_backups() {
  set --
  for each in "$here"/backups/*; do
    case $each in *.part | *'/*') ;; *) set -- "$@" "$each" ;; esac
  done
  [ $# -gt 0 ] || return 0
  size=$(size_of "$here/backups")
  free=$(free_at "$here/backups")
  case $size in '' | 0) words='less than 1' ;; *) words=$size ;; esac
  text="$# in $here/backups, $words MiB in all; $free MiB are free there"
  if [ "${size:-0}" -gt "$free" ]; then
    found warning backups "$text" 'Move the older ones to another disk, or remove those that nobody needs.'
  else
    found ok backups "$text"
  fi
}

# Those that the server makes by itself; it says how they are doing.
check_scheduled_backups() {
  if is_service; then
    set -- "$service_binary" backup --status --env-file "$service_env" --data-dir "$service_data"
  elif [ -n "$(engine)" ] && [ -n "$(compose_command)" ] && [ -n "$(container_of server)" ]; then
    set -- compose exec -T server mayday backup --status
  else
    found error backup 'the server makes them by SERVICE_BACKUP_SCHEDULE, and it does not run' 'Run bootstrap.sh.'
    return 0
  fi
  answer=$("$@" 2>&1) || true
  verdict=$(printf '%s\n' "$answer" | grep -E '^(ok|warning|error): ' | head -n 1) || verdict=
  cure="Correct SERVICE_BACKUP_..., or what the cause names, in .env.static or on this host; docs/backup.md explains them. $log_of$(is_service || echo ' server')"
  case $verdict in
    'ok: '*) found ok backup "on schedule: ${verdict#ok: }" ;;
    'warning: '*) found warning backup "on schedule: ${verdict#warning: }" "$cure" ;;
    'error: '*) found error backup "on schedule: ${verdict#error: }" "$cure" ;;
    *) found error backup "how scheduled backups are doing cannot be read: $(printf '%s' "$answer" | tail -n 1)" "$log_of$(is_service || echo ' server')" ;;
  esac
  backups=$("$@" --json 2>/dev/null | grep '^{' | head -n 1) || true
  backups=${backups:-null}
}

backups=null
check_backup() {
  if [ -n "$(setting SERVICE_BACKUP_SCHEDULE)" ]; then
    check_scheduled_backups
    return 0
  fi
  newest=
  for each in "$here"/backups/*; do
    case $each in *.part | *'/*') continue ;; esac
    if [ -z "$newest" ] || [ -n "$(find "$each" -prune -newer "$newest")" ]; then newest=$each; fi
  done
  cure='Run backup.sh, daily by cron or a timer, and keep a copy elsewhere.'
  if [ -z "$newest" ]; then
    found warning backup "there is none in $here/backups" "$cure"
    return 0
  fi
  hours=$((($(date +%s) - $(date -r "$newest" +%s)) / 3600))
  if [ "$hours" -ge 192 ]; then
    found warning backup "the newest is $((hours / 24)) days old: $newest" "$cure"
  else
    found ok backup "the newest is $hours hours old: $newest"
  fi
}
