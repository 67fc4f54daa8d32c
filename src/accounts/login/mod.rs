//! Signing in with a password, changing it, and what to do when it is forgotten.

pub mod http;
mod mail;
pub mod sql;
