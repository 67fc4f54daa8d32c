//! The Web app, as it is served.

pub mod http;
