//! The session that an issue's page tells of.

use super::regressed_after;
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::sessions::issue_session::IssueSession;
use crate::sessions::{Outcome, Phase, SessionStatus};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// How many of an issue's newest sessions are looked at.
const LOOKED_AT: i64 = 100;

/// The newest session about an issue that has not ended; if all have, the newest that opened a pull request or whose
/// work waits for a review. The `+` keeps SQLite from going through the sessions of the whole project.
pub fn telling(c: &Connection, project: ProjectId, issue: IssueId) -> Result<Option<IssueSession>> {
    let mut statement = c.prepare_cached(
        "select id, status, phase, outcome, held_commit, pull_request_url, merged_at, closed_at, organization_number
         from (select * from sessions where issue_id = ?2 and +project_id = ?1 order by number desc limit ?3)
         where status not in ('stopped', 'failed') or pull_request_url is not null
             or (outcome = 'completed' and held_commit is not null)
         order by status in ('stopped', 'failed'), number desc limit 1",
    )?;
    let found = statement.query_row(params![project.0, issue.0, LOOKED_AT], issue_session).optional()?;
    let Some(mut session) = found else { return Ok(None) };
    if let Some(at) = session.merged_at {
        session.regressed_at = regressed_after(c, issue, at)?;
    }
    Ok(Some(session))
}

/// The session without its regression.
fn issue_session(row: &Row<'_>) -> rusqlite::Result<IssueSession> {
    let time = |index| row.get::<_, Option<i64>>(index).map(|at| at.map(Timestamp::from_millis));
    let word = |index| row.get::<_, Option<String>>(index);
    // The schema allows no others.
    let status = SessionStatus::parse(row.get_ref(1)?.as_str()?).unwrap_or(SessionStatus::Failed);
    let outcome = word(3)?.and_then(|word| Outcome::parse(&word));
    Ok(IssueSession {
        id: row.get(0)?,
        number: row.get(8)?,
        status,
        phase: Phase::of(status, outcome, word(2)?.and_then(|word| Phase::parse(&word))),
        outcome,
        held_commit: row.get(4)?,
        pull_request_url: row.get(5)?,
        merged_at: time(6)?,
        closed_at: time(7)?,
        regressed_at: None,
    })
}
