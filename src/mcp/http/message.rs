//! Refuses invalid messages before they reach the protocol's crate.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError};
use serde_json::Value;

/// A refusal in the protocol's format. It has no id, because it does not answer a particular message.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: ErrorCode,
    pub(super) text: String,
}

impl Refusal {
    fn new(status: StatusCode, code: ErrorCode, text: impl Into<String>) -> Self {
        Self { status, code, text: text.into() }
    }

    pub(super) fn into_response(self) -> Response {
        let error = JsonRpcError::new(None, ErrorData::new(self.code, self.text, None));
        let body = serde_json::to_vec(&error).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// # Errors
/// 406 if the caller does not accept JSON, 400 if the body is not a message.
pub(super) fn check(headers: &HeaderMap, bytes: &[u8]) -> Result<(), Refusal> {
    if !accepts_json(headers) {
        let text = "Accept: expected application/json and text/event-stream";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, ErrorCode::INVALID_REQUEST, text));
    }
    let bad = |code, text: String| Err(Refusal::new(StatusCode::BAD_REQUEST, code, text));
    let message: Value = match serde_json::from_slice(bytes) {
        Ok(message) => message,
        Err(error) => return bad(ErrorCode::PARSE_ERROR, format!("The body is not JSON: {error}")),
    };
    if message.is_array() {
        return bad(
            ErrorCode::INVALID_REQUEST,
            "Batches are not part of the protocol: send one message".into(),
        );
    }
    if message["jsonrpc"] != "2.0" {
        return bad(ErrorCode::INVALID_REQUEST, "jsonrpc: expected \"2.0\" in an object".into());
    }
    if !message["method"].is_string() {
        return bad(
            ErrorCode::INVALID_REQUEST,
            "method: expected text; only requests and notifications".into(),
        );
    }
    if !matches!(message["id"], Value::Null | Value::Number(_) | Value::String(_)) {
        return bad(ErrorCode::INVALID_REQUEST, "id: expected a number or text".into());
    }
    if !matches!(message["params"], Value::Null | Value::Object(_)) {
        return bad(ErrorCode::INVALID_PARAMS, "params: expected an object".into());
    }
    match message["method"].as_str() {
        Some("tools/call") => check_call(&message["params"]),
        _ => Ok(()),
    }
}

/// # Errors
/// 400 if these are not parameters of a tool call.
fn check_call(params: &Value) -> Result<(), Refusal> {
    let wrong = |text| Err(Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::INVALID_PARAMS, text));
    if !params["name"].is_string() {
        return wrong("params.name: expected the name of a tool");
    }
    if !matches!(params["arguments"], Value::Null | Value::Object(_)) {
        return wrong("params.arguments: expected an object");
    }
    Ok(())
}

/// Whether the caller accepts JSON, which every answer is. A missing header accepts anything.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut given = headers.get_all(header::ACCEPT).iter().peekable();
    if given.peek().is_none() {
        return true;
    }
    given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        ["application/json", "application/*", "*/*"].iter().any(|one| kind.eq_ignore_ascii_case(one))
    })
}
