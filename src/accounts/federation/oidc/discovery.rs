//! Where a provider's endpoints are (OpenID Connect Discovery 1.0), and what the configuration overrides.

use super::ClientProof;
use crate::accounts::federation::answer::{self, Document};
use crate::accounts::federation::{FederationError, Result};
use crate::config::Sso;
use crate::outbound::{Client, Policy};
use crate::text::shown;

const WHAT: &str = "Discovery document";

/// The endpoints and capabilities of a provider that are used.
#[derive(Debug, Clone)]
pub(super) struct Endpoints {
    pub(super) authorization: String,
    pub(super) token: String,
    pub(super) jwks: String,
    pub(super) userinfo: Option<String>,
    pub(super) proof: ClientProof,
    /// `None` if the provider does not list them.
    pub(super) scopes: Option<Vec<String>>,
}

/// The address of the document; `None` if the configuration already has everything it would say.
pub(super) fn address(settings: &Sso) -> Option<String> {
    let overrides = [&settings.authorization_endpoint, &settings.token_endpoint, &settings.jwks_uri];
    if overrides.iter().all(|endpoint| endpoint.is_some()) {
        return None;
    }
    let usual = || format!("{}/.well-known/openid-configuration", settings.issuer_url.trim_end_matches('/'));
    Some(settings.discovery_url.clone().unwrap_or_else(usual))
}

/// The document, which must be of exactly the configured issuer.
///
/// # Errors
/// If it cannot be fetched, is not an object, or names another issuer.
pub(super) async fn discover(client: &Client, settings: &Sso, policy: Policy) -> Result<Option<Document>> {
    let Some(url) = address(settings) else { return Ok(None) };
    let document = answer::get_object(client, policy, &url, None, WHAT).await?;
    let issuer = answer::text(&document, "issuer").unwrap_or_default();
    if issuer != settings.issuer_url {
        return Err(FederationError::invalid(format!(
            "{WHAT}: its issuer is `{}`, expected exactly `{}`; copy the provider's value into SSO_OIDC_ISSUER_URL",
            shown(issuer, 200),
            settings.issuer_url
        )));
    }
    Ok(Some(document))
}

/// # Errors
/// If a required endpoint is in neither the configuration nor the document.
pub(super) fn endpoints(settings: &Sso, found: Option<Document>) -> Result<Endpoints> {
    let found = found.unwrap_or_default();
    let pick = |configured: &Option<String>, name: &str| {
        configured.clone().or_else(|| answer::text(&found, name).map(str::to_owned))
    };
    let need = |configured: &Option<String>, name: &str| {
        pick(configured, name).ok_or_else(|| FederationError::invalid(format!("{WHAT}: it has no {name}")))
    };
    Ok(Endpoints {
        authorization: need(&settings.authorization_endpoint, "authorization_endpoint")?,
        token: need(&settings.token_endpoint, "token_endpoint")?,
        jwks: need(&settings.jwks_uri, "jwks_uri")?,
        userinfo: pick(&settings.userinfo_endpoint, "userinfo_endpoint"),
        proof: proof(&found),
        scopes: texts(&found, "scopes_supported"),
    })
}

/// `client_secret_basic` is the default; the other method is used only if that one is not offered.
fn proof(found: &Document) -> ClientProof {
    let offered = texts(found, "token_endpoint_auth_methods_supported").unwrap_or_default();
    let offers = |way: &str| offered.iter().any(|offer| offer == way);
    if offers("client_secret_post") && !offers("client_secret_basic") {
        ClientProof::Post
    } else {
        ClientProof::Basic
    }
}

fn texts(found: &Document, name: &str) -> Option<Vec<String>> {
    let list = found.get(name)?.as_array()?;
    Some(list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
}
