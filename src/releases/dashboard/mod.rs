//! Data about releases for people: their health, the use of their source maps, and unresolved frames.

pub mod http;
pub mod service;
