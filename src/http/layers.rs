//! Around every request: security headers, the origin rule, cross-origin answers, panics.

use super::callers::Credential;
use crate::app::App;
use crate::config::BaseUrl;
use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, Response, header};
use axum::middleware::Next;
use axum::response::IntoResponse;
use percent_encoding::percent_decode_str;
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

/// How long a browser may remember a preflight's answer.
const PREFLIGHT_AGE: Duration = Duration::from_hours(1);

/// What a script of another origin may read of a refusal.
const LIMIT_HEADERS: [HeaderName; 4] = [
    header::RETRY_AFTER,
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
];

/// No page of ours loads anything from elsewhere, runs inline script or is framed. Style attributes
/// are let through, style elements only by a nonce.
macro_rules! policy {
    ($styles:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; style-src 'self'",
            $styles,
            "; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'; \
             frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'"
        )
    };
}

const POLICY: &str = policy!("");

/// The policy of a page whose style elements carry `nonce`.
pub(super) fn policy_with(nonce: &str) -> String {
    format!(policy!(" 'nonce-{}'"), nonce)
}

/// Headers of every response.
pub(super) async fn security_headers(request: Request, next: Next) -> Response<axum::body::Body> {
    const HEADERS: [(HeaderName, &str); 5] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A path whose escapes are no UTF-8 names nothing that there could be.
pub(super) async fn readable_path(request: Request, next: Next) -> Response<axum::body::Body> {
    if percent_decode_str(request.uri().path()).decode_utf8().is_err() {
        return super::system::no_such_route();
    }
    next.run(request).await
}

/// Cookie-authenticated unsafe methods need an allowed `Origin` or a same-origin `Sec-Fetch-Site`.
/// A Bearer token is sent by nobody's browser unasked, so it needs none.
pub(super) async fn origin_rule(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response<axum::body::Body> {
    let headers = request.headers();
    let by_cookie =
        matches!(Credential::of(headers, app.addresses.api.is_https()), Ok(Credential::Cookie(_)));
    // A sign-in makes a cookie, so a foreign page must not post one either.
    let sensitive = by_cookie || request.uri().path().starts_with("/auth/");
    if sensitive && !request.method().is_safe() && !same_origin(&app, &request, by_cookie) {
        let text = "This request comes from another site and was refused. Send it from this site, or with \
                    `Authorization: Bearer <token>`.";
        return Error::forbidden(text).into_response();
    }
    next.run(request).await
}

fn same_origin(app: &App, request: &Request, required: bool) -> bool {
    let text = |name: HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let fetch_site = text(HeaderName::from_static("sec-fetch-site"));
    match text(header::ORIGIN) {
        _ if fetch_site == Some("same-origin") => true,
        Some(origin) => allowed_origins(app).any(|allowed| allowed.as_str() == origin),
        // Not a browser of the last decade: only where no cookie is at stake.
        None => !required && fetch_site.is_none(),
    }
}

fn allowed_origins(app: &App) -> impl Iterator<Item = &BaseUrl> {
    [&app.addresses.frontend, &app.addresses.api].into_iter().chain(&app.config.cors_allow_origins)
}

/// Ingestion answers anybody, without credentials.
pub(super) fn open_cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(LIMIT_HEADERS)
        .max_age(PREFLIGHT_AGE)
}

/// The dashboard API answers its own pages and `CORS_ALLOW_ORIGINS`, with credentials.
pub(super) fn dashboard_cors(app: &App) -> CorsLayer {
    let origins = allowed_origins(app).filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::PUT, Method::DELETE])
        .allow_headers([
            header::CONTENT_TYPE,
            header::AUTHORIZATION,
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers(LIMIT_HEADERS)
        .max_age(PREFLIGHT_AGE)
}

/// A panic in a handler is a fault of ours: the log has it, the caller gets a plain 500.
pub(super) fn on_panic(panic: Box<dyn std::any::Any + Send>) -> Response<axum::body::Body> {
    let text = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without text".to_owned());
    Error::internal(text).into_response()
}
