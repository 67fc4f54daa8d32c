//! The instance as a whole: how it is doing, and what it is.

pub mod http;
