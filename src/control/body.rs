//! The body of a command.

use crate::error::{Error, Result};
use crate::http::extract::parse_json;
use axum::body::Bytes;
use axum::extract::FromRequest;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// How long a request's head, and its body, may take to arrive.
pub(super) const ARRIVES: Duration = Duration::from_secs(2);

/// The JSON of a command.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self> {
        let late = |_| Error::malformed(format!("The command did not arrive within {} s", ARRIVES.as_secs()));
        let bytes = tokio::time::timeout(ARRIVES, Bytes::from_request(request, state)).await.map_err(late)?;
        parse_json(&bytes.map_err(|rejection| Error::malformed(rejection.body_text()))?).map(Self)
    }
}
