#!/bin/sh
# Looks at an instance that runs: what preflight says, services, addresses, versions, certificates, single sign-on,
# disk, backups, clock. Changes nothing, and never prints a secret.
#
#   doctor.sh [--json]
#
# Each finding is ok, a warning or an error, and says what to do about it.
# --json: {"ok": true|false, "findings": [{"level", "about", "text", "cure"}, ...], "backups": ...} on standard output.
# "backups" is what `mayday backup --status --json` says of scheduled backups; null if there is no schedule.
# Exit codes: 0 no errors, 1 errors, 2 wrong usage.
. "$(dirname "$0")/lib.sh"

json=
for argument; do
  case $argument in
    --json) json=yes ;;
    *) echo "usage: ${0##*/} [--json]" >&2; exit 2 ;;
  esac
done

# One line each: level, about, text and cure, separated by tabs.
findings=
failed=
found() {
  findings="$findings$(printf '%s\t%s\t%s\t%s' "$1" "$2" "$(one_line "$3")" "$(one_line "${4:-}")")
"
  [ "$1" != error ] || failed=yes
}
one_line() { printf '%s' "$1" | tr '\t\r\n' '   '; }

site=$(with_scheme "$(setting SITE_ADDRESS)")
api=$(with_scheme "$(setting API_BASE_URL)")
api=${api:-$site}
data=
if is_service; then
  data=$service_data
fi
# shellcheck disable=SC2119 # its argument is a service
log_of=$(log_cure)
of_proxy=
if ! is_service; then of_proxy=" $log_of caddy."; fi

# ask URL [OPTIONS]: GET; sets status (000 if there was no answer) and body, which is what went wrong then.
ask() {
  asked=$1
  shift
  body=$(curl --silent --show-error --max-time 8 --write-out '\n%{http_code}' "$@" "$asked" 2>&1) || true
  status=$(printf '%s\n' "$body" | tail -n 1)
  case $status in [1-5][0-9][0-9]) ;; *) status=000 ;; esac
  body=$(printf '%s\n' "$body" | sed '$d')
}

# answered: what came of asking.
answered() {
  reason=$(reason_in "$body" | cut -c 1-200)
  if [ "$status" = 000 ]; then echo "does not answer: $reason"; else echo "answers $status${reason:+: $reason}"; fi
}

# text_in NAME: a text of the JSON object in $body.
text_in() { printf '%s' "$body" | tr -d '\n' | sed -nE 's/^(.*[{,])?[[:space:]]*"'"$1"'"[[:space:]]*:[[:space:]]*"([^"]*)".*$/\2/p' | sed 's,\\/,/,g'; }

. "$here/lib/backups.sh"

# --- Checks -------------------------------------------------------------------------------------

check_configuration() {
  report=$("$here/preflight.sh" 2>&1) || true
  [ -n "$report" ] || found ok configuration 'preflight finds nothing to correct'
  apply=bootstrap.sh
  if is_service; then apply='install-service.sh again'; fi
  cure="Correct it in .env.static or on this host, then run $apply."
  while IFS= read -r line; do
    case $line in
      '') ;;
      'warning: '*) found warning configuration "${line#warning: }" "$cure" ;;
      *) found error configuration "${line#error: }" "$cure" ;;
    esac
  done <<REPORT
$report
REPORT
  if [ -f "$update_state" ]; then
    found warning update 'an update was interrupted' "Run $(updater) again: it finishes the update."
  fi
}

check_container() {
  id=$(container_of "$1" -a)
  if [ -z "$id" ]; then
    found error "$1" 'has no container' 'Run bootstrap.sh.'
    return 0
  fi
  state=$("$(engine)" inspect --format '{{.State.Status}}' "$id" 2>/dev/null) || state=unknown
  # Neither every engine nor every container has these.
  health=$("$(engine)" inspect --format '{{.State.Health.Status}}' "$id" 2>/dev/null) || health=
  restarts=$("$(engine)" inspect --format '{{.RestartCount}}' "$id" 2>/dev/null) || restarts=0
  case $state/$health in
    running/unhealthy) found error "$1" 'runs, but is unhealthy' "$log_of $1" ;;
    running/*)
      if [ "$restarts" -gt 2 ] 2>/dev/null; then
        found warning "$1" "runs, after $restarts restarts" "$log_of $1"
      else
        found ok "$1" "runs$([ "$health" != healthy ] || echo ', healthy')"
      fi
      ;;
    *) found error "$1" "does not run: $state" "$log_of $1; bootstrap.sh starts it." ;;
  esac
}

check_services() {
  running_version=
  if is_service; then
    if systemctl is-active --quiet mayday; then found ok service 'mayday.service is active'; else
      found error service "mayday.service is $(systemctl is-active mayday || true)" "$log_of"
    fi
    set -- "$service_binary" healthcheck --url "http://$(value_in "$service_env" SERVICE_LISTEN)"
  else
    if [ -z "$(engine)" ] || [ -z "$(compose_command)" ]; then return 0; fi
    services=server
    if has_caddy; then services="$services caddy"; fi
    if is_on AGENT_GATEWAY_ENABLED; then
      services="$services gateway gateway-database"
    elif [ -n "$(container_of gateway)" ]; then
      found warning gateway 'runs, although AGENT_GATEWAY_ENABLED is not true' \
        "Nothing uses it. To stop it: $(compose_command) -f $here/compose.yml --profile gateway stop gateway gateway-database"
    fi
    for service in $services; do check_container "$service"; done
    [ -n "$(container_of server)" ] || return 0
    set -- compose exec -T server mayday healthcheck
  fi
  if answer=$("$@" 2>&1); then
    running_version=${answer##* }
    found ok health "the server is well: $(printf '%s\n' "$answer" | tail -n 1)"
  else
    found error health "the server is not well: $(printf '%s' "$answer" | tail -n 1)" "$log_of$(is_service || echo ' server')"
  fi
  if ! is_service && is_on AGENT_GATEWAY_ENABLED; then
    if answer=$(compose exec -T server mayday healthcheck --url http://gateway:4000/health/liveliness 2>&1); then
      found ok gateway 'the server reaches the gateway'
    else
      found error gateway "the server does not reach the gateway: $(printf '%s' "$answer" | tail -n 1)" "$log_of gateway"
    fi
  fi
}

# Docker starts containers when a host boots, podman does not.
check_boot() {
  if is_service || ! systemctl show-environment >/dev/null 2>&1; then return 0; fi
  case $("$(engine)" --version 2>/dev/null) in podman*) ;; *) return 0 ;; esac
  ! grep -qsF "$here/start.sh" "$units"/*.service || return 0
  found warning boot 'nothing starts these containers when this host boots: podman does not' "Let systemd run $here/start.sh: docs/install.md has the unit."
}

# check_address TEXT CURE OPTIONS: /health and /meta of this instance.
check_address() {
  text=$1
  cure=$2
  shift 2
  ask "$api/health" "$@"
  if [ "$status" != 200 ]; then
    case $(answered) in
      *'curl: (60)'*) cure="This host does not know the authority of the certificate. If it is your own, or Caddy's for a name that is not public, tell curl of it: CURL_CA_BUNDLE=FILE $0. If not, see whether the name leads to this host." ;;
    esac
    found error address "$api/health $text $(answered)" "$cure"
    return 0
  fi
  ask "$api/meta" "$@"
  version=$(text_in serverVersion)
  if [ "$status" != 200 ] || [ -z "$version" ]; then
    found error address "$api/meta $text answers $status, but not as Mayday does" 'Something else answers under this name: look at the proxy.'
  elif [ -n "$running_version" ] && [ "$version" != "$running_version" ]; then
    found error address "$api $text is Mayday $version, and the server here is $running_version" 'The name leads to another instance, or a proxy keeps old answers.'
  else
    found ok address "$api $text: /health and /meta answer, version $version"
  fi
}

check_addresses() {
  host=$(host_of "$api")
  case $host in
    localhost | 127.* | '[::1]') ;;
    *)
      check_address 'on this host' "Look at the proxy here.$of_proxy" --resolve "$host:$(port_of "$api"):127.0.0.1"
      ;;
  esac
  check_address 'by its name' "Check that the name leads to this host, and that ports 80 and 443 are open: curl -v $api/health"
}

check_versions() {
  tag=$(setting SERVICE_SERVER_IMAGE_TAG)
  wanted=${tag#server-v}
  if [ -n "$running_version" ] && [ "$wanted" != "$tag" ] && [ "$wanted" != "$running_version" ]; then
    found warning version "SERVICE_SERVER_IMAGE_TAG is $tag, and $running_version runs" "Run $(updater)."
  fi
  if is_service || [ -z "$(engine)" ]; then return 0; fi
  id=$(container_of server)
  [ -n "$id" ] || return 0
  if [ "$(image_of "$id")" = "$(image_id "$(image)")" ]; then
    found ok version "the server runs ${running_version:-an unknown version}, the image of $(image)"
  else
    found warning version "the server runs another image than $(image) is on this host" 'update.sh updates to it.'
  fi
}

# days_until DATE: whole days until a date such as `Feb  1 23:59:59 2027 GMT`.
days_until() {
  printf '%s\n' "$1" | awk -v now="$(date +%s)" '{
    month = (index("JanFebMarAprMayJunJulAugSepOctNovDec", $1) + 2) / 3
    year = $4
    if (month <= 2) { year--; month += 12 }
    day = 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * (month - 3) + 2) / 5) + $2 - 719469
    print int(day - now / 86400)
  }'
}

# check_certificate TEXT OPTIONS
check_certificate() {
  text=$1
  shift
  said=$(curl --insecure --verbose --silent --head --max-time 8 "$@" "$site/health" 2>&1) || true
  ends=$(printf '%s\n' "$said" | sed -nE 's/^\*[[:space:]]+expire date: *//p' | head -n 1)
  if [ -z "$ends" ]; then
    found warning certificate "$text could not be read" "Ask it yourself: curl -vI $site/health"
    return 0
  fi
  days=$(days_until "$ends")
  cure="Caddy renews its certificates by itself: read why it does not.$of_proxy Another proxy in front renews its own."
  case $said in
    # Of half a day.
    *'issuer: CN=Caddy Local Authority'*) [ "$days" -lt 0 ] || { found ok certificate "$text is by Caddy's own authority, which nobody else knows: $ends"; return 0; } ;;
  esac
  if [ "$days" -lt 0 ]; then found error certificate "$text has ended: $ends" "$cure"
  elif [ "$days" -lt 14 ]; then found warning certificate "$text ends in $days days: $ends" "$cure"
  else found ok certificate "$text is valid for $days days"; fi
}

check_certificates() {
  case $site in
    https://*) ;;
    *) found ok certificate "$site needs none"; return 0 ;;
  esac
  host=$(host_of "$site")
  check_certificate "the one of this host's proxy" --resolve "$host:$(port_of "$site"):127.0.0.1"
  check_certificate 'the public one'
}

check_sso() {
  is_on SSO_ENABLED || return 0
  issuer=$(setting SSO_OIDC_ISSUER_URL)
  document=$(setting SSO_OIDC_DISCOVERY_URL)
  [ -n "$document" ] || document=${issuer%/}/.well-known/openid-configuration
  private=
  if is_on SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS; then private=yes; fi
  case $private:$issuer:$document in
    yes:* | :https:*:https:*) ;;
    *) found error sso "the provider's address is not https: $issuer" 'Use https; for a provider in your own network, set SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS=true.'; return 0 ;;
  esac
  if [ -n "$(setting SSO_OIDC_AUTHORIZATION_ENDPOINT)" ] && [ -n "$(setting SSO_OIDC_TOKEN_ENDPOINT)" ] && [ -n "$(setting SSO_OIDC_JWKS_URI)" ]; then
    found ok sso 'every endpoint is configured: no discovery document is needed'
    return 0
  fi
  ask "$document"
  named=$(text_in issuer)
  if [ "$status" != 200 ]; then
    found error sso "$document $(answered)" 'Check SSO_OIDC_ISSUER_URL, and that this host reaches the provider.'
  elif [ -z "$named" ]; then
    found error sso "$document is no discovery document" 'Check SSO_OIDC_ISSUER_URL: with /.well-known/openid-configuration after it, it has to lead to the document.'
  elif [ "$named" != "$issuer" ]; then
    found error sso "the provider calls itself $named, and SSO_OIDC_ISSUER_URL is $issuer" "Set SSO_OIDC_ISSUER_URL=$named: every character counts, the last slash as well."
  else
    found ok sso "the discovery document of $issuer is readable and names it"
  fi
}

# In MiB.
size_of() { du -sk "$1" 2>/dev/null | awk '{ print int($1 / 1024) }'; }
free_at() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'; }

check_disk() {
  if [ -z "$data" ] && [ -n "$(engine)" ]; then
    data=$("$(engine)" volume inspect --format '{{.Mountpoint}}' "$(stack_name)_data" 2>/dev/null) || data=
  fi
  if [ -z "$data" ] || [ ! -x "$data" ] || [ ! -r "$data" ]; then
    found ok disk "$(free_at "$here") MiB are free at $here; the size of the data is for root to see"
    return 0
  fi
  free=$(free_at "$data")
  size=$(size_of "$data")
  floor=$(setting SERVICE_DISK_FLOOR_MB)
  floor=${floor:-256}
  text="$free MiB are free, and the data has ${size:-?} MiB ($data)"
  if [ "$free" -le "$floor" ]; then
    found error disk "$text: nothing is accepted below SERVICE_DISK_FLOOR_MB=$floor" 'Free space on this disk, delete old projects, or move the data to a larger disk.'
  elif [ "$free" -lt $((floor * 2)) ] || [ "$free" -lt "${size:-0}" ]; then
    found warning disk "$text" 'A backup needs as much as the databases. Free space, or move the data to a larger disk.'
  else
    found ok disk "$text"
  fi
}

check_clock() {
  synchronised=unknown
  if command -v timedatectl >/dev/null 2>&1; then synchronised=$(timedatectl show -p NTPSynchronized --value 2>/dev/null) || synchronised=unknown; fi
  # Preflight has the rules.
  found ok clock "$(date -u '+%Y-%m-%d %H:%M:%S') UTC, synchronised: ${synchronised:-unknown}"
}

check_configuration
check_services
[ -z "$(engine)" ] || check_boot
if command -v curl >/dev/null 2>&1; then
  if [ -n "$site" ]; then
    check_addresses
    check_certificates
  fi
  check_sso
else
  found warning address 'curl is not installed: addresses, certificates and single sign-on were not checked' 'Install curl.'
fi
check_versions
check_disk
check_backup
check_made_backups
check_kept
check_clock

# --- Report -------------------------------------------------------------------------------------

report_text() {
  printf '%s' "$findings" | awk -F '\t' '
    { printf "%-8s %-14s %s\n", $1, $2, $3; if ($4 != "") printf "%-8s %-14s -> %s\n", "", "", $4 }'
}

report_json() {
  printf '%s' "$findings" | awk -F '\t' -v ok="$([ -n "$failed" ] && echo false || echo true)" '
    function text(value) { gsub(/[\\"]/, "\\\\&", value); gsub(/[\001-\037]/, " ", value); return "\"" value "\"" }
    BEGIN { printf "{\"ok\": %s, \"findings\": [", ok }
    { printf "%s\n  {\"level\": %s, \"about\": %s, \"text\": %s, \"cure\": %s}", (NR > 1 ? "," : ""), text($1), text($2), text($3), text($4) }
    END { printf "\n], \"backups\": " }'
  printf '%s}\n' "$(printf '%s\n' "$backups" | redacted)"
}

# Nothing here comes from a secret; should a program have quoted one, it is taken out.
findings=$(printf '%s' "$findings" | redacted)
if [ -n "$json" ]; then report_json; else report_text; fi
[ -z "$failed" ] || exit 1
