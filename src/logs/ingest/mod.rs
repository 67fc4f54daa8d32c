//! Log entries in.

pub mod http;
