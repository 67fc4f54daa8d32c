# Steps of a script and what they say; one script at a time. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

step_name=
step_started=

# step TEXT: says what is being done. `finish` or `fail` ends the line.
step() {
  step_name=$1
  step_started=$(date +%s)
  printf '%-48s ' "$1"
}

# finish [TEXT]: the step is done.
finish() {
  printf '%s (%s s)\n' "${1:-done}" "$(($(date +%s) - step_started))"
  step_name=
}

# leave_open: for a script that ends: the step that it was in has failed, and what failed has said why. For every trap of EXIT.
leave_open() {
  [ -n "$step_name" ] || return 0
  printf 'failed (%s s)\n' "$(($(date +%s) - step_started))"
  printf '%s: ended in the step "%s"; what is said above it is why\n' "${0##*/}" "$step_name" >&2
  step_name=
}
trap leave_open EXIT

# fail TEXT [CURE]: ends the script. The cure says what to do about it.
fail() {
  [ -z "$step_name" ] || printf 'failed (%s s)\n' "$(($(date +%s) - step_started))"
  step_name=
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
  exit 1
}

# confirmed QUESTION: whether to go on; always, if the script's `yes` is not empty.
confirmed() {
  [ -z "$yes" ] || return 0
  printf '%s [y/N] ' "$1"
  read -r answer || answer=
  case $answer in y | Y | yes) ;; *) return 1 ;; esac
}

# line WORDS: for people to type, whatever is in them.
line() {
  for word; do
    case $word in *[!A-Za-z0-9/._-]*) word=\'$(printf '%s' "$word" | sed "s/'/'\\\\''/g")\' ;; esac
    printf '%s ' "$word"
  done | sed 's/ $//'
  echo
}

warn() { printf 'warning: %s\n' "$1" >&2; }

# began PID: when a process began, in the kernel's count; empty if it has ended.
began() { sed -nE 's/^.*\) [^ZX] //p' "/proc/$1/stat" 2>/dev/null | awk '{ print $19 }'; }

# alone: ends this script if another one that changes something is at work in this folder. What a script starts belongs to it.
# Each one says so in .lock/PID before it looks for others, so that of two at once one goes on at most. A killed one is nobody.
alone() {
  [ ! -f "$here/.lock/${MAYDAY_ALONE:-none}" ] || return 0
  mkdir -p "$here/.lock"
  printf '%s\n%s\n' "$(began $$)" "${0##*/} has been at work here since $(date -u '+%Y-%m-%d %H:%M:%S UTC')" >"$here/.lock/.$$"
  mv -f "$here/.lock/.$$" "$here/.lock/$$"
  for other in "$here"/.lock/*; do
    [ "${other##*/}" != $$ ] || continue
    since=$(began "${other##*/}")
    if [ -n "$since" ] && [ "$since" = "$(sed -n 1p "$other" 2>/dev/null)" ]; then
      rm -f "$here/.lock/$$"
      fail "$(sed -n 2p "$other") (process ${other##*/})" 'Run this script again once that one has ended. Nothing was changed.'
    fi
    rm -f "$other"
  done
  MAYDAY_ALONE=$$
  export MAYDAY_ALONE
}

# said: what went wrong, by $log: what Mayday said last, or else the last line that tells of an error, or else the last one.
said() {
  {
    tail -n 1 "$log"
    grep -i error "$log" || true
    grep '^mayday: ' "$log" || true
  } 2>/dev/null | tail -n 1
}

# reason_in TEXT: the same of a program's output. What curl has to say comes first, and a page of explanations may follow.
reason_in() { printf '%s\n' "$1" | awk '/^curl: / { said = $0; exit } { said = $0 } END { print said }'; }

# What preflight has warned of before.
warned=

# preflight STEP WRONG REST [BINARY]: looks at the configuration and this host, as a step; warnings that are new are shown. With
# errors the script ends: it says what is WRONG, and after how to correct them the REST. BINARY judges the values.
preflight() {
  step "$1"
  if report=$(MAYDAY_BIN=${4:-${MAYDAY_BIN:-}} "$here/preflight.sh"); then
    new=$(printf '%s\n' "$report" | grep -vxF -e "$warned") || new=
    finish "${new:+warnings, see below}"
    [ -z "$new" ] || printf '%s\n' "$new"
    warned=$report
  else
    printf 'failed (%s s)\n' "$(($(date +%s) - step_started))"
    step_name=
    printf '%s\n' "$report" >&2
    fail "$2" "Correct the errors above, then run this script again.${3:+ $3}"
  fi
}
