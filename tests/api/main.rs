//! Black-box tests of the HTTP API: the built binary, real requests. One folder a resource, one
//! file a verb or concern; a test's name is the behaviour it holds the server to.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod account;
mod alerts;
mod auth;
mod cli;
mod connections;
mod disk;
mod errors;
mod events;
mod hostile;
mod issues;
mod keys;
mod live;
mod logs;
mod mcp;
mod metrics;
mod notifications;
mod openapi;
mod organizations;
mod platform;
mod projects;
mod releases;
mod replays;
mod retention;
mod server;
mod set_aside;
mod sourcemaps;
mod usage;
