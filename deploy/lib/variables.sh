# The environment files. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# What reads a line of a file for awk, as the server does: values are literal, one pair of surrounding quotes is removed, # starts
# a comment only at the beginning of a line, and CRLF line ends are accepted. A line that is no assignment is an error (its number
# is printed, not its text, which may be secret), and the rest of its file counts for nothing.
# shellcheck disable=SC2016 # of awk
read_line='
  function refuse(got) {
    print FILENAME ": line " FNR ": expected NAME=value, got " got > "/dev/stderr"
    wrong = FILENAME
  }
  FILENAME == wrong { next }
  FNR == 1 { sub(/^\357\273\277/, "") }
  { gsub(/^[ \t\r]+|[ \t\r]+$/, "") }
  /^$/ || /^#/ { next }
  {
    at = index($0, "=")
    if (!at) { refuse("no `=`"); next }
    name = substr($0, 1, at - 1)
    value = substr($0, at + 1)
    sub(/[ \t]+$/, "", name)
    sub(/^[ \t]+/, "", value)
    if (name !~ /^[A-Za-z_][A-Za-z0-9_]*$/) { refuse("a name with characters other than letters, digits and _"); next }
    first = substr(value, 1, 1)
    size = length(value)
    if (size > 1 && (first == "\"" || first == "\047") && substr(value, size) == first)
      value = substr(value, 2, size - 2)
  }'

# assignments FILE: its assignments as NAME=value lines. Nothing for a file that does not exist; fails for one with a line that is
# no assignment.
assignments() {
  [ -f "$1" ] || return 0
  awk "$read_line"' { print name "=" value } END { exit wrong != "" }' "$1"
}

# last_value NAMES FILE...: the last value, in these files, of what goes by a name that this expression describes; empty if there is none.
last_value() {
  wanted="^$1\$"
  shift
  for each; do
    shift
    [ ! -f "$each" ] || set -- "$@" "$each"
  done
  [ $# = 0 ] || awk -v wanted="$wanted" "$read_line"' name ~ wanted { last = value } END { print last }' "$@"
}

# written: NAME=value lines as a file has them, so that reading them gives these values.
written() {
  awk '
    {
      at = index($0, "=")
      value = substr($0, at + 1)
      first = substr(value, 1, 1)
      size = length(value)
      quoted = size > 1 && (first == "\"" || first == "\047") && substr(value, size) == first
      if (quoted || value ~ /^[ \t]/ || value ~ /[ \t]$/) value = "\"" value "\""
      print substr($0, 1, at) value
    }'
}

# layered FILE...: the assignments that count. A later file beats an earlier one, under whichever of the two names that SSO_... and
# INSTANCE_... have; two names in one file are both there, for the validator to compare.
layered() {
  for file; do
    assignments "$file"
    echo
  done | awk '
    /^$/ { file++; next }
    {
      name = substr($0, 1, index($0, "=") - 1)
      twin = name ~ /^SERVICE_(SSO|INSTANCE)_/ ? substr(name, 9) : "SERVICE_" name
      if (name ~ /^(SERVICE_)?(SSO|INSTANCE)_/ && twin in value && of[twin] < file) delete value[twin]
      if (!(name in of)) order[++count] = name
      value[name] = substr($0, index($0, "=") + 1)
      of[name] = file
    }
    END { for (at = 1; at <= count; at++) if (order[at] in value) print order[at] "=" value[order[at]] }'
}

# value_in FILE NAME: the last value of a variable in a file; empty if there is none.
value_in() { last_value "$2" "$1"; }

# setting NAME [DEFAULT]: the value that the operator configured, under either of its names: .env.local, else .env.static.
setting() {
  case $1 in SSO_* | INSTANCE_*) names="(SERVICE_)?$1" ;; *) names=$1 ;; esac
  found=$(last_value "$names" "$static" "$local")
  printf '%s\n' "${found:-${2:-}}"
}

# configured NAME [DEFAULT]: what the containers get.
configured() {
  found=$(value_in "$runtime" "$1")
  printf '%s\n' "${found:-${2:-}}"
}

# replace_value FILE NAME VALUE: gives a variable that the file has another value.
replace_value() {
  awk -v name="$2" -v value="$3" '
    { bare = $0; sub(/^[ \t]+/, "", bare); at = index(bare, "=") }
    at && substr(bare, 1, at - 1) ~ "^" name "[ \t]*$" { print name "=" value; next }
    { print }' "$1" | replace_file "$1"
}

# is_on NAME: whether a switch is on.
is_on() {
  case $(setting "$1") in
    [Tt][Rr][Uu][Ee] | 1 | [Yy][Ee][Ss]) return 0 ;;
    *) return 1 ;;
  esac
}

# replace_file FILE: writes standard input to a file of this name (0600), all at once.
replace_file() {
  cat >"$1.new"
  chmod 600 "$1.new"
  mv -f "$1.new" "$1"
}
