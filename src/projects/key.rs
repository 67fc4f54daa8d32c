//! Project keys: what they may do, and the record of a valid one.

use crate::error::{Error, Result};
use crate::ids::{KeyId, OrganizationId, ProjectId};
use crate::scrubbing::Scrubber;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// What a project key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Send errors, logs and replays.
    Ingest,
    /// Create, read, fill, finalize and delete releases.
    Releases,
    /// Read the project.
    Read,
}

impl Scope {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Releases => "releases",
            Self::Read => "read",
        }
    }

    /// The stored form: comma-separated.
    pub fn join(scopes: &[Self]) -> String {
        scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(",")
    }

    pub fn split(stored: &str) -> Vec<Self> {
        let known = [Self::Ingest, Self::Releases, Self::Read];
        stored.split(',').filter_map(|name| known.into_iter().find(|scope| scope.as_str() == name)).collect()
    }
}

/// A valid key and its project.
#[derive(Debug)]
pub struct ValidKey {
    pub id: KeyId,
    pub project: ProjectId,
    pub organization: OrganizationId,
    pub scopes: Vec<Scope>,
    pub environment: Option<String>,
    pub scrubber: Arc<Scrubber>,
}

impl ValidKey {
    /// # Errors
    /// Forbidden if the key has none of `scopes`.
    pub fn require(&self, scopes: &[Scope]) -> Result<()> {
        if scopes.iter().any(|scope| self.scopes.contains(scope)) {
            return Ok(());
        }
        Err(Error::forbidden(match scopes {
            [] => "A project key cannot do this: sign in.".to_owned(),
            _ => format!(
                "This key has the scopes {}, but {} is required. Create a key with that scope in the project's settings.",
                Scope::join(&self.scopes),
                scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ")
            ),
        }))
    }
}
