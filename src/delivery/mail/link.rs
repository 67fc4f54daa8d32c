//! The only addresses that mails name.

use crate::config::BaseUrl;
use crate::error::{Error, Result};

/// An address of this instance's Web app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    /// `path` begins with `/` and is visible ASCII, such as `/register?token=…`.
    ///
    /// # Errors
    /// Internal if it is anything else: a link must not lead elsewhere.
    pub fn new(frontend: &BaseUrl, path: &str) -> Result<Self> {
        let is_local = path.starts_with('/') && !path.starts_with("//");
        if is_local && path.chars().all(|c| c.is_ascii_graphic() && c != '\\') {
            return Ok(Self(format!("{frontend}{path}")));
        }
        Err(Error::internal("a link in a mail is not a path of the Web app"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
