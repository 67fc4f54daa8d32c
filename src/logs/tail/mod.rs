//! Log entries as they come in.

pub mod http;
