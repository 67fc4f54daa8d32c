//! Searches of issues that people keep: for themselves, or shared with everybody in the project. Alert rules and automations
//! may be limited to the issues of a shared one.

pub mod http;
pub mod service;
mod sql;

use super::activity::Actor;
use super::sort::Sort;
use super::within::Period;
use crate::error::{Error, Result};
use crate::ids::{UserId, ViewId};
use crate::roles::Role;
use crate::text::shown;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The most views of a person in a project, including shared ones,
pub const OWN_MAX: i64 = 50;
/// and the most shared views in a project.
pub const SHARED_MAX: i64 = 100;
/// How many views at the start of a list get an issue count.
pub const COUNTED: usize = 20;

/// Periods that a view may have: those that the Web app offers.
pub const PERIODS: [&str; 3] = ["24h", "7d", "30d"];

/// A search that a person keeps.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct View {
    pub id: ViewId,
    pub name: String,
    /// As for the list of issues.
    pub query: String,
    pub sort: Sort,
    /// The environment that the list is limited to; `null`: it is not said.
    pub environment: Option<String>,
    /// The period up to now that the list is limited to: `24h`, `7d` or `30d`; `null`: it is not said.
    pub period: Option<String>,
    /// Whether everybody in the project has it.
    pub shared: bool,
    /// `null` once the account is deleted.
    pub owner: Option<Actor>,
    pub created_at: Timestamp,
    /// How many issues match for who asks, in the environment and the period of the view or, where it says none, of the
    /// request; `null` behind the first 20 of a list, if the query is no longer valid, or if no counts are asked for.
    pub issue_count: Option<i64>,
}

/// The content of a view, checked.
#[derive(Debug, Clone)]
struct Saved {
    name: String,
    query: String,
    sort: Sort,
    environment: Option<String>,
    period: Option<String>,
    shared: bool,
}

/// What a list is limited to where a view does not say.
#[derive(Debug, Clone, Default)]
struct ViewDefaults {
    environment: Option<String>,
    period: Option<Period>,
}

/// The period that a view keeps.
///
/// # Errors
/// 422 for one that the Web app does not offer.
fn kept_period(period: Option<&str>) -> Result<Option<Period>> {
    if let Some(got) = period.filter(|period| !PERIODS.contains(period)) {
        let got = shown(got, 64);
        return Err(Error::invalid(format!("period: expected {}, got `{got}`", PERIODS.join(", "))));
    }
    period.map(Period::parse).transpose()
}

/// Whether a person may change a view that they see: its owner may, and administrators.
///
/// # Errors
/// Forbidden to anybody else.
fn check_may_change(view: &View, person: UserId, role: Option<Role>) -> Result<()> {
    let is_own = view.owner.as_ref().is_some_and(|owner| owner.id == person);
    if role.is_some_and(|role| is_own || role >= Role::Admin) {
        return Ok(());
    }
    Err(Error::forbidden("Only its owner or an administrator can change or delete a view."))
}
