//! Searches of issues that people keep: for themselves, or shared with everybody in the project.

pub mod http;
mod sql;

use super::activity::Actor;
use super::sort::Sort;
use crate::error::{Error, Result};
use crate::ids::{UserId, ViewId};
use crate::roles::Role;
use crate::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The most views of a person in a project, including shared ones,
pub const OWN_MAX: i64 = 50;
/// and the most shared views in a project.
pub const SHARED_MAX: i64 = 100;
/// How many views at the start of a list get an issue count.
pub const COUNTED: usize = 20;

/// A search that a person keeps.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct View {
    pub id: ViewId,
    pub name: String,
    /// As for the list of issues.
    pub query: String,
    pub sort: Sort,
    /// Whether everybody in the project has it.
    pub shared: bool,
    /// `null` once the account is deleted.
    pub owner: Option<Actor>,
    pub created_at: Timestamp,
    /// How many issues match for who asks; `null` behind the first 20 of a list, or if the query is no longer valid.
    pub issue_count: Option<i64>,
}

/// The content of a view, checked.
#[derive(Debug, Clone)]
struct Saved {
    name: String,
    query: String,
    sort: Sort,
    shared: bool,
}

/// Whether a person may change a view that they can see: only its owner and administrators may.
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
