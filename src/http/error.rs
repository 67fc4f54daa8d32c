//! Turns domain errors into responses: status and headers, with the cause only in the log. The layer of the
//! route group ([`super::shape`]) writes the body; it finds the error in the response's extensions.

use crate::error::Error;
use crate::time::{SECOND, Timestamp};
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use std::sync::Arc;

/// Seconds after which to try an overloaded server again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// The error of a response, in its extensions until the body is written.
#[derive(Debug, Clone)]
pub(super) struct Cause(pub(super) Arc<Error>);

impl IntoResponse for Error {
    fn into_response(self) -> Response<Body> {
        let status = status(&self);
        match &self {
            Self::Internal(cause) => tracing::error!(error = %cause, "a request failed"),
            Self::Unavailable { cause: Some(cause), .. } => {
                tracing::warn!(error = %cause, "a request was refused")
            }
            _ => {}
        }
        let mut response = status.into_response();
        let headers = response.headers_mut();
        if let Self::TooMany { retry_after, quota, .. } = &self {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(*retry_after));
            if let Some(quota) = quota {
                let reset = Timestamp::now().millis() / SECOND + i64::from(*retry_after);
                headers.insert("x-ratelimit-limit", HeaderValue::from(quota.limit));
                headers.insert("x-ratelimit-remaining", HeaderValue::from(quota.remaining));
                headers.insert("x-ratelimit-reset", HeaderValue::from(reset));
            }
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Cause(Arc::new(self)));
        response
    }
}

fn status(error: &Error) -> StatusCode {
    match error {
        Error::Malformed(_) => StatusCode::BAD_REQUEST,
        Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
        Error::Forbidden(_) => StatusCode::FORBIDDEN,
        Error::NotFound(_) => StatusCode::NOT_FOUND,
        Error::NotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
        Error::Conflict(_) => StatusCode::CONFLICT,
        Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Error::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        Error::Unsupported(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Error::Unavailable { .. } | Error::NoRoom(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
