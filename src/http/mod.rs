//! The shell around the concepts: the route table, layers, extractors, errors, baked assets.

pub mod assets;
pub mod body;
pub mod callers;
pub mod client;
mod document;
mod error;
pub mod extract;
mod layers;
mod routes;
pub mod server;
mod system;

pub use document::openapi;
pub use routes::router;
pub use system::HealthCheck;

use axum::http::HeaderValue;

/// What a list handler takes: bounded, with a message that names the bound.
pub const OFFSET_MAX: u64 = 1_000_000;

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

#[cfg(test)]
mod tests;
