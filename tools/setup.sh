#!/bin/sh
# Installs what `make run`, `make test`, `make test-pages` or `make test-deploy` needs and this machine lacks:
# tools/setup.sh run|test|test-pages|deploy.
#
# On Debian and Ubuntu by apt-get, after one line that says what; MAYDAY_SETUP=no only prints that line. What
# their packages have too old (Rust, mostly Node) is named with the line that installs it, everything at once.
set -eu
cd "$(dirname "$0")/.."
purpose=${1:-test}
case $purpose in run | test | test-pages | deploy) ;; *) echo "tools/setup.sh run|test|test-pages|deploy" >&2; exit 2 ;; esac

rust=$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)
node=20.19.0

target=$purpose
[ "$purpose" != deploy ] || target=test-deploy
packages='' # what apt-get installs
missing=''  # what a person has to install, a line each

has() { command -v "$1" >/dev/null 2>&1; }
lacks() { missing="$missing
  $1"; }
package() { case " $packages " in *" $1 "*) ;; *) packages="$packages $1" ;; esac; }

# Whether version $1 is at least $2.
at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$2" ]
}

sudo=''
[ "$(id -u)" = 0 ] || sudo=sudo

# apt SECONDS ARGUMENTS: apt-get, which a mirror that accepts and never answers keeps no longer than this.
apt() {
  seconds=$1
  shift
  DEBIAN_FRONTEND=noninteractive $sudo timeout --foreground --kill-after=10 "$seconds" apt-get -qq \
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1 -o DPkg::Lock::Timeout=120 \
    -o Dpkg::Options::=--force-confold "$@"
}

# Left for the tests when no mirror answered: what is missing then is nobody's fault.
unanswered=target/without-packages
[ "$purpose" != deploy ] || rm -f "$unanswered"

# The package lists, fetched once; a new machine has none.
fetched=''
fetch_lists() {
  [ -z "$fetched" ] && [ "${MAYDAY_SETUP:-}" != no ] && has apt-get || return 0
  fetched=yes
  apt 60 update || echo 'no mirror of packages gave its lists within 60 s' >&2
}

# A package that starts a service when it is installed leaves that to the tests on a machine of the continuous integration.
policy=/usr/sbin/policy-rc.d
without_services() {
  [ "${CI:-}" = true ] && [ ! -e "$policy" ] || return 0
  trap '$sudo rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
  $sudo chmod 755 "$policy"
}

# The version of a package that apt-get would install; nothing where there is none.
candidate() {
  has apt-cache || return 0
  fetch_lists
  apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9][0-9.]*\).*/\1/p'
}

# A program, and the package that has it.
need() { has "$1" || package "$2"; }

need cc build-essential
has make || package make
if [ "$purpose" != run ]; then
  # The browser: Debian has it without the parts around the page, too. A whole Chromium or Chrome will do.
  if [ -z "${CHROMIUM_BIN:-}" ] && ! has chromium-headless-shell && ! has chromium && ! has chromium-browser &&
    ! has google-chrome; then
    case $(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null) in
      ubuntu) package chromium-browser ;;
      *) package chromium-headless-shell ;;
    esac
  fi
  need curl curl
  need jq jq
  # The pipelines' script, with it and without.
  need zip zip
  # Rooms for agents.
  need bwrap bubblewrap
  # Code hosts over https and ssh.
  need git git
  need openssl openssl
  need ssh openssh-client
  # It starts a service when it is installed.
  [ "${CI:-}" != true ] || [ -e /usr/sbin/sshd ] || package openssh-server
  # Failing and slow disks.
  need strace strace
  # The mail server of the browser tests.
  need python3 python3
  python3 -c 'import ensurepip' 2>/dev/null || package python3-venv
fi

# Shells and tools for the scripts. The stack's own parts start services, on ports that a developer may use: only a machine
# of the continuous integration gets them unasked, elsewhere the tests say what they did not try.
if [ "$purpose" = deploy ]; then
  need shellcheck shellcheck
  need busybox busybox
  need dash dash
  need openssl openssl
  need setsid util-linux
  if [ "${CI:-}" = true ]; then
    need podman podman
    need runc runc
    need catatonit catatonit
    need iptables iptables
    need caddy caddy
    need systemd-analyze systemd
    [ -e /usr/lib/podman/netavark ] || package netavark
    [ -e /usr/lib/podman/aardvark-dns ] || package aardvark-dns
    [ -e /usr/lib/postgresql/15/bin/postgres ] || package postgresql-15
  fi
fi

# A bare root may have no /etc/hosts. The tests' servers and browsers are at this name.
if [ "$purpose" != run ] && has getent && ! getent hosts localhost >/dev/null; then
  lacks "localhost, which has no address here:
    echo '127.0.0.1 localhost' | sudo tee -a /etc/hosts"
fi

found=$(node --version 2>/dev/null | sed 's/^v//') || found=''
if [ -z "$found" ] || ! at_least "$found" "$node"; then
  if at_least "$(candidate nodejs)" "$node"; then
    package nodejs
    package npm
  else
    lacks "Node.js $node or newer${found:+ (here is $found)}:
    curl -fsSL https://deb.nodesource.com/setup_22.x | sudo -E bash - && sudo apt-get install -y nodejs"
  fi
elif ! has npm; then
  package npm
fi

found=$(rustc --version 2>/dev/null | sed -n 's/^rustc \([0-9.]*\).*/\1/p') || found=''
if [ -z "$found" ] || ! at_least "$found" "$rust"; then
  if has rustup; then
    lacks "Rust $rust${found:+ (here is $found)}:
    rustup toolchain install $rust --profile minimal --component clippy --component rustfmt"
  else
    lacks "Rust $rust or newer${found:+ (here is $found)}:
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --default-toolchain $rust"
  fi
fi

# Another engine for one of the tests in a browser, which says that it skips without it: nobody is asked for a password for it alone.
case $purpose,${CI:-} in test-pages,* | deploy,true) engine=yes ;; *) engine='' ;; esac
if [ -n "$engine" ] && [ "${MAYDAY_SETUP:-}" != no ] && has apt-get && [ -z "${FIREFOX_BIN:-}" ] &&
  ! has firefox-esr && { [ -n "$packages" ] || [ -z "$sudo" ]; } && [ -n "$(candidate firefox-esr)" ]; then
  package firefox-esr
fi

# Spares a minute of compiling and is needed by nothing: nobody is asked for a password for it alone.
if [ "$purpose" != run ] && [ "${MAYDAY_SETUP:-}" != no ] && has apt-get &&
  [ -z "$(ls /usr/lib/*/libjemalloc_pic.a 2>/dev/null)" ] && { [ -n "$packages" ] || [ -z "$sudo" ]; }; then
  package libjemalloc-dev
fi

if [ -n "$packages" ]; then
  if ! has apt-get; then
    # The names are Debian's; other systems have most of them, too.
    for each in $packages; do lacks "$each"; done
  else
    if [ "${MAYDAY_SETUP:-}" = no ]; then
      lacks "packages:
    $sudo apt-get install --no-install-recommends$packages"
    else
      echo "make $target installs by apt-get:$packages"
      fetch_lists
      without_services
      # shellcheck disable=SC2086 # a list of names
      if ! apt 600 install -y --no-install-recommends $packages; then
        # What runs containers and services is tried where it can be had; without the rest nothing is.
        [ "$purpose" = deploy ] && [ "${CI:-}" = true ] || exit 1
        echo "make $target goes on without:$packages" >&2
        mkdir -p "${unanswered%/*}"
        touch "$unanswered"
      fi
    fi
  fi
fi

if [ -n "$missing" ]; then
  printf 'make %s needs what is missing here:%s\n' "$target" "$missing" >&2
  exit 1
fi
