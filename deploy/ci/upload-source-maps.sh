#!/bin/sh
# Uploads the source maps of a build where there is no `mayday` binary: needs sh, curl and find, and uses zip if there is
# one (then everything is one upload, with the build's style sheets for its replays; otherwise each source map is).
#
#   MAYDAY_URL=https://mayday.example MAYDAY_KEY=pk_… upload-source-maps.sh RELEASE DIR [PREFIX]
#
# RELEASE is the version that the page sends, DIR the folder that the build writes to, and PREFIX the address of that
# folder, `~` standing for any scheme and host (default ~/; where a page in DIR loads the scripts from elsewhere, it has to be
# said). Exits with 1 if something was not stored.
set -eu

fail() {
  echo "upload-source-maps: $1" >&2
  exit "${2:-1}"
}

[ $# -eq 2 ] || [ $# -eq 3 ] || fail "usage: upload-source-maps.sh RELEASE DIR [PREFIX]" 2
release=$1 dir=${2%/} prefix=${3:-"~/"}
[ -n "${MAYDAY_URL:-}" ] || fail "MAYDAY_URL is not set: the server's address" 2
[ -n "${MAYDAY_KEY:-}" ] || fail "MAYDAY_KEY is not set: a project key with the permission releases" 2
[ -d "$dir" ] || fail "$dir is no directory" 2
case $prefix in "" | */) ;; *) prefix=$prefix/ ;; esac
server=${MAYDAY_URL%/}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Not on the command line, where other processes could read it.
printf 'header = "Authorization: Bearer %s"\n' "$MAYDAY_KEY" >"$work/curl"

# Tries again what fails for a while, as long as the server asks for; shows what it answers.
mayday() {
  path=$1
  shift
  status=$(curl -sS -K "$work/curl" --retry 8 --retry-connrefused --retry-max-time 300 \
    -o "$work/answer" -w '%{http_code}' "$@" "$server$path") || fail "$server cannot be reached"
  case $status in
    2*) ;;
    *) fail "$path: $status $(cat "$work/answer")" ;;
  esac
}

# What turns %41 into A again, and so on.
letters=$(for character in 0 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K L M N O P Q R S T U V W X Y Z \
  a b c d e f g h i j k l m n o p q r s t u v w x y z; do
  printf 's/%%%X/%s/g;' "'$character" "$character"
done)

# A path as browsers write it: byte by byte as %XX, and those that stay as they are put back.
encoded() {
  case $1 in
    *[!A-Za-z0-9._/-]*)
      printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F | sed 's/../%&/g' | sed "$letters"'
        s/%2D/-/g; s/%2E/./g; s/%2F/\//g; s/%5F/_/g; s/%7E/~/g; s/%40/@/g; s/%2B/+/g; s/%2C/,/g; s/%3A/:/g
        s/%3D/=/g; s/%24/$/g; s/%26/\&/g; s/%21/!/g; s/%2A/*/g; s/%28/(/g; s/%29/)/g; s/%3B/;/g; s/%5B/[/g
        s/%5D/]/g; s/%5E/^/g; s/%7C/|/g'
      ;;
    *) printf '%s' "$1" ;;
  esac
}

# A text within JSON. (What contains control characters is refused before.)
quoted() {
  printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

case $release$prefix in *[[:cntrl:]]*) fail "RELEASE and PREFIX have no control characters" 2 ;; esac
find "$dir" -name node_modules -prune -o -name '*.map' -type f -print | LC_ALL=C sort >"$work/maps"
# Style sheets have source maps, too; stacks never name them.
grep -v '\.css\.map$' "$work/maps" >"$work/scripts" || fail "there are no source maps in $dir: turn them on in the build"

# Says that a page of the build loads its scripts by another prefix than ~/. One that is loaded by ~/ is reason enough not to.
elsewhere() {
  find "$dir" -name node_modules -prune -o -name '*.html' -type f -print | LC_ALL=C sort | sed 50q >"$work/pages"
  other=
  while IFS= read -r page; do
    LC_ALL=C tr '\n\r<' '  \n' <"$page" | LC_ALL=C tr '>' '\n' |
      LC_ALL=C sed -n "s/^[sS][cC][rR][iI][pP][tT].*[[:space:]]src=[\"']\{0,1\}\([^\"' ?#]*\).*/\1/p" >"$work/loaded"
    while IFS= read -r address; do
      path=$(printf '%s' "$address" | sed 's|^[a-zA-Z]*:\{0,1\}//[^/]*||')
      case $path in /*) ;; *) continue ;; esac
      script=${path#/}
      while [ ! -f "$dir/$script.map" ]; do
        case $script in */*) script=${script#*/} ;; *) break ;; esac
      done
      [ -f "$dir/$script.map" ] || continue
      [ "/$script" != "$path" ] || return 0
      # Of other hosts, a script that only has the name of one at the top of the build is somebody else's.
      case $address in /[!/]*) ;; *) case $script in */*) ;; *) continue ;; esac ;; esac
      [ -n "$other" ] || other="${page#"$dir"/} loads $address: give the prefix '~${path%"$script"}'"
    done <"$work/loaded"
  done <"$work/pages"
  printf '%s' "$other"
}
if [ $# -eq 2 ]; then
  found=$(elsewhere)
  [ -z "$found" ] || fail "$found (PREFIX, or url-prefix of the action; '~/' if the page is no part of the build)"
fi

mayday /api/v1/releases --form-string "version=$release" --form-string "url_prefix=$prefix"
count=0
if command -v zip >/dev/null; then
  mkdir "$work/bundle"
  {
    printf '{"release":%s,"files":[' "$(quoted "$release")"
    while IFS= read -r map; do
      script=${map#"$dir"/}
      cp "$map" "$work/bundle/$count.map"
      [ $count -eq 0 ] || printf ','
      printf '{"url":%s,"file":"%s.map"}' "$(quoted "$prefix$(encoded "${script%.map}")")" $count
      count=$((count + 1))
    done <"$work/scripts"
    # At most what a server takes: 4 MiB each, and as many as leave room in a manifest.
    find "$dir" -name node_modules -prune -o -name '*.css' -type f -size -4194305c -print | LC_ALL=C sort |
      sed 500q >"$work/styles"
    printf '],"styles":['
    comma=
    while IFS= read -r style; do
      cp "$style" "$work/bundle/$count.css"
      printf '%s{"url":%s,"file":"%s.css"}' "$comma" "$(quoted "$prefix$(encoded "${style#"$dir"/}")")" $count
      count=$((count + 1)) comma=,
    done <"$work/styles"
    printf ']}'
  } >"$work/bundle/manifest.json"
  count=$(wc -l <"$work/scripts")
  (cd "$work/bundle" && zip -q -r ../bundle.zip .)
  mayday /api/v1/sourcemaps/bundle -H 'Content-Type: application/zip' --data-binary "@$work/bundle.zip"
else
  while IFS= read -r map; do
    script=${map#"$dir"/}
    # curl would take commas and semicolons in a name for its own.
    cp "$map" "$work/one.map"
    mayday /api/v1/sourcemaps --form-string "release=$release" \
      --form-string "url=$prefix$(encoded "${script%.map}")" -F "sourcemap=@$work/one.map"
    count=$((count + 1))
  done <"$work/scripts"
fi
segment=$(printf '%s' "$release" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g')
mayday "/api/v1/releases/$segment/finalize" -X POST
echo "Release $release: finalized. Source maps stored: $((count))."
