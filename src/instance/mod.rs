//! The instance as a whole: its health and its description.

pub mod http;
