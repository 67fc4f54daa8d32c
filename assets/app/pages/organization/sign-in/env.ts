// The variables that configure the missing parts.

export const snippets = {
  password: "PASSWORD_AUTH_ENABLED=true",
  sso: `SSO_ENABLED=true
# Exactly as the provider states it.
SSO_OIDC_ISSUER_URL=https://login.example.com
SSO_OIDC_CLIENT_ID=
SSO_OIDC_CLIENT_SECRET=
# Label of the button.
SSO_DISPLAY_NAME=Company SSO
# Who can sign in without an invitation: disabled, existing_user or create_member.
SSO_JIT_POLICY=disabled
# With create_member: the e-mail domains that are allowed.
#SSO_ALLOWED_DOMAINS=example.com
# For a provider in a private network.
#SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS=true`,
  github: `HOST_OAUTH_CLIENT_ID=
HOST_OAUTH_CLIENT_SECRET=
# For GitHub Enterprise or Gitea instead of github.com:
#SERVICE_HOST_OAUTH_AUTHORIZE_URL=https://git.example.com/login/oauth/authorize
#SERVICE_HOST_OAUTH_TOKEN_URL=https://git.example.com/login/oauth/access_token
#SERVICE_HOST_OAUTH_API_URL=https://git.example.com/api/v3`,
  mail: `MAIL_FROM_EMAIL=Mayday <mayday@example.com>
# One of these two:
SERVICE_MAIL_SMTP_URL=smtps://user:password@mail.example.com
#MAIL_API_KEY=`,
  proxies: `# The addresses of your reverse proxy.
SERVICE_TRUSTED_PROXIES=127.0.0.1`,
} as const;
