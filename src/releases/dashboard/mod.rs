//! What people see of releases: how they do, what their source maps were used for, what failed to
//! resolve.

pub mod http;
pub mod service;
