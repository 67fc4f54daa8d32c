//! The HTTP shell around the concepts: the accept loop, layers, bodies, extractors, errors.

pub mod body;
pub mod client;
pub mod credential;
mod error;
pub mod extract;
pub(crate) mod fallback;
pub mod layers;
pub mod quota;
pub mod server;
pub mod shape;

use axum::http::{HeaderName, HeaderValue, header};

/// The largest `offset` of a list.
pub const OFFSET_MAX: u64 = 1_000_000;

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Headers of an event stream, so that nothing between here and the browser buffers it.
pub(crate) const STREAM_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
];
