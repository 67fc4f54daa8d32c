# How a script ends that has started an instance: the link that claims it, and whether its address answers. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# Seconds that the address of a new instance gets: Caddy obtains a certificate by then.
address_limit=${MAYDAY_ADDRESS_LIMIT:-30}

# why_unreached STATUS TEXT: why $site does not answer, and the cure, by what curl has said. `later` is empty where time alone changes
# nothing within seconds.
why_unreached() {
  later=
  case $1:$2 in
    6:* | *esolving*)
      why="the name $(host_of "$site") cannot be looked up by this host"
      cure='Let it lead to this host, by an A or AAAA record of its DNS zone.'
      ;;
    7:* | 28:*)
      [ "$1" = 28 ] || later=yes
      why='nothing accepts connections there'
      cure="See whether the name leads to this host, and let port $(port_of "$site") be reached, in its firewall and in every router in front of it."
      ;;
    35:*)
      later=yes
      why='there is no certificate for it yet'
      if is_service; then
        cure='See what the proxy in front says, which has to have one.'
      else
        cure="Caddy obtains one once the name leads to this host, and port 80 or 443 is reached from the internet; for a name that only your network knows, see docs/install.md. $(log_cure caddy)"
      fi
      ;;
    60:*)
      why='its certificate is by an authority that this host does not know'
      cure="If it is your own, or Caddy's for a name that is not public, go on where the browser warns of it. If not, see whether the name leads to this host."
      ;;
    *)
      later=yes
      why="what answers there is not Mayday: $(reason_in "$2")"
      cure="See whether the name leads to this host, and what the proxy says: curl -v $site/health"
      ;;
  esac
}

# reach: whether Mayday answers at $site.
reach() {
  status=0
  answer=$(curl --fail --silent --show-error --max-time 5 "$site/health" 2>&1) || status=$?
  case $status:$answer in 0:*'"status"'*) return 0 ;; esac
  why_unreached "$status" "$answer"
  return 1
}

# look_at_address: a step of its own. `unreached` says afterwards what does not work; nothing if all does.
look_at_address() {
  unreached=
  command -v curl >/dev/null 2>&1 || return 0
  step "Address $site"
  started=$(date +%s)
  until reach; do
    if [ -z "$later" ] || [ "$(($(date +%s) - started))" -ge "$address_limit" ]; then
      unreached=$why
      finish 'cannot be used yet, see below'
      return 0
    fi
    sleep 1
  done
  finish answers
}

# tell_address TOKEN: ends a script after `wait-for-health.sh --here`. Whoever set an instance up can claim it as soon as its address works,
# so the link is printed in any case. What SERVICE_PUBLIC_HEALTHCHECK_URL names has to answer, or the script has failed.
tell_address() {
  site=$(value_in "$(is_service && echo "$service_env" || echo "$runtime")" FRONTEND_BASE_URL)
  failed=
  unreached=
  public=$(setting SERVICE_PUBLIC_HEALTHCHECK_URL)
  if [ -n "$public" ]; then
    "$here/wait-for-health.sh" --public || failed=yes
  else
    look_at_address
  fi
  if [ -n "$1" ]; then
    echo
    echo "Setup token: $1"
    echo "Claim this instance: $site/setup#token=$1"
    [ -z "$failed$unreached" ] || echo 'The link stays valid, and works once the address does.'
  else
    echo "Mayday runs at $site"
  fi
  [ -z "$unreached" ] || warn "$site cannot be used yet: $unreached. The server itself is well.
  $cure
  Afterwards, doctor.sh looks at it from this host."
  [ -z "$failed" ] || fail "Mayday runs, and $public does not answer" 'Correct what is said of it above, then run this script again.'
}
