//! What the handlers for issues share.

use super::texts::Texts;
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::live::{Changes, Hub};
use crate::store::{Main, Transaction};
use std::sync::Arc;

/// Issues and their watchers.
#[derive(Clone)]
pub struct IssueService {
    pub main: Main,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
}

impl IssueService {
    /// Runs a write that returns what it changed in a project, then tells the project's watchers. Both
    /// complete even if the caller disconnects.
    pub async fn write_and_tell<T, F>(&self, project: ProjectId, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<(T, Changes)> + Send + 'static,
    {
        let issues = self.clone();
        let work = async move {
            let (written, changes) = issues.main.write(write).await?;
            issues.live.publish(project, &changes);
            Ok(written)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }
}
