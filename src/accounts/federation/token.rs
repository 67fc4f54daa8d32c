//! From an authorization code to tokens (RFC 6749, section 4.1.3).

use super::answer::{self, Document};
use super::{FederationError, Grant, Result};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy, Request};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::AUTHORIZATION;

const WHAT: &str = "Token endpoint";

/// How we authenticate as the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientProof {
    /// `client_secret_basic`.
    Basic,
    /// `client_secret_post`.
    Post,
}

/// Who asks, and where.
pub(super) struct TokenEndpoint<'a> {
    pub(super) url: &'a str,
    pub(super) policy: Policy,
    pub(super) client_id: &'a str,
    pub(super) client_secret: &'a Secret,
    pub(super) proof: ClientProof,
}

/// The endpoint's answer. It has no `Debug`, because all of it is secret.
pub(super) struct Tokens {
    pub(super) access_token: Option<String>,
    pub(super) id_token: Option<String>,
}

/// # Errors
/// If the endpoint does not answer, refuses (with any status: GitHub refuses with 200), or does not answer
/// with an object.
pub(super) async fn redeem(
    client: &Client,
    endpoint: &TokenEndpoint<'_>,
    grant: Grant<'_>,
) -> Result<Tokens> {
    let response = client.fetch(request(endpoint, grant)?, endpoint.policy).await;
    let response = response.map_err(|error| answer::about(WHAT, error.into()))?;
    let document = answer::parse(WHAT, &response).and_then(|value| answer::object(WHAT, value));
    if let Ok(document) = &document
        && let Some(error) = answer::text(document, "error")
    {
        return Err(FederationError::refused(error, answer::text(document, "error_description")));
    }
    if response.status != 200 {
        return Err(answer::unexpected(WHAT, &response));
    }
    let mut document = document?;
    Ok(Tokens {
        access_token: take(&mut document, "access_token"),
        id_token: take(&mut document, "id_token"),
    })
}

fn take(document: &mut Document, name: &str) -> Option<String> {
    match document.remove(name)? {
        serde_json::Value::String(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

fn request(endpoint: &TokenEndpoint<'_>, grant: Grant<'_>) -> Result<Request> {
    let secret = String::from_utf8_lossy(endpoint.client_secret.bytes());
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", grant.code),
        ("redirect_uri", grant.redirect_uri),
        ("code_verifier", grant.pkce_verifier),
    ];
    if endpoint.proof == ClientProof::Post {
        fields.extend([("client_id", endpoint.client_id), ("client_secret", secret.as_ref())]);
        return Ok(Request::post_form(endpoint.url, &fields));
    }
    let encoded = |text: &str| -> String { url::form_urlencoded::byte_serialize(text.as_bytes()).collect() };
    let pair = format!("{}:{}", encoded(endpoint.client_id), encoded(&secret));
    let request = Request::post_form(endpoint.url, &fields);
    Ok(request.secret_header(AUTHORIZATION, &format!("Basic {}", BASE64_STANDARD.encode(pair)))?)
}
