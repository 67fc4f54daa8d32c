//! All statements on activity.

use super::{Activity, Actor, Author, COMMENTS_MAX, Comment, Kind, New};
use crate::error::{Error, Result};
use crate::ids::{ActivityId, IssueId, ProjectId, UserId};
use crate::signals;
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::{Value, json};

/// The person who did it, and the person who was assigned.
const ACTIVITY: &str = "a.id, a.at, u.id, u.email, u.name, a.kind, a.data, v.id, v.email, v.name";
const FROM: &str = "from activity a left join users u on u.id = a.user_id
    left join users v on a.kind = 'assigned' and v.id = json_extract(a.data, '$.assignee')";

/// Adds an entry and its signal, and deletes the oldest of its kinds if there are too many.
pub fn add(tx: &Transaction<'_>, issue: IssueId, new: &New, now: Timestamp) -> Result<()> {
    insert(tx, issue, new, now)?;
    if let Some(kind) = new.kind.signal() {
        signals::sql::add_of_issue(tx, kind, issue, new.by, &new.data, now)?;
    }
    let Some((kinds, kept)) = new.kind.kept() else { return Ok(()) };
    let trim = format!(
        "delete from activity where issue_id = ?1 and kind in ({kinds}) and id <= (
             select id from activity where issue_id = ?1 and kind in ({kinds}) order by id desc limit 1 offset ?2)"
    );
    tx.prepare_cached(&trim)?.execute([issue.0, kept])?;
    Ok(())
}

/// Whether an issue has an entry of a kind that is newer than `since`.
pub fn has_since(c: &Connection, issue: IssueId, kind: Kind, since: Timestamp) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from activity where issue_id = ?1 and kind = ?2 and at > ?3)",
    )?;
    Ok(statement.query_row(params![issue.0, kind.as_str(), since.millis()], |row| row.get(0))?)
}

/// Adds a session's pull request to the activity entry of its end.
pub fn set_pull_request(tx: &Transaction<'_>, issue: IssueId, session: &str, url: &str) -> Result<()> {
    tx.prepare_cached(
        "update activity set data = json_set(data, '$.pull_request_url', ?3)
         where issue_id = ?1 and kind = 'run_ended' and json_extract(data, '$.session_id') = ?2",
    )?
    .execute(params![issue.0, session, url])?;
    Ok(())
}

fn insert(tx: &Transaction<'_>, issue: IssueId, new: &New, now: Timestamp) -> Result<ActivityId> {
    tx.prepare_cached(
        "insert into activity (issue_id, at, user_id, kind, data, release) values (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        issue.0,
        now.millis(),
        new.by.map(|user| user.0),
        new.kind.as_str(),
        new.data.to_string(),
        new.release
    ])?;
    Ok(ActivityId(tx.last_insert_rowid()))
}

/// A page of what happened to an issue, newest first, with its first event last; `None` if the project has no
/// such issue.
pub fn list(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    page: Page,
) -> Result<Option<(Vec<Activity>, i64)>> {
    let first = c
        .prepare_cached("select first_seen, first_release from issues where project_id = ?1 and id = ?2")?
        .query_row(params![project.0, issue.0], first_seen)
        .optional()?;
    let Some(first) = first else { return Ok(None) };
    let stored: i64 = c
        .prepare_cached("select count(*) from activity where issue_id = ?1")?
        .query_row([issue.0], |row| row.get(0))?;
    let query =
        format!("select {ACTIVITY} {FROM} where a.issue_id = ?1 order by a.id desc limit ?2 offset ?3");
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params![issue.0, page.limit, page.offset], |row| {
        Ok((row.get::<_, String>(5)?, row.get::<_, String>(6)?, Entry::read(row)?, person(row, 7)?))
    })?;
    let mut activity = Vec::new();
    for row in rows {
        let (kind, data, entry, assignee) = row?;
        activity.push(entry.activity(&kind, &data, assignee)?);
    }
    if page.offset <= stored && page.offset + page.limit > stored {
        activity.push(first);
    }
    Ok(Some((activity, stored + 1)))
}

fn first_seen(row: &Row<'_>) -> rusqlite::Result<Activity> {
    let release: Option<String> = row.get(1)?;
    Ok(Activity {
        id: None,
        kind: Kind::FirstSeen,
        at: Timestamp::from_millis(row.get(0)?),
        user: None,
        data: json!({ "release": release }),
    })
}

/// A page of an issue's comments, newest first; `None` if the project has no such issue.
pub fn comments(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    page: Page,
) -> Result<Option<(Vec<Comment>, i64)>> {
    if !exists(c, project, issue)? {
        return Ok(None);
    }
    let total = count_comments(c, issue)?;
    let query = format!(
        "select {ACTIVITY} {FROM} where a.issue_id = ?1 and a.kind = 'comment' order by a.id desc limit ?2 offset ?3"
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params![issue.0, page.limit, page.offset], |row| {
        Ok((row.get::<_, String>(6)?, Entry::read(row)?))
    })?;
    let comments = rows.map(|row| row.map_err(Error::from).and_then(|(data, entry)| entry.comment(&data)));
    Ok(Some((comments.collect::<Result<_>>()?, total)))
}

/// Adds a comment; `None` if the project has no such issue.
///
/// # Errors
/// Conflict if the issue has the maximum number.
pub fn comment(
    tx: &Transaction<'_>,
    project: ProjectId,
    issue: IssueId,
    by: Author,
    text: &str,
    now: Timestamp,
) -> Result<Option<Comment>> {
    if !exists(tx, project, issue)? {
        return Ok(None);
    }
    if count_comments(tx, issue)? >= COMMENTS_MAX {
        return Err(Error::conflict(format!(
            "This issue has {COMMENTS_MAX} comments, which is the maximum. Delete some first."
        )));
    }
    let mut data = json!({ "text": text });
    if by.by_token {
        data["by_token"] = json!(true);
    }
    let new = New { by: Some(by.user), kind: Kind::Comment, data, release: None };
    let id = insert(tx, issue, &new, now)?;
    let query = format!("select {ACTIVITY} {FROM} where a.id = ?1");
    let entry = tx.prepare_cached(&query)?.query_row([id.0], Entry::read)?;
    Ok(Some(Comment {
        id: entry.id,
        text: text.to_owned(),
        at: entry.at,
        user: entry.user,
        by_token: by.by_token,
    }))
}

/// The author of a comment (`Some(None)` if the account is deleted); `None` if the issue has no such comment.
pub fn author(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    id: ActivityId,
) -> Result<Option<Option<UserId>>> {
    let mut statement = c.prepare_cached(
        "select a.user_id from activity a join issues i on i.id = a.issue_id
         where a.id = ?3 and a.issue_id = ?2 and i.project_id = ?1 and a.kind = 'comment'",
    )?;
    let found = statement
        .query_row(params![project.0, issue.0, id.0], |row| Ok(row.get::<_, Option<i64>>(0)?.map(UserId)));
    Ok(found.optional()?)
}

pub fn delete(tx: &Transaction<'_>, id: ActivityId) -> Result<()> {
    tx.execute("delete from activity where id = ?1", [id.0])?;
    Ok(())
}

fn exists(c: &Connection, project: ProjectId, issue: IssueId) -> Result<bool> {
    let mut statement =
        c.prepare_cached("select exists (select 1 from issues where project_id = ?1 and id = ?2)")?;
    Ok(statement.query_row(params![project.0, issue.0], |row| row.get(0))?)
}

fn count_comments(c: &Connection, issue: IssueId) -> Result<i64> {
    let mut statement =
        c.prepare_cached("select count(*) from activity where issue_id = ?1 and kind = 'comment'")?;
    Ok(statement.query_row([issue.0], |row| row.get(0))?)
}

struct Entry {
    id: ActivityId,
    at: Timestamp,
    user: Option<Actor>,
}

impl Entry {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: ActivityId(row.get(0)?),
            at: Timestamp::from_millis(row.get(1)?),
            user: person(row, 2)?,
        })
    }

    fn activity(self, kind: &str, data: &str, assignee: Option<Actor>) -> Result<Activity> {
        let kind = Kind::parse(kind)
            .ok_or_else(|| Error::internal(format!("an activity of the unknown kind {kind}")))?;
        let mut data: Value = serde_json::from_str(data).map_err(Error::internal)?;
        if kind == Kind::Assigned {
            data["assignee"] = json!(assignee);
        }
        Ok(Activity { id: Some(self.id), kind, at: self.at, user: self.user, data })
    }

    fn comment(self, data: &str) -> Result<Comment> {
        let data: Value = serde_json::from_str(data).map_err(Error::internal)?;
        let text = data["text"].as_str().unwrap_or_default().to_owned();
        let by_token = data["by_token"].as_bool().unwrap_or_default();
        Ok(Comment { id: self.id, text, at: self.at, user: self.user, by_token })
    }
}

/// The person in the three columns starting at `at`.
fn person(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Actor>> {
    let id: Option<i64> = row.get(at)?;
    id.map(|id| Ok(Actor { id: UserId(id), email: row.get(at + 1)?, name: row.get(at + 2)? })).transpose()
}
