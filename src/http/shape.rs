//! Writes the bodies of refusals. Code that refuses returns an [`Error`]; each group of routes has a layer
//! that writes the body in the group's own shape, whatever the error came from: a handler, an extractor, a
//! panic, or an unknown path or method.

use super::JSON;
use super::error::Cause;
use crate::error::Error;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, map_response};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use std::any::Any;
use tower_http::catch_panic::CatchPanicLayer;

/// How the routes of a group report why they refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{"detail": string}`: `/api/v1` and `/auth`.
    Detail,
    /// `{"error": string, "code": string}`: the platform API, `/api` without a version.
    Platform,
    /// The text alone, for protocols that are not ours.
    Plain,
}

impl Shape {
    /// The shape for a path that does not belong to a group.
    fn of_path(path: &str) -> Self {
        let is_under = |root: &str| {
            path.strip_prefix(root).is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'/', ..]))
        };
        if is_under("/api") && !is_under("/api/v1") { Self::Platform } else { Self::Detail }
    }

    /// Writes the body of a refusal that has none yet.
    fn write(self, mut response: Response) -> Response {
        let Some(Cause(error)) = response.extensions_mut().remove() else { return response };
        let (kind, body) = match self {
            Self::Detail => (JSON, json!({ "detail": error.to_string() }).to_string()),
            Self::Platform => {
                let body = json!({ "error": error.to_string(), "code": Code::of(&error) });
                (JSON, body.to_string())
            }
            Self::Plain => (HeaderValue::from_static("text/plain; charset=utf-8"), error.to_string()),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, kind);
        // The length of the empty body, if it is set.
        headers.remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from(body);
        response
    }
}

/// The reason in a word for programs: the `code` of the platform API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Code {
    Validation,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    Unsupported,
    RateLimited,
    Unavailable,
    Internal,
}

impl Code {
    fn of(error: &Error) -> Self {
        match error {
            Error::Malformed(_) | Error::Invalid(_) => Self::Validation,
            Error::Unauthenticated(_) => Self::Unauthorized,
            Error::Forbidden(_) => Self::Forbidden,
            Error::NotFound(_) => Self::NotFound,
            Error::NotAllowed(_) => Self::MethodNotAllowed,
            Error::Conflict(_) => Self::Conflict,
            Error::TooLarge(_) => Self::TooLarge,
            Error::Unsupported(_) => Self::Unsupported,
            Error::TooMany { .. } => Self::RateLimited,
            Error::Unavailable { .. } | Error::NoRoom(_) => Self::Unavailable,
            Error::Internal(_) => Self::Internal,
        }
    }
}

/// Routes whose refusals have `shape`. `not_allowed` answers methods that a path does not support.
pub fn shaped<S, H, T>(routes: Router<S>, shape: Shape, not_allowed: H) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    H: Handler<T, S>,
    T: 'static,
{
    routes
        .method_not_allowed_fallback(not_allowed)
        .layer(CatchPanicLayer::custom(on_panic))
        .layer(map_response(move |response: Response| async move { shape.write(response) }))
}

/// Gives refusals from outside all groups the shape for their path.
pub async fn by_path(request: Request, next: Next) -> Response {
    let shape = Shape::of_path(request.uri().path());
    shape.write(next.run(request).await)
}

/// Handles a panic: it is logged, and the caller gets a plain 500.
pub fn on_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without text".to_owned());
    Error::internal(text).into_response()
}

#[cfg(test)]
mod tests;
