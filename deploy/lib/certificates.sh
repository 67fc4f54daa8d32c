# The certificates of Caddy, with the keys and the account that they were obtained by. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# uses_certificates: whether Caddy is of this stack, and serves https.
uses_certificates() {
  if is_service; then return 1; fi
  case $(with_scheme "$(setting SITE_ADDRESS)") in https:*) has_caddy ;; *) return 1 ;; esac
}

# hold_certificates: a container that never runs, named $holder, has their volume: its files are to be had whatever the image has.
hold_certificates() {
  holder=$(stack_name)-once-certificates
  "$(engine)" rm --force "$holder" >/dev/null 2>&1 || true
  "$(engine)" create --name "$holder" --volume "$(stack_name)_certificates:/data" "$(named_image CADDY)" >/dev/null
}

# take_certificates: a tar archive of all that Caddy keeps.
take_certificates() {
  has_volume certificates || return 1
  hold_certificates || return 1
  taken=0
  "$(engine)" cp "$holder:/data/caddy" - || taken=$?
  "$(engine)" rm "$holder" >/dev/null
  return "$taken"
}

# put_certificates: that archive from standard input, into a volume that goes by the stack's name, as compose commands make it.
put_certificates() {
  has_volume certificates || "$(engine)" volume create --label "com.docker.compose.project=$(stack_name)" \
    --label com.docker.compose.volume=certificates "$(stack_name)_certificates" >/dev/null || return 1
  hold_certificates || return 1
  put=0
  "$(engine)" cp - "$holder:/data" || put=$?
  "$(engine)" rm "$holder" >/dev/null
  return "$put"
}

# some_certificates: whether such an archive, on standard input, has any.
some_certificates() { tar -tf - 2>/dev/null | grep -q '\.key$'; }
