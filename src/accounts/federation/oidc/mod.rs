//! OIDC single sign-on: the authorization code flow with PKCE (OpenID Connect Core 1.0).
//!
//! The crate `openidconnect` reads keys and verifies signatures. The rest is ours: its typed claims fail on
//! an `email_verified` that is text, which a person has to be told exactly; its discovery supports only one
//! address; and its user info request panics on an access token that cannot be put into a header.

mod cache;
mod check;
mod discovery;
mod documents;
mod id_token;
mod keys;
mod profile;

pub use cache::Clock;
pub use check::CHECK_STEPS;

use super::token::{self, ClientProof, TokenEndpoint, Tokens};
use super::{FederationError, Grant, Profile, Recorder, Result, answer};
use crate::config::Sso;
use crate::outbound::{Client, Policy};
use discovery::Endpoints;
use documents::ProviderDocuments;
use id_token::Expected;
use std::sync::Arc;
use url::Url;

/// The steps of [`Provider::exchange_recorded`].
pub const SIGN_IN_STEPS: &[&str] = &[CODE, TOKENS, SIGNATURE, CLAIMS, USER_INFO, EMAIL];
const CODE: &str = "Authorization code";
const TOKENS: &str = "Token answer";
const SIGNATURE: &str = "ID token signature";
const CLAIMS: &str = "Issuer, audience, nonce, times";
const USER_INFO: &str = "User info";
const EMAIL: &str = "E-mail and its proof";

/// The configured provider, with its cached documents. Create one and share it.
pub struct Provider {
    settings: Sso,
    client: Client,
    clock: Clock,
    documents: ProviderDocuments,
}

impl Provider {
    /// Sends no requests yet.
    pub fn new(settings: Sso, client: Client, clock: Clock) -> Self {
        Self { settings, client, clock, documents: ProviderDocuments::default() }
    }

    /// The address to send the browser to. `state` and `nonce` are provided by the caller, `pkce_challenge`
    /// comes from [`super::pkce_challenge`].
    ///
    /// # Errors
    /// If discovery fails, or the guard refuses an address.
    pub async fn authorize(
        &self,
        redirect_uri: &str,
        state: &str,
        nonce: &str,
        pkce_challenge: &str,
    ) -> Result<Url> {
        let endpoints = self.endpoints().await?;
        let mut url = self.guarded(&endpoints.authorization, "Authorization endpoint").await?;
        url.set_fragment(None);
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", &self.scopes().join(" "))
            .append_pair("state", state)
            .append_pair("nonce", nonce)
            .append_pair("code_challenge", pkce_challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// Exchanges a code for the person's profile. The caller has already compared the state.
    ///
    /// # Errors
    /// See [`FederationError`]. A missing or unproven e-mail is not an error; the profile says so.
    pub async fn exchange(&self, grant: Grant<'_>, nonce: &str) -> Result<Profile> {
        self.exchange_recorded(grant, nonce, &mut Recorder::new(SIGN_IN_STEPS)).await
    }

    /// Like [`Self::exchange`], but records each step. The recorder was created with [`SIGN_IN_STEPS`].
    ///
    /// # Errors
    /// The same.
    pub async fn exchange_recorded(
        &self,
        grant: Grant<'_>,
        nonce: &str,
        recorder: &mut Recorder,
    ) -> Result<Profile> {
        let redeemed = self.redeem(grant).await;
        let (endpoints, tokens) =
            recorder.note(CODE, redeemed, |_| "The token endpoint accepted it.".to_owned())?;
        let id_token = recorder.note(TOKENS, id_token_of(&tokens), |_| "It has an ID token.".to_owned())?;
        let verified = self.verified(&endpoints, id_token).await;
        let claims = recorder.note(SIGNATURE, verified, |(_, by)| by.clone())?.0;
        let subject = recorder.note(CLAIMS, self.check_claims(&claims, nonce), |subject| {
            format!("All as expected; the subject is {subject}.")
        })?;
        let user_info = self.user_info(&endpoints, &tokens, &subject).await;
        let user_info = recorder.note(USER_INFO, user_info, |info| match info {
            Some(_) => "For the same subject.".to_owned(),
            None => "The provider has no such endpoint.".to_owned(),
        })?;
        let documents = profile::Documents { claims: &claims, user_info: user_info.as_ref() };
        let trusted = &self.settings.trusted_email_domains;
        let (profile, proof) = profile::assemble(&self.settings.issuer_url, subject, &documents, trusted);
        recorder.set(EMAIL, profile.email_verified, proof);
        Ok(profile)
    }

    async fn redeem(&self, grant: Grant<'_>) -> Result<(Arc<Endpoints>, Tokens)> {
        let endpoints = self.endpoints().await?;
        let endpoint = TokenEndpoint {
            url: &endpoints.token,
            policy: self.policy(),
            client_id: &self.settings.client_id,
            client_secret: &self.settings.client_secret,
            proof: endpoints.proof,
        };
        let tokens = token::redeem(&self.client, &endpoint, grant).await?;
        Ok((endpoints, tokens))
    }

    fn check_claims(&self, claims: &answer::Document, nonce: &str) -> Result<String> {
        let expected = Expected {
            issuer: &self.settings.issuer_url,
            client_id: &self.settings.client_id,
            nonce,
            now: self.clock.wall(),
        };
        id_token::check_claims(claims, &expected)
    }

    async fn user_info(
        &self,
        endpoints: &Endpoints,
        tokens: &Tokens,
        subject: &str,
    ) -> Result<Option<answer::Document>> {
        const WHAT: &str = "User info endpoint";
        let Some(url) = &endpoints.userinfo else { return Ok(None) };
        let token = tokens.access_token.as_deref().ok_or_else(|| {
            FederationError::invalid("Token endpoint: the answer has no access_token for the user info")
        })?;
        let info = answer::get_object(&self.client, self.policy(), url, Some(token), WHAT).await?;
        if answer::text(&info, "sub") != Some(subject) {
            return Err(FederationError::invalid(format!(
                "{WHAT}: its sub differs from that of the ID token"
            )));
        }
        Ok(Some(info))
    }

    fn policy(&self) -> Policy {
        if self.settings.allow_private_provider_urls { Policy::Open } else { Policy::Guarded }
    }

    /// The address, after the guard has allowed it.
    async fn guarded(&self, url: &str, what: &str) -> Result<Url> {
        let policy = self.policy();
        let read = crate::outbound::read(url, policy).map_err(|error| answer::about(what, error.into()))?;
        if policy == Policy::Guarded {
            self.client.check(url, policy).await.map_err(|error| answer::about(what, error.into()))?;
        }
        Ok(read)
    }

    /// The scopes to request: the configured ones, and `openid`.
    fn scopes(&self) -> Vec<&str> {
        let mut scopes: Vec<&str> = self.settings.scopes.iter().map(String::as_str).collect();
        if !scopes.contains(&"openid") {
            scopes.insert(0, "openid");
        }
        scopes
    }
}

fn id_token_of(tokens: &Tokens) -> Result<&str> {
    tokens.id_token.as_deref().ok_or_else(|| {
        FederationError::invalid("Token endpoint: the answer has no id_token; is the scope openid allowed?")
    })
}

#[cfg(test)]
mod tests;
