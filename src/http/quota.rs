//! The rate limit of a caller, in the headers of every answer of a group of routes.

use crate::error::Quota;
use crate::time::{SECOND, Timestamp};
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The names of the headers: requests allowed, requests left, and when all are there again (Unix seconds).
pub const HEADERS: [HeaderName; 3] = [
    HeaderName::from_static("x-ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-reset"),
];

/// In the extensions of a request; filled in by the code that counts the request.
#[derive(Debug, Clone, Default)]
pub struct QuotaSlot(Arc<OnceLock<(Quota, Duration)>>);

impl QuotaSlot {
    /// Only the first value is kept.
    pub fn fill(&self, quota: Quota, reset: Duration) {
        let _ = self.0.set((quota, reset));
    }
}

/// Adds the headers to every answer, except for a refusal that already has them.
pub(crate) async fn quota_headers(mut request: Request, next: Next) -> Response {
    let slot = QuotaSlot::default();
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    if let Some((quota, reset)) = slot.0.get() {
        let seconds = i64::try_from(reset.as_secs()).unwrap_or(i64::MAX).saturating_add(1);
        let reset = (Timestamp::now().millis() / SECOND).saturating_add(seconds);
        let values = [i64::from(quota.limit), i64::from(quota.remaining), reset];
        for (name, value) in HEADERS.into_iter().zip(values) {
            response.headers_mut().entry(name).or_insert(HeaderValue::from(value));
        }
    }
    response
}
