//! JSON documents from providers.

use super::{FederationError, Result};
use crate::outbound::{Client, Policy, Request, Response};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::{Map, Value};

pub(super) type Document = Map<String, Value>;

/// Fetches a document, with a token if one is given. `what` names the document in messages.
pub(super) async fn get(
    client: &Client,
    policy: Policy,
    url: &str,
    token: Option<&str>,
    what: &str,
) -> Result<Value> {
    let mut request = Request::get(url);
    if let Some(token) = token {
        request = request.secret_header(AUTHORIZATION, &format!("Bearer {token}"))?;
    }
    let response = client.fetch(request, policy).await.map_err(|error| about(what, error.into()))?;
    if response.status != 200 {
        return Err(unexpected(what, &response));
    }
    parse(what, &response)
}

/// Like [`get`], but the document has to be an object.
pub(super) async fn get_object(
    client: &Client,
    policy: Policy,
    url: &str,
    token: Option<&str>,
    what: &str,
) -> Result<Document> {
    object(what, get(client, policy, url, token, what).await?)
}

pub(super) fn object(what: &str, value: Value) -> Result<Document> {
    match value {
        Value::Object(document) => Ok(document),
        _ => Err(FederationError::invalid(format!("{what}: expected a JSON object"))),
    }
}

/// # Errors
/// If it is not JSON. The message names its content type and repeats nothing of its content.
pub(super) fn parse(what: &str, response: &Response) -> Result<Value> {
    serde_json::from_slice(&response.body).map_err(|_| {
        let kind = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = crate::text::shown(kind.unwrap_or("no content type"), 100);
        FederationError::invalid(format!("{what}: expected JSON, got {kind}"))
    })
}

/// The error for an unexpected status.
pub(super) fn unexpected(what: &str, response: &Response) -> FederationError {
    let text = format!("{what}: the answer is {}", response.status);
    if response.status.is_server_error() {
        FederationError::Unreachable(text)
    } else {
        FederationError::InvalidAnswer(text)
    }
}

/// The same error, with the name of the document added.
pub(super) fn about(what: &str, error: FederationError) -> FederationError {
    match error {
        FederationError::Unreachable(text) => FederationError::Unreachable(format!("{what}: {text}")),
        FederationError::InvalidAnswer(text) => FederationError::InvalidAnswer(format!("{what}: {text}")),
        refused @ FederationError::ProviderRefused { .. } => refused,
    }
}

/// A member that is a non-empty string.
pub(super) fn text<'a>(document: &'a Document, name: &str) -> Option<&'a str> {
    document.get(name)?.as_str().filter(|text| !text.is_empty())
}
