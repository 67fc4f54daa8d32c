//! Projects, their settings and their keys.

pub mod high_value;
pub mod http;
pub mod jobs;
pub mod key;
pub mod service;
pub mod sql;

pub use key::Scope;

use crate::error::{Error, Result};
use crate::ids::{KeyId, OrganizationId, ProjectId, RepositoryId, UserId};
use crate::retention::RetentionSettings;
use crate::scrubbing::Scrubbing;
use crate::time::Timestamp;
use high_value::HighValueAccounts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Random characters of a key, 190 bits.
const KEY_LENGTH: usize = 32;
/// Random characters of a key kept for display.
const KEY_SHOWN: usize = 4;
/// The longest platform name, in characters.
pub const PLATFORM_MAX: usize = 64;
/// Characters of a key's environment.
pub const ENVIRONMENT_MAX: usize = 16;
/// The most valid keys of a project.
pub const KEYS_MAX: i64 = 200;

/// A project.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Project {
    pub id: ProjectId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub slug: String,
    /// The platform of its code, such as `javascript`; free text.
    pub platform: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub settings: Settings,
    /// The repositories that its code is in, the first one first.
    pub repositories: Vec<RepositoryId>,
    /// Accepted events that could not be digested and await an administrator, at most 1,000.
    pub set_aside: i64,
}

/// What a project decides about its data.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What is removed from events before anything is stored.
    pub scrubbing: Scrubbing,
    /// How long events and log entries are kept.
    pub retention: RetentionSettings,
    /// Which accounts matter so much that their issues stand out.
    pub high_value: HighValueAccounts,
}

impl Settings {
    /// The settings, with those in `change` replaced.
    ///
    /// # Errors
    /// 422 naming the invalid setting.
    pub fn merged(&self, change: &serde_json::Value) -> Result<Self> {
        let mut all = serde_json::to_value(self).map_err(Error::internal)?;
        merge(&mut all, change);
        let merged: Self = serde_path_to_error::deserialize(&all)
            .map_err(|error| Error::invalid(format!("settings.{error}")))?;
        merged.check()?;
        Ok(merged)
    }

    /// # Errors
    /// 422 naming the invalid setting.
    pub fn check(&self) -> Result<()> {
        self.scrubbing.check()?;
        self.retention.check()?;
        self.high_value.check()
    }
}

/// Merges objects field by field; everything else is replaced.
fn merge(all: &mut serde_json::Value, change: &serde_json::Value) {
    match (all.as_object_mut(), change.as_object()) {
        (Some(fields), Some(changes)) => {
            for (name, change) in changes {
                merge(fields.entry(name).or_insert(serde_json::Value::Null), change);
            }
        }
        _ => *all = change.clone(),
    }
}

/// A project key's record.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Key {
    pub id: KeyId,
    pub project_id: ProjectId,
    pub name: String,
    /// The key up to four characters of its random part.
    pub prefix: String,
    pub scopes: Vec<Scope>,
    pub environment: Option<String>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Generates a key: `pk_<random>`, or `pk_<environment>_<random>`.
pub fn new_key(environment: Option<&str>) -> String {
    let random = crate::crypto::token::random_base62(KEY_LENGTH);
    match environment {
        Some(environment) => format!("pk_{environment}_{random}"),
        None => format!("pk_{random}"),
    }
}

/// The part of a key that is kept for display.
pub fn shown_part(key: &str) -> &str {
    &key[..(key.len() + KEY_SHOWN).saturating_sub(KEY_LENGTH)]
}

/// # Errors
/// If it is not 1 to 16 of a-z, 0-9 and `-`, since it becomes part of the key.
pub fn check_environment(environment: &str) -> Result<()> {
    let good = (1..=ENVIRONMENT_MAX).contains(&environment.len())
        && environment.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if good {
        return Ok(());
    }
    Err(Error::invalid(format!("environment: expected 1 to {ENVIRONMENT_MAX} of a-z, 0-9 and `-`")))
}

/// The short id of an issue, such as `SHOP-12`.
pub fn issue_short_id(slug: &str, number: i64) -> String {
    format!("{}-{number}", issue_prefix(slug))
}

/// The part of an issue's short id before the number: letters and digits of the slug, upper case.
pub fn issue_prefix(slug: &str) -> String {
    slug.chars().filter(char::is_ascii_alphanumeric).take(16).collect::<String>().to_ascii_uppercase()
}
