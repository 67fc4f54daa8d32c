//! Log entries as a file.

pub mod http;
