#!/bin/sh
# Makes what is released, on a host that has the tools; nothing is fetched by this script itself. `make image`,
# `make cut` and `make release` call it:
#
#   tools/release.sh image IMAGE:TAG    the container image around a binary that is built already
#   tools/release.sh ci-image IMAGE:TAG the same for pipelines: the binary beside a shell
#   tools/release.sh cut X.Y.Z          the version into Cargo.toml, Cargo.lock and the client, the date into CHANGELOG.md
#   tools/release.sh check X.Y.Z        whether a release of that version can be made here
#   tools/release.sh release X.Y.Z      images, deploy folder, binary, client, SBOMs and checksums, in target/release-X.Y.Z
#
# MAYDAY_TELEMETRY_ENDPOINT is where an official build sends the anonymous heartbeat. It is compiled in, so it has to be in
# the environment of `make build`, or of `make release`, which builds; a release of another binary is refused.
#
# BINARY (target/release/mayday), BASE (the image to build on: gcr.io/distroless/cc-debian12), CI_BASE (the same for
# pipelines: docker.io/library/debian:12-slim), ENGINE (docker, podman or buildah, the first that answers) and BUILD_FLAGS
# (more options of its build) override what is in brackets.
set -eu
cd "$(dirname "$0")/.."
umask 022
LC_ALL=C
export LC_ALL

binary=${BINARY:-target/release/mayday}
client=assets/client
scratch=
trap '[ -z "$scratch" ] || rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  [ -z "${2:-}" ] || printf '  %s\n' "$2" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# The first engine that answers: a docker without its service does not.
engine() {
  if [ -n "${ENGINE:-}" ]; then
    printf '%s\n' "$ENGINE"
  elif has docker && docker info >/dev/null 2>&1; then
    echo docker
  elif has podman; then
    echo podman
  elif has buildah; then
    echo buildah
  fi
}

# The place that the others have the version from.
version() { sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1; }

check_version() {
  printf '%s\n' "$1" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' || fail "VERSION=$1: expected X.Y.Z, such as 1.4.0"
}

# --- Image --------------------------------------------------------------------------------------

# image IMAGE:TAG DOCKERFILE BASE VARIABLE: on a base, which the variable names.
image() {
  base=$3 variable=$4
  [ -x "$binary" ] || fail "$binary is missing" 'Build it: make build. Or name another: BINARY=PATH.'
  with=$(engine)
  [ -n "$with" ] || fail 'there is no docker, podman or buildah that answers' 'Install one: apt-get install podman buildah.'
  # What the last stage needs, and nothing else of this folder.
  scratch=$(mktemp -d)
  mkdir -p "$scratch/deploy/volume"
  cp "$2" "$scratch/Dockerfile"
  cp deploy/volume/.keep "$scratch/deploy/volume/.keep"
  cp "$binary" "$scratch/mayday"
  strip "$scratch/mayday" 2>/dev/null || true
  case ${with##*/} in
    docker) set -- build --tag "$1" ;;
    buildah) set -- bud --format docker --tag "$1" ;;
    # HEALTHCHECK is no part of OCI's format.
    *) set -- build --format docker --tag "$1" ;;
  esac
  # BUILD_FLAGS is a list of words.
  # shellcheck disable=SC2086
  "$with" "$@" ${BUILD_FLAGS:-} --target binary --build-arg "BASE=$base" --build-arg BINARY=mayday "$scratch" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; fail 'the image could not be built' "Its base is $base; $variable=IMAGE names another, and ENGINE=podman another engine."; }
  rm -rf "$scratch"
  scratch=
}

server_image() { image "$1" deploy/Dockerfile "${BASE:-gcr.io/distroless/cc-debian12}" BASE; }
ci_image() { image "$1" deploy/ci/Dockerfile "${CI_BASE:-docker.io/library/debian:12-slim}" CI_BASE; }

# --- Cut ----------------------------------------------------------------------------------------

cut_release() {
  check_version "$1"
  now=$(version)
  ! grep -q "^## $1 " CHANGELOG.md || fail "CHANGELOG.md has a section for $1 already"
  grep -q '^## Unreleased$' CHANGELOG.md || fail 'CHANGELOG.md has no section "## Unreleased"'
  today=$(date -u +%Y-%m-%d)
  awk -v version="$1" '!done && /^version = / { $0 = "version = \"" version "\""; done = 1 } { print }' Cargo.toml >Cargo.toml.new
  awk -v version="$1" '/^name = "mayday"$/ { ours = 1 } ours && /^version = / { $0 = "version = \"" version "\""; ours = 0 } { print }' Cargo.lock >Cargo.lock.new
  awk -v title="## $1 ($today)" '{ print } $0 == "## Unreleased" { print ""; print title }' CHANGELOG.md >CHANGELOG.md.new
  awk -v version="$1" '!done && /^  "version": / { $0 = "  \"version\": \"" version "\","; done = 1 } { print }' "$client/package.json" >"$client/package.json.new"
  for file in Cargo.toml Cargo.lock CHANGELOG.md "$client/package.json"; do mv "$file.new" "$file"; done
  echo "Cargo.toml, Cargo.lock, $client/package.json   version $1 (was $now)"
  echo "CHANGELOG.md   what was unreleased is now in the section $1 ($today)"
  echo
  echo "Nothing is committed. Read the section, commit, then: make release VERSION=$1"
}

# --- Release ------------------------------------------------------------------------------------

# check_tools: everything that is missing, at once.
check_tools() {
  missing=
  lacks() { missing="$missing
  $1"; }
  has cargo-cyclonedx || lacks 'cargo-cyclonedx (the SBOM): cargo install --locked cargo-cyclonedx@0.5.7'
  { has npm && npm sbom --help >/dev/null 2>&1; } || lacks 'npm 10 or newer (the SBOM of the Web app): with Node.js 20.19, or npm install --global npm'
  [ -n "$(engine)" ] || lacks 'docker, podman or buildah (the image): apt-get install podman'
  has strip || lacks 'strip: apt-get install binutils'
  has sha256sum || lacks 'sha256sum: apt-get install coreutils'
  tar --version 2>/dev/null | grep -q 'GNU tar' || lacks 'GNU tar (its order and times do not vary): apt-get install tar'
  [ -z "$missing" ] || fail "a release needs what is missing here:$missing"
}

check_sources() {
  check_version "$1"
  now=$(version)
  [ "$now" = "$1" ] || fail "VERSION=$1, and Cargo.toml says $now" "Cut the release first: make cut VERSION=$1"
  now=$(sed -n 's/^  "version": "\(.*\)",*$/\1/p' "$client/package.json")
  [ "$now" = "$1" ] || fail "VERSION=$1, and $client/package.json says $now" "Cut the release first: make cut VERSION=$1"
  grep -q "^## $1 " CHANGELOG.md || fail "CHANGELOG.md has no section \"## $1 (date)\"" "Cut the release first: make cut VERSION=$1"
  if [ -d .git ] || [ -f .git ]; then
    [ -z "$(git status --porcelain --untracked-files=no)" ] || echo 'warning: there are changes that are not committed; the release has them'
  fi
}

# The address of an official build is in its binary.
check_endpoint() {
  endpoint=${MAYDAY_TELEMETRY_ENDPOINT:-}
  if [ -z "$endpoint" ]; then
    echo 'heartbeat   none: MAYDAY_TELEMETRY_ENDPOINT is not set'
  elif grep -aqF "$endpoint" "$binary"; then
    echo "heartbeat   to $endpoint"
  else
    fail "$binary was built without MAYDAY_TELEMETRY_ENDPOINT=$endpoint" 'Build it again with the variable: make build.'
  fi
}

# The client is built with the Web app that is in the binary, and names itself by the version.
check_client() {
  grep -qsF "\"$1\"" "$client"/dist/*.js || fail "$client/dist is not of version $1" 'Build it: make build.'
}

# The deploy folder as an operator unpacks it: the same bytes for the same sources, on every host.
deploy_archive() {
  into=$1
  scratch=$(mktemp -d)
  folder=$scratch/mayday
  mkdir "$folder" "$folder/docs"
  cp -R deploy/. "$folder/"
  cp .env.static.example LICENSE CHANGELOG.md "$folder/"
  cp docs/*.md "$folder/docs/"
  epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}
  epoch=${epoch:-0}
  tar -C "$scratch" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -cf - mayday |
    gzip -n -9 >"$into"
  rm -rf "$scratch"
  scratch=
}

sbom() {
  CARGO_NET_OFFLINE=${CARGO_NET_OFFLINE:-true} cargo cyclonedx --quiet --format json --override-filename mayday-sbom
  mv mayday-sbom.json "$1"
}

# What the Web app that is in the binary was built with; npm wants a version, which the package has not.
sbom_of_web() {
  scratch=$(mktemp -d)
  cp assets/package.json assets/package-lock.json "$scratch/"
  (cd "$scratch" && npm pkg set "version=$1" && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only) >"$2" 2>"$scratch/log" ||
    { cat "$scratch/log" >&2; fail 'the SBOM of the Web app could not be made'; }
  rm -rf "$scratch"
  scratch=
}

# pack_client FOLDER: as its users install it.
pack_client() {
  scratch=$(mktemp -d)
  npm pack --silent --pack-destination "$(cd "$1" && pwd)" "./$client" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; fail "the client's package could not be made"; }
  rm -rf "$scratch"
  scratch=
}

# save IMAGE:TAG FILE.tar.gz
save() {
  with=$(engine)
  tar=${2%/*}/image.tar
  case ${with##*/} in
    # By the name that Docker gives it: `save` of podman writes localhost/mayday alone, which SERVER_IMAGE does not mean there.
    podman | buildah) "$with" push --quiet "$1" "docker-archive:$tar:$1" ;;
    *) "$with" save --output "$tar" "$1" ;;
  esac
  gzip -n "$tar"
  mv "$tar.gz" "$2"
}

release() {
  check_sources "$1"
  check_tools
  tag=server-v$1
  [ -x "$binary" ] || fail "$binary is missing" 'Build it: make build.'
  said=$("$binary" --version)
  [ "$said" = "mayday $1" ] || fail "$binary is \"$said\", and not mayday $1" 'Build it again: make build.'
  check_client "$1"
  check_endpoint
  out=target/release-$1
  part=$out.part
  rm -rf "$part"
  mkdir -p "$part"
  name=mayday-$tag-linux-$(uname -m)
  echo "binary      $name"
  cp "$binary" "$part/$name"
  strip "$part/$name"
  chmod 755 "$part/$name"
  echo "deploy      mayday-deploy-$tag.tar.gz"
  deploy_archive "$part/mayday-deploy-$tag.tar.gz"
  echo "SBOMs       mayday-$tag.cdx.json, mayday-web-$tag.cdx.json"
  sbom "$part/mayday-$tag.cdx.json"
  sbom_of_web "$1" "$part/mayday-web-$tag.cdx.json"
  echo "client      mayday-client-$1.tgz"
  pack_client "$part"
  for image in mayday mayday-ci; do
    echo "image       $image:$tag, also as $image-image-$tag.tar.gz"
    case $image in mayday) server_image "$image:$tag" ;; *) ci_image "$image:$tag" ;; esac
    save "$image:$tag" "$part/$image-image-$tag.tar.gz"
  done
  (cd "$part" && sha256sum -- * >.sums && mv .sums SHA256SUMS)
  rm -rf "$out"
  mv "$part" "$out"
  echo
  echo "Everything is in $out. Nothing was tagged or published; these would:"
  echo "  git tag -a $tag -m 'Mayday $1' && git push origin $tag"
  with=$(engine)
  for image in mayday mayday-ci; do
    echo "  ${with##*/} tag $image:$tag REGISTRY/$image:$tag && ${with##*/} push REGISTRY/$image:$tag   # and as :stable"
  done
}

case ${1:-}:$# in
  image:2) server_image "$2" && echo "$2" ;;
  # Here there is one image, and BASE its base.
  ci-image:2) CI_BASE=${CI_BASE:-${BASE:-}} && ci_image "$2" && echo "$2" ;;
  check:2) check_sources "$2" && check_tools ;;
  cut:2) cut_release "$2" ;;
  release:2) release "$2" ;;
  *) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
