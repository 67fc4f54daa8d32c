//! Views that alert rules and automations use: which issues they have, and what keeps a view from being changed or deleted.

use super::{Saved, sql};
use crate::alerts::sql::rules;
use crate::automations::sql::triggers;
use crate::error::{Error, Result};
use crate::ids::{ProjectId, ViewId};
use crate::issues::sql::Filter;
use crate::store::{Connection, Transaction};

/// How many of those that use a view are named to whoever wants to delete it.
const NAMED_MAX: usize = 5;

/// Adds to a filter what a shared view of its project asks: the query and the environment, and neither the period nor the
/// order. `false` if the project shares no such view.
///
/// # Errors
/// 422 if the view asks for what only a person can, such as `is:mine`; storage trouble.
pub fn narrow(c: &Connection, filter: &mut Filter, id: ViewId) -> Result<bool> {
    let Some(view) = sql::shared(c, filter.project(), id)? else { return Ok(false) };
    filter.query(&view.query, None)?;
    if let Some(environment) = &view.environment {
        filter.field(false, "environment", environment, None)?;
    }
    Ok(true)
}

/// Checks a view that a rule or a trigger names in a field.
///
/// # Errors
/// 422 if the project shares no such view, or if it asks for what only a person can.
pub fn check_named(c: &Connection, project: ProjectId, id: ViewId, field: &str) -> Result<()> {
    match narrow(c, &mut Filter::of_project(project), id) {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_shared(field)),
        Err(Error::Invalid(_)) => Err(Error::invalid(format!(
            "{field}: the query of this view depends on who asks, or is no longer valid; choose another view"
        ))),
        Err(error) => Err(error),
    }
}

/// The refusal of a view that the project does not share.
pub fn not_shared(field: &str) -> Error {
    Error::invalid(format!(
        "{field}: expected a view that is shared in this project; share yours first, or choose another"
    ))
}

/// Checks that nothing uses a view that is to be deleted, or changed to what cannot be used.
///
/// # Errors
/// Conflict that names what uses it.
pub(super) fn check_free(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: ViewId,
    after: Option<&Saved>,
) -> Result<()> {
    let can_be_used = |new: &Saved| new.shared && Filter::of_project(project).query(&new.query, None).is_ok();
    if after.is_some_and(can_be_used) {
        return Ok(());
    }
    let users = users(tx, project, id)?;
    if users.is_empty() {
        return Ok(());
    }
    let named = users.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match users.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(Error::conflict(format!("This view is used by {named}{more}: choose another one there first")))
}

/// Checks whether somebody may change which issues a view has: while something uses it, that decides what is told and what
/// agents start with, as only administrators may, and of automations that may open pull requests no token.
///
/// # Errors
/// Forbidden while something uses it, unless they are an administrator who is signed in.
pub(super) fn check_may_steer(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: ViewId,
    is_signed_in_admin: bool,
) -> Result<()> {
    if is_signed_in_admin || users(tx, project, id)?.is_empty() {
        return Ok(());
    }
    Err(Error::forbidden(
        "An alert rule or an automation uses this view: only an administrator who is signed in may change its query and its \
         environment, nobody else and no token. Save another view",
    ))
}

/// What uses a view.
fn users(c: &Connection, project: ProjectId, id: ViewId) -> Result<Vec<String>> {
    let rules = rules::names_with_view(c, project, id)?;
    let automations = triggers::automations_with_view(c, project, id)?;
    let rules = rules.iter().map(|name| format!("the alert rule `{name}`"));
    Ok(rules.chain(automations.iter().map(|name| format!("the automation `{name}`"))).collect())
}
