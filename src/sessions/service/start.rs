//! Sessions begin.

use crate::error::{Error, Result};
use crate::ids::SessionId;
use crate::sessions::sql::{self, NewSession, messages};
use crate::sessions::{Mode, Origin, Session};
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use crate::{issues, organizations, repositories};

/// Starts a session: it waits for a runner, and its prompt is the first message of its transcript. Without its own
/// caps, those of the organization apply; a key or a token cannot ask for more than those.
///
/// # Errors
/// Conflict if too many wait already.
pub fn start(tx: &Transaction<'_>, new: &NewSession, now: Timestamp) -> Result<SessionId> {
    let usual = sql::defaults::get(tx, new.organization)?;
    let caps = if new.origin == Origin::Api { new.caps.within(usual) } else { new.caps.or(usual) };
    let id = sql::create(tx, &NewSession { caps, ..new.clone() }, now)?;
    if !new.prompt.is_empty() {
        messages::add_prompt(tx, id, &new.prompt, new.created_by, now)?;
    }
    Ok(id)
}

/// The same for people, whose input may name things that do not exist.
///
/// # Errors
/// As [`completed`], and conflict if too many wait already.
pub fn start_checked(tx: &Transaction<'_>, new: NewSession, now: Timestamp) -> Result<SessionId> {
    start(tx, &completed(tx, new)?, now)
}

/// Checks what people named, and adds what follows from it: the project of an issue, and its repository.
///
/// # Errors
/// 422 for a repository, project, issue or session that the organization does not have.
pub fn completed(tx: &Connection, mut new: NewSession) -> Result<NewSession> {
    let fault = |field: &str, what: &str| {
        Err(Error::invalid(format!("{field}: this organization has no such {what}")))
    };
    if let Some(id) = new.repository
        && repositories::sql::get(tx, new.organization, id)?.is_none()
    {
        return fault("repoId", "repository");
    }
    let parent = match new.parent {
        Some(id) => match sql::get(tx, new.organization, id)? {
            Some(parent) => Some(parent),
            None => return fault("parentSessionId", "session"),
        },
        None => None,
    };
    // An agent may have a key or a token, and its request may be somebody else's wish.
    if new.origin == Origin::Api {
        let is_about_issue = |parent: Session| parent.is_public || parent.issue_id.is_some();
        new.mode = Mode::Read;
        new.is_public = new.issue.is_some() || parent.is_some_and(is_about_issue);
    }
    if let Some(issue) = new.issue {
        let Some((organization, project)) = issues::sql::home(tx, issue)? else {
            return fault("issueId", "issue");
        };
        if organization != new.organization || new.project.is_some_and(|named| named != project) {
            return fault("issueId", "issue");
        }
        new.project = Some(project);
    }
    if let Some(project) = new.project {
        if organizations::sql::of_project(tx, project)? != Some(new.organization) {
            return fault("projectId", "project");
        }
        if new.repository.is_none() {
            new.repository = repositories::sql::of_project(tx, project)?.first().copied();
        }
    }
    Ok(new)
}
