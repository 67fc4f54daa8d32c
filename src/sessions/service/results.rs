//! Updates the issue of a session.

use super::ToldIssue;
use crate::error::Result;
use crate::ids::{OrganizationId, RepositoryId};
use crate::issues::activity::{self, Kind, New};
use crate::issues::{self, Change, Status};
use crate::repositories;
use crate::repositories::address::is_pull_request;
use crate::sessions::sql::{self, pulls};
use crate::sessions::{Comment, Session};
use crate::store::Transaction;
use crate::time::Timestamp;
use serde_json::{Value, json};

/// Whoever did something that the code host does not say of anybody.
const SOMEBODY: &str = "Somebody";

/// A runner has a session for the first time: its issue says so.
///
/// # Errors
/// Storage trouble.
pub fn started(tx: &Transaction<'_>, session: &Session, now: Timestamp) -> Result<()> {
    let data = json!({ "session_id": session.id, "session_number": session.number, "title": session.title,
        "automation_id": session.automation_id });
    tell(tx, session, Kind::RunStarted, data, now)
}

/// A session has ended: adds that to the issue's activity, if a runner ever had it.
///
/// # Errors
/// Storage trouble.
pub fn ended(tx: &Transaction<'_>, session: &Session, now: Timestamp) -> Result<()> {
    if session.attempts == 0 {
        return Ok(());
    }
    let data = json!({
        "session_id": session.id,
        "session_number": session.number,
        "title": session.title,
        "outcome": session.outcome,
        "branch": session.head_commit.as_ref().and(session.branch_name.as_ref()),
        "pull_request_url": session.pull_request_url,
    });
    tell(tx, session, Kind::RunEnded, data, now)
}

fn tell(tx: &Transaction<'_>, session: &Session, kind: Kind, data: Value, now: Timestamp) -> Result<()> {
    let (Some(project), Some(issue)) = (session.project_id, session.issue_id) else { return Ok(()) };
    if !issues::sql::exists(tx, project, issue)? {
        return Ok(());
    }
    activity::sql::add(tx, issue, &New { data, ..New::automatic(kind) }, now)
}

/// A pull request was merged: resolves the issue in the next release, unless people have decided otherwise. `None` if
/// no session opened it, or the merge is known already; otherwise the issue that changed, if the session has one.
///
/// # Errors
/// Storage trouble.
pub fn merged(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    pull_request: &str,
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    match of_pull_request(tx, (organization, repository), pull_request)? {
        Some(session) => was_merged(tx, &session, now),
        None => Ok(None),
    }
}

/// The same of a session whose pull request it is.
///
/// # Errors
/// Storage trouble.
pub fn was_merged(tx: &Transaction<'_>, session: &Session, now: Timestamp) -> Result<Option<ToldIssue>> {
    if !pulls::merge(tx, session.id, now)? {
        return Ok(None);
    }
    let (Some(project), Some(issue)) = (session.project_id, session.issue_id) else { return Ok(Some(None)) };
    let data = json!({ "session_id": session.id, "session_number": session.number, "title": session.title,
        "pull_request_url": session.pull_request_url });
    tell(tx, session, Kind::RunMerged, data, now)?;
    let found = issues::sql::get(tx, project, issue, now)?;
    if found.is_some_and(|found| found.status == Status::Unresolved) {
        let change = Change {
            status: Some(Status::Resolved),
            resolved_in_release: Some("next".to_owned()),
            ..Change::default()
        };
        issues::sql::change(tx, project, issue, &change, None, now)?;
    }
    Ok(Some(Some((project, issue))))
}

/// A pull request was closed without being merged: stores that, and by whom. Returns the same as [`merged`].
///
/// # Errors
/// Storage trouble.
pub fn closed(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, by): (&str, &str),
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    match of_pull_request(tx, (organization, repository), pull_request)? {
        Some(session) => was_closed(tx, &session, Some(by), now),
        None => Ok(None),
    }
}

/// The same of a session whose pull request it is; by whom, if that is known.
///
/// # Errors
/// Storage trouble.
pub fn was_closed(
    tx: &Transaction<'_>,
    session: &Session,
    by: Option<&str>,
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    if !pulls::close(tx, session.id, by, now)? {
        return Ok(None);
    }
    let by = by.unwrap_or(SOMEBODY);
    sql::output::note(tx, session.id, &format!("{by} closed the pull request without merging it."), now)?;
    Ok(Some(session.issue()))
}

/// A closed pull request was opened again: stores that. Returns the same as [`merged`].
///
/// # Errors
/// Storage trouble.
pub fn reopened(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, by): (&str, &str),
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    match of_pull_request(tx, (organization, repository), pull_request)? {
        Some(session) => was_reopened(tx, &session, Some(by), now),
        None => Ok(None),
    }
}

/// The same of a session whose pull request it is; by whom, if that is known.
///
/// # Errors
/// Storage trouble.
pub fn was_reopened(
    tx: &Transaction<'_>,
    session: &Session,
    by: Option<&str>,
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    if !pulls::reopen(tx, session.id)? {
        return Ok(None);
    }
    let by = by.unwrap_or(SOMEBODY);
    sql::output::note(tx, session.id, &format!("{by} opened the pull request again."), now)?;
    Ok(Some(session.issue()))
}

/// Somebody with a say in the repository commented on a pull request: stores it as the last comment, if a session
/// opened the pull request.
///
/// # Errors
/// Storage trouble.
pub fn said(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    (pull_request, comment): (&str, &Comment),
) -> Result<()> {
    let Some(session) = of_pull_request(tx, (organization, repository), pull_request)? else { return Ok(()) };
    pulls::comment(tx, session.id, comment)
}

/// The session that opened a pull request.
fn of_pull_request(
    tx: &Transaction<'_>,
    (organization, repository): (OrganizationId, RepositoryId),
    pull_request: &str,
) -> Result<Option<Session>> {
    let Some(found) = repositories::sql::get(tx, organization, repository)? else { return Ok(None) };
    let is_of = is_pull_request(&found.host_url, pull_request);
    let id = pulls::session(tx, (organization, repository), (pull_request, is_of))?;
    id.map(|id| sql::get(tx, organization, id)).transpose().map(Option::flatten)
}
