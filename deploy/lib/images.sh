# The images of the stack, and the binary in one of them. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

image_source() {
  source=$(setting SERVER_IMAGE)
  printf '%s\n' "${source:-mayday}"
}

# image_of CONTAINER: the id of the image that it was made of.
image_of() { "$(engine)" inspect --format '{{.Image}}' "$1"; }

# images: those that the stack is started with, one a line. compose.local.yml may name others.
images() {
  image
  if has_caddy; then named_image CADDY; fi
  if is_on AGENT_GATEWAY_ENABLED; then
    named_image GATEWAY
    named_image GATEWAY_DATABASE
  fi
}

# named_image NAME: what SERVICE_NAME_IMAGE says, or else compose.yml.
named_image() {
  other=$(setting "SERVICE_$1_IMAGE")
  [ -n "$other" ] || other=$(sed -n "s/^ *image: *\${$1_IMAGE:-\(.*\)}\$/\1/p" "$here/compose.yml")
  printf '%s\n' "$other"
}

# image: the server's, by its tag.
image() { printf '%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"; }

# from_file NAME: whether an image is of no registry: one of localhost, or with a name of one word.
from_file() {
  case $1 in
    localhost/*) return 0 ;;
    */*) return 1 ;;
  esac
}

# fetching NAME [OTHER]: how an image gets to this host; OTHER is another name that its registry has for it. Files are unpacked
# first: podman 4.3 loads none that gzip has packed.
fetching() {
  tag=${1##*:}
  case ${2:+other}:$tag in
    :restored-*) echo "A restore gave it that tag. Pull or load what ran then, and name it so: $(engine) tag IMAGE $1" ;;
    *)
      if [ "$1" = "$(image)" ] && from_file "$1"; then
        echo "Load it: gunzip --stdout mayday-image-$tag.tar.gz | $(engine) load. If it is in a registry, SERVER_IMAGE has to name that"
      else
        echo "Pull it: $(engine) pull ${2:-$1}"
      fi
      ;;
  esac
}

has_image() { "$(engine)" image inspect "$1" >/dev/null 2>&1; }

# image_id NAME: the id of an image on this host; empty if it is not here.
image_id() { "$(engine)" image inspect --format '{{.Id}}' "$1" 2>/dev/null || true; }

# digest_of ID: what a registry gives an image by, whatever its tags mean; empty for one that came from none. Once a tag means another
# image, podman still has the digest, but only by the names that the image had.
# shellcheck disable=SC2016 # of the engine
digest_of() {
  {
    "$(engine)" image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$1" 2>/dev/null || true
    "$(engine)" image inspect --format '{{$digest := .Digest}}{{range .NamesHistory}}{{println . $digest}}{{end}}' "$1" 2>/dev/null || true
  } | awk -v source="$(image_source)" '
    /^localhost\// || /:restored-/ { next }
    index($1, source "@") == 1 { print $1; exit }
    index($1, source ":") == 1 && NF == 2 { print source "@" $2; exit }'
}

# mayday ARGUMENTS: the binary that MAYDAY_BIN names, the installed one, or the one of the image; standard input goes to it. A
# container of the image has a network only to look up the name of a gateway elsewhere.
mayday() {
  if [ -n "${MAYDAY_BIN:-}" ]; then
    "$MAYDAY_BIN" "$@"
  elif is_service; then
    "$service_binary" "$@"
  else
    network='--network none'
    if is_on AGENT_GATEWAY_ENABLED; then
      case $(host_of "$(setting AGENT_GATEWAY_PROXY_BASE_URL)") in *.*) network= ;; esac
    fi
    # shellcheck disable=SC2086 # two words, or none
    "$(engine)" run --rm --interactive $network --read-only "$(image)" "$@"
  fi
}
