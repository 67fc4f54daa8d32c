//! What became of pull requests, as code hosts tell who are asked.

use crate::time::Timestamp;

/// Characters of an account's name at a code host.
pub const BY_MAX: usize = 100;

/// What a code host says of a pull request, or a merge request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullRequestState {
    Open,
    Merged {
        at: Option<Timestamp>,
    },
    /// Without having been merged.
    Closed {
        at: Option<Timestamp>,
        /// Whoever did it, as far as the host says so.
        by: Option<String>,
    },
}

impl PullRequestState {
    /// When it was merged or closed, if the host says so.
    pub fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Open => None,
            Self::Merged { at } | Self::Closed { at, .. } => *at,
        }
    }
}
