//! The configured providers, created once.

use crate::accounts::federation::code_host::{self, CodeHostProvider};
use crate::accounts::federation::oidc::{self, Clock, Provider};
use crate::accounts::federation::{
    FederationError, Grant, Profile, Recorder, Report, Result, pkce_challenge,
};
use crate::accounts::flows::Binding;
use crate::accounts::me::ProviderKind;
use crate::config::{Addresses, SignInConfig};
use crate::outbound::Client;

/// The configured providers.
pub struct Providers {
    sso: Option<Provider>,
    code_host: Option<CodeHostProvider>,
    sso_callback: String,
    code_host_callback: String,
}

impl Providers {
    pub fn new(config: &SignInConfig, addresses: &Addresses, client: &Client) -> Self {
        let base =
            config.sso.as_ref().and_then(|sso| sso.callback_base_url.as_ref()).unwrap_or(&addresses.api);
        let sso = config.sso.clone().map(|sso| Provider::new(sso, client.clone(), Clock::default()));
        let code_host = config.code_host.clone().map(|host| CodeHostProvider::new(host, client.clone()));
        Self {
            sso,
            code_host,
            sso_callback: format!("{base}/api/v1/auth/callback"),
            code_host_callback: format!("{}/auth/github/callback", addresses.api),
        }
    }

    pub fn has(&self, kind: ProviderKind) -> bool {
        match kind {
            ProviderKind::Sso => self.sso.is_some(),
            ProviderKind::GitHub => self.code_host.is_some(),
        }
    }

    /// The callback address of a provider.
    pub fn callback(&self, kind: ProviderKind) -> &str {
        match kind {
            ProviderKind::Sso => &self.sso_callback,
            ProviderKind::GitHub => &self.code_host_callback,
        }
    }

    /// The address to send the browser to.
    pub async fn authorize(&self, kind: ProviderKind, state: &str, binding: &Binding) -> Result<String> {
        let challenge = pkce_challenge(&binding.verifier);
        let callback = self.callback(kind);
        let url = match (kind, &self.sso, &self.code_host) {
            (ProviderKind::Sso, Some(sso), _) => {
                sso.authorize(callback, state, &binding.nonce, &challenge).await?
            }
            (ProviderKind::GitHub, _, Some(host)) => host.authorize(callback, state, &challenge)?,
            _ => return Err(not_configured()),
        };
        Ok(url.into())
    }

    /// The steps that [`Providers::exchange`] records.
    pub fn steps(kind: ProviderKind) -> &'static [&'static str] {
        match kind {
            ProviderKind::Sso => oidc::SIGN_IN_STEPS,
            ProviderKind::GitHub => code_host::SIGN_IN_STEPS,
        }
    }

    /// Exchanges a code for the person's profile.
    pub async fn exchange(
        &self,
        kind: ProviderKind,
        code: &str,
        binding: &Binding,
        recorder: &mut Recorder,
    ) -> Result<Profile> {
        let grant = Grant { redirect_uri: self.callback(kind), code, pkce_verifier: &binding.verifier };
        match (kind, &self.sso, &self.code_host) {
            (ProviderKind::Sso, Some(sso), _) => sso.exchange_recorded(grant, &binding.nonce, recorder).await,
            (ProviderKind::GitHub, _, Some(host)) => host.exchange_recorded(grant, recorder).await,
            _ => Err(not_configured()),
        }
    }

    /// Checks what can be checked without a person; `None` if the method is not configured.
    pub async fn check(&self, kind: ProviderKind) -> Option<Report> {
        match kind {
            ProviderKind::Sso => Some(self.sso.as_ref()?.check().await),
            ProviderKind::GitHub => Some(self.code_host.as_ref()?.check().await),
        }
    }
}

fn not_configured() -> FederationError {
    FederationError::Unreachable("This sign-in method is not configured.".to_owned())
}
