//! Asks code hosts what became of the pull requests of sessions, where no webhook tells: at GitLab, Gitea and Forgejo.
//!
//! A run asks for one pull request, the one that waits longest, so that all of them together cause no more requests than
//! there are runs; if that is closed, also for its last comment. A host that cannot be asked is left alone for a while that
//! doubles, with all that is to be asked of its connection; others wait for no longer than two requests take. One that
//! answers for the pull request and not for its comments, whatever it says there, puts off nothing.

use super::{SessionService, ToldIssue, results};
use crate::connections::service::Connector;
use crate::connections::sql as connections;
use crate::connections::{AskError, PullRequestComment, PullRequestState};
use crate::error::Result;
use crate::repositories::address::{is_pull_request, pull_request_number};
use crate::repositories::{self, Repository};
use crate::sessions::sql::pulls::{self, DueCheck};
use crate::sessions::sql::{self, output};
use crate::sessions::{Comment, Session};
use crate::store::{Connection, Transaction};
use crate::time::{DAY, HOUR, MINUTE, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The most that a run looks through for one that can be asked for.
const DUE_MAX: i64 = 100;
/// How often one is asked for, in milliseconds: on the day after its session,
const EVERY: i64 = 5 * MINUTE;
/// later,
const LATER_EVERY: i64 = HOUR;
/// and if it is closed, since it may be opened again.
const CLOSED_EVERY: i64 = 6 * HOUR;
/// How long after its session was last active nobody is asked for it any more.
const ASKED_FOR: i64 = 90 * DAY;
/// The longest pause after failures: of a connection, which others wait for as well, and of one pull request.
const CONNECTION_PAUSE_MAX: i64 = HOUR;
const PULL_REQUEST_PAUSE_MAX: i64 = DAY;
/// How long finding the last comment may take.
const COMMENT_PATIENCE: Duration = Duration::from_secs(15);
/// How far the clock of a code host may be behind ours.
const BEHIND: i64 = 5 * MINUTE;

/// Asks for the pull requests of sessions.
#[derive(Clone)]
pub struct PullStates {
    connector: Arc<Connector>,
    sessions: SessionService,
    /// How long finding a last comment may take.
    patience: Duration,
}

/// What a run looks at.
struct Turn {
    /// Those that are due and cannot be asked for,
    unasked: Vec<DueCheck>,
    /// and the first one that can.
    asked: Option<(DueCheck, PullRequestAddress)>,
}

/// What a code host says of a pull request.
struct HostReport {
    state: PullRequestState,
    /// The last one of a pull request that is closed, if it could be asked for.
    comment: Option<PullRequestComment>,
}

/// Where a pull request is asked for.
struct PullRequestAddress {
    /// Of the repository, such as `acme/shop`.
    name: String,
    number: u64,
    connection: connections::StoredConnection,
}

impl PullStates {
    pub fn new(connector: &Arc<Connector>, sessions: &SessionService) -> Self {
        Self { connector: connector.clone(), sessions: sessions.clone(), patience: COMMENT_PATIENCE }
    }

    /// Asks for the pull request that waits longest, if one is due.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn look(&self, now: Timestamp) -> Result<()> {
        let main = &self.sessions.main;
        let Turn { unasked, asked } = main.read(move |c| Turn::find(c, now)).await?;
        if !unasked.is_empty() {
            main.write(move |tx| unasked.iter().try_for_each(|due| pass_over(tx, due, now))).await?;
        }
        let Some((due, place)) = asked else { return Ok(()) };
        let found = self.ask(&due, &place).await;
        if let Err(error) = &found {
            let cause = error.text();
            tracing::info!(session = %due.session, cause, "a pull request could not be asked for");
        }
        let session = due.session;
        let told = main.write(move |tx| settle(tx, (&due, &place), &found, now)).await?;
        if let Some(issue) = told {
            self.sessions.live.session_changed(session);
            self.sessions.issue_changed(issue);
        }
        Ok(())
    }

    async fn ask(&self, due: &DueCheck, place: &PullRequestAddress) -> Result<HostReport, AskError> {
        let opened = self.connector.open(&place.connection)?;
        let state = opened.pull_request(&place.name, place.number).await?;
        if !matches!(state, PullRequestState::Closed { .. }) {
            return Ok(HostReport { state, comment: None });
        }
        let asking = opened.last_comment(&place.name, place.number, state.ended_at());
        let late = |_| Err(AskError::Passing("it takes too long".to_owned()));
        // Without it, it is known that the pull request is closed; next time it is asked for again. A host that takes no
        // requests at all says so to the next one.
        let asked = timeout(self.patience, asking).await.unwrap_or_else(late);
        let comment = asked.unwrap_or_else(|error| {
            let cause = error.text();
            tracing::info!(session = %due.session, cause, "the comments of a pull request could not be asked for");
            None
        });
        Ok(HostReport { state, comment })
    }
}

impl Turn {
    fn find(c: &Connection, now: Timestamp) -> Result<Self> {
        let mut unasked = Vec::new();
        for due in pulls::due(c, now, DUE_MAX)? {
            let place = if is_over(&due, now) { None } else { PullRequestAddress::of(c, &due)? };
            match place {
                Some(place) => return Ok(Self { unasked, asked: Some((due, place)) }),
                None => unasked.push(due),
            }
        }
        Ok(Self { unasked, asked: None })
    }
}

fn is_over(due: &DueCheck, now: Timestamp) -> bool {
    now > due.last_activity_at.plus(ASKED_FOR)
}

/// Looks again in a day: its repository may be connected by then.
fn pass_over(tx: &Transaction<'_>, due: &DueCheck, now: Timestamp) -> Result<()> {
    let at = (!is_over(due, now)).then(|| now.plus(DAY));
    pulls::check_at(tx, due.session, at, due.failures)
}

impl PullRequestAddress {
    /// `None`: there is nobody to ask, or its host tells by itself.
    fn of(c: &Connection, due: &DueCheck) -> Result<Option<Self>> {
        let Some(number) = pull_request_number(&due.url) else { return Ok(None) };
        let Some(repository) = repository_of(c, due)? else { return Ok(None) };
        let Some(connection) = repository.integration_id else { return Ok(None) };
        let Some(connection) = connections::get(c, due.organization, connection)? else { return Ok(None) };
        if !connection.connection.kind.is_asked_for_pull_requests() {
            return Ok(None);
        }
        Ok(Some(Self { name: repository.host_repo_name, number, connection }))
    }
}

/// The repository of a pull request; if its session names none, by the address.
fn repository_of(c: &Connection, due: &DueCheck) -> Result<Option<Repository>> {
    if let Some(id) = due.repository {
        return repositories::sql::get(c, due.organization, id);
    }
    let all = repositories::sql::list(c, due.organization)?;
    Ok(all.into_iter().find(|one| is_pull_request(&one.host_url, &due.url)))
}

/// Records what a code host said, and when it is asked again. `None` if the session has not changed; else the issue that has.
fn settle(
    tx: &Transaction<'_>,
    (due, place): (&DueCheck, &PullRequestAddress),
    found: &Result<HostReport, AskError>,
    now: Timestamp,
) -> Result<Option<ToldIssue>> {
    let HostReport { state, comment } = match found {
        Ok(found) => found,
        Err(error) => return put_off(tx, (due, place), error, now).map(|()| None),
    };
    // It may have been deleted meanwhile, or have another pull request.
    let session = sql::get(tx, due.organization, due.session)?;
    let Some(session) = session.filter(|session| session.pull_request_url.as_ref() == Some(&due.url)) else {
        return Ok(None);
    };
    if state.ended_at().is_some_and(|at| at < due.created_at.plus(-BEHIND)) {
        return disbelieve(tx, due, now).map(|()| Some(None));
    }
    let (told, next) = match state {
        PullRequestState::Open => (results::was_reopened(tx, &session, None, now)?, Some(every(due, now))),
        PullRequestState::Merged { .. } => (results::was_merged(tx, &session, now)?, None),
        PullRequestState::Closed { by, .. } => {
            keep(tx, &session, comment.as_ref(), now)?;
            (results::was_closed(tx, &session, by.as_deref(), now)?, Some(CLOSED_EVERY))
        }
    };
    pulls::check_at(tx, due.session, next.map(|next| now.plus(next)), 0)?;
    Ok(told)
}

/// Stores the last comment. A time in the future is replaced by the present.
fn keep(
    tx: &Transaction<'_>,
    session: &Session,
    comment: Option<&PullRequestComment>,
    now: Timestamp,
) -> Result<()> {
    let Some(PullRequestComment { by, text, at }) = comment.cloned() else { return Ok(()) };
    let comment = Comment { by, text, at: at.map_or(now, |at| at.min(now)) };
    pulls::comment(tx, session.id, &comment)
}

fn every(due: &DueCheck, now: Timestamp) -> i64 {
    if now < due.last_activity_at.plus(DAY) { EVERY } else { LATER_EVERY }
}

/// An agent may name what others did: one that had ended before its session began tells nothing of that.
fn disbelieve(tx: &Transaction<'_>, due: &DueCheck, now: Timestamp) -> Result<()> {
    let text = "The pull request had ended before this session began, so what became of it does not count.";
    output::note(tx, due.session, text, now)?;
    pulls::check_at(tx, due.session, None, 0)
}

/// Asks again later: for all of a connection that cannot be asked, or no longer has access, else for this one. The others come
/// first then, so that one that its host always fails at keeps none of them waiting.
fn put_off(
    tx: &Transaction<'_>,
    (due, place): (&DueCheck, &PullRequestAddress),
    error: &AskError,
    now: Timestamp,
) -> Result<()> {
    let (until, failures) = if is_of_host(error) {
        put_off_others(tx, (due, place), error, now)?
    } else {
        let failures = due.failures.saturating_add(1);
        (now.plus(pause(failures, PULL_REQUEST_PAUSE_MAX)), failures)
    };
    pulls::check_at(tx, due.session, Some(until.plus(1)), failures)
}

/// Asks for none of a connection for a while, unless its host fails at this one alone; until when, and how often in a
/// row it has failed at it.
fn put_off_others(
    tx: &Transaction<'_>,
    (due, place): (&DueCheck, &PullRequestAddress),
    error: &AskError,
    now: Timestamp,
) -> Result<(Timestamp, u32)> {
    let (connection, failures) = (place.connection.connection.id, due.failures.saturating_add(1));
    let wanted = match error {
        AskError::Busy { wait, .. } => i64::try_from(wait.as_millis()).unwrap_or(HOUR),
        _ => 0,
    };
    let until = now.plus(pause(failures, CONNECTION_PAUSE_MAX).max(wanted));
    let is_alone = matches!(error, AskError::Passing(_))
        && due.failures > 0
        && pulls::is_answered(tx, connection, due.session)?;
    if !is_alone {
        pulls::put_off_all(tx, connection, (until, failures))?;
    }
    Ok((until, failures))
}

/// Whether a host cannot be asked for anything of the connection.
fn is_of_host(error: &AskError) -> bool {
    error.may_pass() || matches!(error, AskError::Revoked(_))
}

/// After so many failures in a row, in milliseconds: ten minutes, and twice as much each time.
fn pause(failures: u32, most: i64) -> i64 {
    (EVERY << failures.min(16)).min(most)
}

#[cfg(test)]
mod tests;
