#!/bin/sh
# Generates the secrets that are not configured and keeps them in .env.generated (0600). A secret once
# generated is never changed: precedence is .env.generated, .env.local, .env.static, then a random value.
# Needs POSIX tools only. Prints names, never values.
. "$(dirname "$0")/lib.sh"
alone

random_hex() { od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'; }

names='JWT_SECRET CLOUD_SECRET_KEY POSTGRES_PASSWORD'
if is_on AGENT_GATEWAY_ENABLED; then names="$names PROXY_MASTER_KEY PROXY_POSTGRES_PASSWORD"; fi

step 'Secrets'
assignments "$static" >/dev/null || fail "$static cannot be read" 'Correct the line named above.'
assignments "$local" >/dev/null || fail "$local cannot be read" 'Correct the line named above.'
[ ! -L "$generated" ] || fail "$generated is a symbolic link" 'Replace it by the file itself.'
made=
added=
for name in $names; do
  [ -z "$(value_in "$generated" "$name")" ] || continue
  value=$(setting "$name")
  if [ -z "$value" ]; then
    value=$(random_hex)
    [ "${#value}" = 64 ] || fail '/dev/urandom gave no random bytes'
    [ "$name" != PROXY_MASTER_KEY ] || value=sk-$value
    made="$made $name"
  fi
  added="$added$name=$value
"
done
if [ -n "$added" ]; then
  {
    if [ -f "$generated" ]; then
      cat "$generated"
    else
      echo '# Secrets of this instance. They belong to its data: back both up together, and never edit this file.'
    fi
    printf '%s' "$added"
  } | replace_file "$generated"
fi
[ ! -f "$generated" ] || chmod 600 "$generated"
finish "${made:+generated:$made}"
