# What is derived from the configuration: .env.runtime, .env, the gateway's files, and what the server's container is handed.
# lib.sh sources it.
# shellcheck disable=SC2154 # lib.sh has what is not assigned here

# with_scheme ADDRESS: https:// is assumed, and http:// for this machine. A trailing slash is dropped.
with_scheme() {
  address=${1%/}
  case $address in
    '') ;;
    http://* | https://*) printf '%s\n' "$address" ;;
    localhost | localhost:* | 127.0.0.1 | 127.0.0.1:* | '[::1]' | '[::1]:'*) printf 'http://%s\n' "$address" ;;
    *) printf 'https://%s\n' "$address" ;;
  esac
}

# host_of URL, port_of URL: of an http or https address.
host_of() { printf '%s\n' "$1" | sed -E 's,^https?://,,; s,/.*,,; s,:[0-9]+$,,'; }
port_of() {
  port=$(printf '%s\n' "$1" | sed -nE 's,^https?://[^/]*:([0-9]+)(/.*)?$,\1,p')
  case $port:$1 in
    :https:*) echo 443 ;;
    :*) echo 80 ;;
    *) echo "$port" ;;
  esac
}

# url_part TEXT: as part of an address: as it stands, or where a character could mean something there, every byte as %xx.
url_part() {
  case $1 in
    *[!A-Za-z0-9._~-]*) printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g' ;;
    *) printf '%s' "$1" ;;
  esac
}

# backup_folder: the directory of this host that scheduled backups go to; empty if it is in S3-compatible storage.
backup_folder() {
  case $(setting SERVICE_BACKUP_TO) in
    s3://*) ;;
    *) setting SERVICE_BACKUP_TO ;;
  esac
}

# without_paths: takes from NAME=value lines what names paths of this host, and adds what containers get instead: the
# mounted directory, and the passphrase itself.
without_paths() {
  paths='SERVICE_(BACKUP_(TO|PASSPHRASE_FILE)|HOST_APP_PRIVATE_KEY_FILE)='
  is_service || paths="$paths|WEB_DIST_DIR=."
  awk "!/^($paths)/"
  case $(setting SERVICE_BACKUP_TO) in
    '') ;;
    s3://*) printf 'SERVICE_BACKUP_TO=%s\n' "$(setting SERVICE_BACKUP_TO)" ;;
    *) echo 'SERVICE_BACKUP_TO=/backups' ;;
  esac
  file=$(setting SERVICE_BACKUP_PASSPHRASE_FILE)
  [ ! -f "$file" ] || printf 'SERVICE_BACKUP_PASSPHRASE=%s\n' "$(head -n 1 "$file")"
}

# hand_over FILE NAME: copies a file to where the server's container may read it, whoever owns the original. The folder stays
# the same one, since containers that run have it mounted.
hand_over() {
  mkdir -p "$handed/server"
  chmod 700 "$handed"
  chmod 755 "$handed/server"
  # One that was left behind cannot be written to.
  rm -f "$handed/server/.$2"
  cp "$1" "$handed/server/.$2"
  chmod 444 "$handed/server/.$2"
  mv -f "$handed/server/.$2" "$handed/server/$2"
}

# hand_over_key: the private key of the code-host app.
hand_over_key() {
  key=$(setting SERVICE_HOST_APP_PRIVATE_KEY_FILE)
  if [ -z "$key" ]; then
    rm -f "$handed/server/host-app-private-key.pem"
    return 0
  fi
  if [ -r "$key" ]; then
    hand_over "$key" host-app-private-key.pem
  elif [ -n "${putting_back:-}" ]; then
    warn "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key cannot be read"
  else
    fail "SERVICE_HOST_APP_PRIVATE_KEY_FILE=$key cannot be read" 'Name the file with the private key of the code-host app.'
  fi
}

# hand_over_runtime: what the server is configured with.
hand_over_runtime() {
  if ! is_service && [ -f "$runtime" ]; then hand_over "$runtime" env; fi
}

# derive: writes .env.runtime, which the server reads, and .env, which the compose file reads.
derive() {
  if ! is_service; then hand_over_key; fi
  site=$(with_scheme "$(setting SITE_ADDRESS)")
  api=$(with_scheme "$(setting API_BASE_URL)")
  frontend=$(with_scheme "$(setting FRONTEND_BASE_URL)")
  {
    echo '# Derived by the deployment scripts. Edit .env.static, then run bootstrap.sh or update.sh.'
    layered "$static" "$local" "$generated" | awk -F= "!($(of_gateway)) && \$1 !~ /^($derived)\$/" | without_paths | written
    [ ! -f "$handed/server/host-app-private-key.pem" ] || echo 'SERVICE_HOST_APP_PRIVATE_KEY_FILE=/run/mayday/host-app-private-key.pem'
    is_service || [ -z "$(setting WEB_DIST_DIR)" ] || echo 'WEB_DIST_DIR=/web'
    printf 'SITE_ADDRESS=%s\n' "$site"
    printf 'API_BASE_URL=%s\n' "${api:-$site}"
    printf 'FRONTEND_BASE_URL=%s\n' "${frontend:-$site}"
    # Within the container.
    echo 'SERVICE_LISTEN=0.0.0.0:8000'
    echo 'SERVICE_DATA_DIR=/data/mayday'
    proxies=$(setting SERVICE_TRUSTED_PROXIES)
    printf 'SERVICE_TRUSTED_PROXIES=%s%s\n' "${proxies:+$proxies,}" "$(proxy_network)"
    if is_on AGENT_GATEWAY_ENABLED; then
      admin=$(setting AGENT_GATEWAY_PROXY_BASE_URL)
      public=$(setting AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL)
      printf 'AGENT_GATEWAY_PROXY_BASE_URL=%s\n' "${admin:-http://gateway:4000}"
      printf 'AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL=%s\n' "${public:-$site/llm}"
      printf 'AGENT_GATEWAY_PROXY_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    fi
  } | replace_file "$runtime"
  hand_over_runtime
  if is_on AGENT_GATEWAY_ENABLED; then derive_gateway; fi
  {
    echo '# Derived by the deployment scripts; holds no secrets.'
    printf 'MAYDAY_IMAGE=%s:%s\n' "$(image_source)" "$(setting SERVICE_SERVER_IMAGE_TAG)"
    printf 'MAYDAY_SITE=%s\n' "$site"
    printf 'COMPOSE_PROJECT_NAME=%s\n' "$(stack_name)"
    printf 'MAYDAY_HTTP_PORT=%s\nMAYDAY_HTTPS_PORT=%s\n' "$(http_port)" "$(https_port)"
    folder=$(backup_folder)
    [ -z "$folder" ] || printf 'MAYDAY_BACKUPS=%s\n' "$folder"
    web=$(setting WEB_DIST_DIR)
    [ -z "$web" ] || printf 'MAYDAY_WEB=%s\n' "$web"
    for name in CADDY GATEWAY GATEWAY_DATABASE; do
      other=$(setting "SERVICE_${name}_IMAGE")
      [ -z "$other" ] || printf '%s_IMAGE=%s\n' "$name" "$other"
    done
  } | replace_file "$compose_env"
}

# What derive writes itself.
derived='SITE_ADDRESS|API_BASE_URL|FRONTEND_BASE_URL|SERVICE_LISTEN|SERVICE_DATA_DIR|SERVICE_TRUSTED_PROXIES|AGENT_GATEWAY_PROXY_(PUBLIC_)?BASE_URL|AGENT_GATEWAY_PROXY_MASTER_KEY'
# What LiteLLM's providers read: what their names begin with, beside keys and addresses.
providers='AIMLAPI|ANTHROPIC|AWS|AZURE|BEDROCK|CLOUDFLARE|COHERE|COMETAPI|DATABRICKS|DATAROBOT|FIREWORKS|FIREWORKS_AI|FRIENDLI|GEMINI|GIGACHAT|GITHUB_COPILOT|GOOGLE|GRADIENT_AI|GROQ|HF|HUGGINGFACE|JINA_AI|MISTRAL|OCI|OLLAMA|OPENAI|OPENROUTER|OR|PREDIBASE|REPLICATE|RUNWAYML|SAGEMAKER|SCW|SNOWFLAKE|TOGETHER_AI|VERCEL|VERTEX|VERTEXAI|VOYAGE_AI|WATSONX|WML|WX|XAI'

# of_gateway: a condition of awk for what the gateway's containers get and the server does not: all that is for providers,
# what SERVICE_GATEWAY_VARIABLES names, and the secrets of the gateway's database. Of ..._API_KEY, MAIL_API_KEY alone is the
# server's. The scripts themselves read AWS_REGION from the configuration.
of_gateway() {
  named=$(setting SERVICE_GATEWAY_VARIABLES | tr -d ' \t' | tr ',' '|')
  # shellcheck disable=SC2016 # of awk
  printf '($1 ~ /^(PROXY|%s)_/ || $1 ~ /_API_(KEY|BASE)$/ && $1 !~ /^(SERVICE_|MAIL_API_KEY)/%s)' "$providers" \
    "${named:+ || \$1 ~ /^($named)\$/}"
}

# The files of the gateway's containers.
derive_gateway() {
  name=$(setting PROXY_POSTGRES_DB)
  user=$(setting PROXY_POSTGRES_USER)
  password=$(value_in "$generated" PROXY_POSTGRES_PASSWORD)
  {
    echo '# Derived by the deployment scripts.'
    printf 'LITELLM_MASTER_KEY=%s\n' "$(value_in "$generated" PROXY_MASTER_KEY)"
    printf 'DATABASE_URL=postgresql://%s:%s@gateway-database:5432/%s\n' "$(url_part "${user:-gateway}")" "$(url_part "$password")" "$(url_part "${name:-gateway}")"
    { assignments "$static"; assignments "$local"; } | awk -F= "$(of_gateway) && !/^PROXY_/"
  } | replace_file "$here/.env.gateway"
  {
    echo '# Derived by the deployment scripts.'
    printf 'POSTGRES_USER=%s\nPOSTGRES_PASSWORD=%s\nPOSTGRES_DB=%s\n' "${user:-gateway}" "$password" "${name:-gateway}"
  } | replace_file "$here/.env.gateway-database"
}

# What two instances on one host may not share. The names of containers, volumes and networks begin with the stack's; requests
# from the network come through Caddy, whose X-Forwarded-For is trusted.
# shellcheck disable=SC2034 # restore.sh uses it
of_host='SERVICE_STACK_NAME SERVICE_HTTP_PORT SERVICE_HTTPS_PORT SERVICE_PROXY_NETWORK'
stack_name() { setting SERVICE_STACK_NAME mayday; }
http_port() { setting SERVICE_HTTP_PORT 80; }
https_port() { setting SERVICE_HTTPS_PORT 443; }
proxy_network() { setting SERVICE_PROXY_NETWORK 172.31.213.0/24; }
