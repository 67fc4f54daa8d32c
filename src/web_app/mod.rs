//! Serves the Web app.

pub mod http;
