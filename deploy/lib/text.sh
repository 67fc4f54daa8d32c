# Text for programs, and text without secrets. lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# quoted TEXT: its lines as JSON strings, separated by commas.
quoted() {
  printf '%s' "$1" | awk '
    { gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); gsub(/[\001-\037]/, " ") }
    { printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }'
}

# secret_values: the value of every variable that holds a secret, and the password in an address, one a line.
secret_values() {
  { assignments "$static"; assignments "$local"; assignments "$generated"; } 2>/dev/null |
    sed -nE 'h; s/^([A-Z0-9_]*(SECRET|PASSWORD|PASSPHRASE|TOKEN|_KEY|SMTP_URL)|DATABASE_URL)=(.)/\3/p; g; s,^[A-Z0-9_]+=[a-z]+://[^:/@]*:([^@/]+)@.*,\1,p'
}

# redacted: copies standard input without any value of a secret.
redacted() {
  { secret_values; echo; cat; } | awk '
    !past && /^$/ { past = 1; next }
    !past { if (length($0) > 3) secret[++count] = $0; next }
    {
      for (each = 1; each <= count; each++) {
        clean = ""
        while (at = index($0, secret[each])) {
          clean = clean substr($0, 1, at - 1) "[secret]"
          $0 = substr($0, at + length(secret[each]))
        }
        $0 = clean $0
      }
      print
    }'
}
