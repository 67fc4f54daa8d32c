//! The payload of a delivery to an alert channel.

use super::message::Message;
use super::target::{ChannelKind, Target};
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use serde::{Deserialize, Serialize};

/// A message to a channel.
#[derive(Debug, Serialize, Deserialize)]
pub struct Letter {
    pub message: Message,
    pub kind: ChannelKind,
    pub target: Target,
    pub issue: Option<(ProjectId, IssueId)>,
}

impl Letter {
    /// # Errors
    /// Internal, if it cannot be serialized.
    pub fn payload(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(Error::internal)
    }
}
