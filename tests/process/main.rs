//! The process as its operator sees it: killed, stopped, started twice, configured wrongly.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod configuration;
mod journal;
mod kill;
mod lock;
mod sign_ins;
mod stop;
mod usage;
