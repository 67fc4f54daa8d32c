//! What people see of releases: their health, the use of their source maps, and what failed to resolve.

pub mod http;
pub mod service;
