//! The answers of what no route is for.

use crate::error::Error;
use axum::Json as Answer;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// For a known path with another method.
pub(crate) async fn method_not_allowed() -> Response {
    let body = serde_json::json!({ "detail": "This method is not allowed here. See /api/openapi.json." });
    (StatusCode::METHOD_NOT_ALLOWED, Answer(body)).into_response()
}

/// For an API path that does not exist.
pub(crate) fn no_such_route() -> Response {
    Error::not_found("There is no such route. See /api/openapi.json.").into_response()
}
