//! Where the desktop client finds the manifest of its next version: the one for the version that this server pins, or
//! the newest one if that does not exist.

pub mod http;
pub mod service;

use crate::config::Config;

/// The addresses of the two manifests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifests {
    /// Of the pinned version.
    pub pinned: String,
    pub newest: String,
}

impl Manifests {
    /// `None` without `SERVICE_DESKTOP_RELEASES_URL`.
    pub fn of(config: &Config) -> Option<Self> {
        let base = config.desktop_releases_url.as_ref()?;
        let version = config.versions.desktop.as_deref().unwrap_or(super::VERSION);
        Some(Self {
            pinned: format!("{base}/desktop/stable/{version}/latest.json"),
            newest: format!("{base}/desktop/stable/latest.json"),
        })
    }
}

#[cfg(test)]
mod tests;
