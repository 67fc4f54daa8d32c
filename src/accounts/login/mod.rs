//! Signing in with a password, changing it, and what to do when it is forgotten.

pub mod http;
pub mod service;
pub mod sql;
