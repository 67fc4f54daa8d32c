//! Deploys: when and where a release came out.

pub mod http;
pub mod sql;

use super::check_text;
use crate::error::{Error, Result};
use crate::ids::{DeployId, ReleaseId};
use crate::text::shown;
use crate::time::{DAY, HOUR, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Characters; those of an event's environment.
const ENVIRONMENT_MAX: usize = 64;
const NAME_MAX: usize = 128;
const URL_MAX: usize = 2_048;
/// The most deploys of a release.
pub const DEPLOYS_MAX: i64 = 1_000;
/// How far ahead of ours a pipeline's clock may be, in milliseconds.
const AHEAD_MAX: i64 = HOUR;
/// The longest deploy, in milliseconds.
const LONGEST: i64 = 30 * DAY;

/// A release came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Deploy {
    pub id: DeployId,
    pub release_id: ReleaseId,
    /// The release.
    pub version: String,
    pub environment: String,
    pub name: Option<String>,
    /// Of the pipeline, or whatever else shows the deploy.
    pub url: Option<String>,
    pub started_at: Option<Timestamp>,
    pub finished_at: Timestamp,
    pub created_at: Timestamp,
}

/// A deploy to record.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct NewDeploy {
    /// Where to, as events name it: `production`, `staging`. 1 to 64 characters.
    pub environment: Option<String>,
    /// 1 to 128 characters.
    pub name: Option<String>,
    /// `https://…` or `http://…`, up to 2,048 characters.
    pub url: Option<String>,
    pub started_at: Option<Timestamp>,
    /// Default: now.
    pub finished_at: Option<Timestamp>,
}

impl NewDeploy {
    /// The checked deploy, with everything filled in.
    ///
    /// # Errors
    /// 422 naming the field.
    pub fn check(self, now: Timestamp) -> Result<CheckedDeploy> {
        let environment = self.environment.ok_or_else(|| {
            Error::invalid("environment: expected where the release was deployed to, such as `production`")
        })?;
        check_text("environment", &environment, 1, ENVIRONMENT_MAX)?;
        self.name.as_deref().map(|name| check_text("name", name, 1, NAME_MAX)).transpose()?;
        self.url.as_deref().map(check_page).transpose()?;
        let finished_at = self.finished_at.unwrap_or(now);
        let started_at = self.started_at;
        for (field, at) in [("started_at", started_at), ("finished_at", Some(finished_at))] {
            if at.is_some_and(|at| at > now.plus(AHEAD_MAX)) {
                return Err(Error::invalid(format!(
                    "{field}: expected a time that has passed; now it is {now}"
                )));
            }
        }
        if started_at.is_some_and(|start| start > finished_at || finished_at > start.plus(LONGEST)) {
            return Err(Error::invalid("finished_at: expected a time after started_at, by at most 30 days"));
        }
        Ok(CheckedDeploy { environment, name: self.name, url: self.url, started_at, finished_at })
    }
}

/// A deploy that may be stored.
#[derive(Debug, Clone)]
pub struct CheckedDeploy {
    pub environment: String,
    pub name: Option<String>,
    pub url: Option<String>,
    pub started_at: Option<Timestamp>,
    pub finished_at: Timestamp,
}

/// An address that a page may link to.
fn check_page(url: &str) -> Result<()> {
    check_text("url", url, 1, URL_MAX)?;
    let is_page = ["https://", "http://"].iter().any(|scheme| {
        url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && url.len() > scheme.len()
    });
    if is_page && !url.contains(char::is_whitespace) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "url: expected an address with https:// or http://, got `{}`",
        shown(url, 64)
    )))
}

/// The filters of a project's deploys.
#[derive(Debug, Clone, Default)]
pub struct DeployFilter {
    /// Finished at or after.
    pub since: Option<Timestamp>,
    pub environment: Option<String>,
}

#[cfg(test)]
mod tests;
