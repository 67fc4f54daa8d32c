//! The instance as a whole: its health, its description, and its contacts with other servers.

pub mod heartbeat;
pub mod http;
pub mod jobs;
pub mod overview;
pub mod updater;
pub mod updates;

/// The version of this server.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

#[cfg(test)]
mod tests;
