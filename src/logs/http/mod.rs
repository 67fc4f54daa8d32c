//! The routes of logs: entries in, and the ways to read them.

pub mod correlation;
pub mod export;
pub mod ingest;
pub mod overview;
pub mod search;
pub mod tail;
