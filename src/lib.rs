//! Mayday: error monitoring and agent automation in one binary.
//!
//! The path of an event: a client posts it ([`intake`]); it is checked, cut to its limits, scrubbed and
//! written to a journal, and only then answered. A thread ([`digest`]) reads the journal in order, parses
//! each event's stack, resolves the frames through the release's source maps ([`releases`]), groups the event
//! into an issue ([`issues`]) and applies all of that to `main.db` in one transaction. People read it
//! ([`events`], [`issues`]) through [`http`], and see changes live ([`live`]). The stores are in
//! [`mod@store`]; [`server`] starts and stops everything.

pub mod cli;
pub mod routes;
pub mod server;
pub mod state;

pub mod access;
pub mod control;

pub mod digest;
pub mod intake;
pub mod jobs;

pub mod accounts;
pub mod alerts;
pub mod audit;
pub mod automations;
pub mod backup;
pub mod connections;
pub mod context;
pub mod deliveries;
pub mod events;
pub mod gateway;
pub mod instance;
pub mod issues;
pub mod logs;
pub mod notifications;
pub mod organizations;
pub mod projects;
pub mod releases;
pub mod replays;
pub mod repositories;
pub mod retention;
pub mod runners;
pub mod sessions;
pub mod set_aside;
pub mod signals;
pub mod tickets;
pub mod usage;
pub mod web_app;

pub mod delivery;
pub mod grouping;
pub mod live;
pub mod outbound;
pub mod scrubbing;
pub mod search;
pub mod symbolication;

pub mod event;
pub mod http;
pub mod wire;

pub mod cache;
pub mod config;
pub mod crypto;
pub mod error;
#[cfg(any(debug_assertions, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod ids;
pub mod mcp;
pub mod metrics;
pub mod rate;
pub mod roles;
pub mod sabotage;
pub mod store;
pub mod text;
pub mod time;
pub mod version;
