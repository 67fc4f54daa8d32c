//! Layers around every request: security headers, the origin rule, CORS, panics.

use super::client::Peer;
use super::credential::Credential;
use crate::config::BaseUrl;
use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::{
    Extensions, HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Version, header,
};
use axum::middleware::Next;
use axum::response::IntoResponse;
use percent_encoding::percent_decode_str;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

/// The server's own origins, and the origins whose pages may use its API with the cookie.
#[derive(Clone)]
pub struct Origins {
    /// Whether the API is reached through https.
    pub https: bool,
    pub allowed: Arc<[BaseUrl]>,
}

/// How long a browser may remember a preflight's answer.
const PREFLIGHT_AGE: Duration = Duration::from_hours(1);

/// Answers below this size, in bytes, fit in one packet anyway.
const COMPRESSED_MIN: u64 = 1_024;

/// The headers of a refusal that a script of another origin may read.
const LIMIT_HEADERS: [HeaderName; 4] = [
    header::RETRY_AFTER,
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
];

/// Our pages load nothing from elsewhere, run no inline script and cannot be framed. Style attributes are
/// allowed, style elements only with a nonce. What they frame is the document of the replay player.
macro_rules! policy {
    ($styles:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; style-src 'self'",
            $styles,
            "; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'; \
             frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'"
        )
    };
}

const POLICY: &str = policy!("");

/// For everything that is not a page. A browser applies it only when somebody opens such a response directly, and
/// then nothing may run. It is sent with every file and answer that a page needs, so it is short.
const BARE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The policy of a page whose style elements carry `nonce`.
pub(crate) fn policy_with(nonce: &str) -> String {
    format!(policy!(" 'nonce-{}'"), nonce)
}

/// A browser that used https once uses nothing else for a year. This covers only the instance's own host
/// name: subdomains may belong to others.
const TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Compresses JSON of the dashboard to a seventh of its size. Uses the fastest level: a higher one would cost
/// more than it saves. Streams are not compressed, because a compressor holds data back.
pub(crate) fn compression() -> CompressionLayer<impl Predicate> {
    let is_json = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
    };
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(COMPRESSED_MIN).and(is_json))
}

/// Adds the headers of every response.
pub(crate) async fn security_headers(
    State(origins): State<Origins>,
    request: Request,
    next: Next,
) -> Response<axum::body::Body> {
    const HEADERS: [(HeaderName, &str); 4] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    let path = request.uri().path();
    // Most answers are for one person; those that may be cached say so themselves.
    let is_private = path.starts_with("/api/") || path.starts_with("/auth/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    let is_page =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let policy = HeaderValue::from_static(if is_page { POLICY } else { BARE_POLICY });
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    if is_private {
        headers.entry(header::CACHE_CONTROL).or_insert(NO_STORE);
    }
    if origins.https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, TRANSPORT);
    }
    response
}

/// Logs every request at debug level. Queries are left out, because links have tokens in them.
pub(crate) async fn log(request: Request, next: Next) -> Response<axum::body::Body> {
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return next.run(request).await;
    }
    let (method, path, start) = (request.method().clone(), request.uri().path().to_owned(), Instant::now());
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let response = next.run(request).await;
    let (status, ms) = (response.status().as_u16(), start.elapsed().as_millis() as u64);
    let peer = peer.as_ref().map(tracing::field::display);
    tracing::debug!(%method, path, status, ms, peer, "answered");
    response
}

/// Refuses a path whose escapes are not UTF-8: nothing can have that name.
pub(crate) async fn readable_path(request: Request, next: Next) -> Response<axum::body::Body> {
    if percent_decode_str(request.uri().path()).decode_utf8().is_err() {
        return super::fallback::no_such_route();
    }
    next.run(request).await
}

/// Cookie-authenticated unsafe methods need an allowed `Origin` or a same-origin `Sec-Fetch-Site`. Browsers
/// never send a Bearer token on their own, so it needs neither.
pub(crate) async fn origin_rule(
    State(origins): State<Origins>,
    request: Request,
    next: Next,
) -> Response<axum::body::Body> {
    let headers = request.headers();
    let by_cookie = matches!(Credential::of(headers, origins.https), Ok(Credential::Cookie(_)));
    // A sign-in sets a cookie, so a foreign page must not be able to post one, either.
    let sensitive = by_cookie || request.uri().path().starts_with("/auth/");
    if sensitive && !request.method().is_safe() && !same_origin(&origins, &request, by_cookie) {
        let text = "This request comes from another site and was refused. Send it from this site, or with \
                    `Authorization: Bearer <token>`.";
        return Error::forbidden(text).into_response();
    }
    next.run(request).await
}

fn same_origin(origins: &Origins, request: &Request, required: bool) -> bool {
    let text = |name: HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let fetch_site = text(HeaderName::from_static("sec-fetch-site"));
    match text(header::ORIGIN) {
        _ if fetch_site == Some("same-origin") => true,
        Some(origin) => origins.allowed.iter().any(|allowed| allowed.as_str() == origin),
        // Not a browser of the last decade: allowed only if no cookie is involved.
        None => !required && fetch_site.is_none(),
    }
}

/// CORS for ingestion: any origin, without credentials.
pub(crate) fn open_cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(LIMIT_HEADERS)
        .max_age(PREFLIGHT_AGE)
}

/// CORS for the dashboard API: its own pages and `CORS_ALLOW_ORIGINS`, with credentials.
pub(crate) fn dashboard_cors(origins: &Origins) -> CorsLayer {
    let allowed = origins.allowed.iter();
    let origins = allowed.filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::PUT, Method::DELETE])
        .allow_headers([
            header::CONTENT_TYPE,
            header::AUTHORIZATION,
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static("x-organization-id"),
        ])
        .expose_headers(LIMIT_HEADERS)
        .max_age(PREFLIGHT_AGE)
}
