//! The answers for requests that match no route.

use crate::error::Error;
use axum::response::{IntoResponse, Response};

/// The answer for a known path with another method.
pub(crate) async fn method_not_allowed() -> Error {
    Error::not_allowed("This method is not allowed here. See /api/openapi.json.")
}

/// The answer for an API path that does not exist.
pub(crate) fn no_such_route() -> Response {
    Error::not_found("There is no such route. See /api/openapi.json.").into_response()
}
