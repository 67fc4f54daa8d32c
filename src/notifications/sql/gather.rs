//! Combines many signals of a kind in a project into one notice. From then on, each signal updates that one row,
//! however many recipients it has.

use super::tell;
use crate::error::Result;
use crate::ids::{IssueId, NoticeId, ProjectId, UserId};
use crate::notifications::{ALONE_MAX, Category, GATHER, MAIL_AGAIN, Notice, Recipient};
use crate::signals::Kind;
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// The notice in which a signal is reported.
#[derive(Debug, PartialEq, Eq)]
pub enum NoticePlace {
    /// A separate notice.
    Alone,
    /// A new combined notice for this many signals: this one and earlier ones with separate notices.
    Begins(i64),
    /// An existing combined notice, which now stands for this many signals.
    Continues {
        notice: NoticeId,
        count: i64,
        /// Whether it becomes unread again for those who read or archived it a while ago.
        is_due: bool,
        /// Whether it is mailed again.
        is_mail_due: bool,
    },
}

/// A combined notice continues until no signal was added to it for [`GATHER`].
pub fn place(c: &Connection, project: ProjectId, kind: &str, at: Timestamp) -> Result<NoticePlace> {
    let since = at.plus(-GATHER).millis();
    let mut statement = c.prepare_cached(
        "select id, issue_count, told_at, mailed_at from notices
         where project_id = ?1 and kind = ?2 and latest_at > ?3 and issue_count > 1 order by latest_at desc limit 1",
    )?;
    let found = statement.query_row(params![project.0, kind, since], |row| {
        let (told_at, mailed_at): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok(NoticePlace::Continues {
            notice: NoticeId(row.get(0)?),
            count: row.get::<_, i64>(1)? + 1,
            is_due: told_at <= since,
            is_mail_due: told_at <= since && mailed_at <= at.plus(-MAIL_AGAIN).millis(),
        })
    });
    if let Some(found) = found.optional()? {
        return Ok(found);
    }
    let mut statement = c.prepare_cached(
        "select count(*) from notices where project_id = ?1 and kind = ?2 and latest_at > ?3",
    )?;
    let alone: i64 = statement.query_row(params![project.0, kind, since], |row| row.get(0))?;
    Ok(if alone < ALONE_MAX { NoticePlace::Alone } else { NoticePlace::Begins(alone + 1) })
}

/// The recent separate notice of an issue that is new.
pub fn told_as_new(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    at: Timestamp,
) -> Result<Option<String>> {
    let mut statement = c.prepare_cached(
        "select summary from notices where project_id = ?1 and kind = ?2 and latest_at > ?3
             and source_type = 'issue' and source_id = ?4 and issue_count = 1 order by latest_at desc limit 1",
    )?;
    let given = params![project.0, Kind::IssueCreated.as_str(), at.plus(-MINUTE).millis(), issue.0];
    Ok(statement.query_row(given, |row| row.get(0)).optional()?)
}

/// Records that a notice was mailed.
pub fn mailed(tx: &Transaction<'_>, id: NoticeId, at: Timestamp) -> Result<()> {
    tx.prepare_cached("update notices set mailed_at = ?2 where id = ?1")?.execute([id.0, at.millis()])?;
    Ok(())
}

/// Deletes the separate notices that a combined one replaces ([`NoticePlace::Begins`]).
pub fn forget_alone(tx: &Transaction<'_>, project: ProjectId, kind: &str, at: Timestamp) -> Result<()> {
    tx.prepare_cached("delete from notices where project_id = ?1 and kind = ?2 and latest_at > ?3")?
        .execute(params![project.0, kind, at.plus(-GATHER).millis()])?;
    Ok(())
}

/// Updates the text of a notice for another signal.
pub fn update(tx: &Transaction<'_>, id: NoticeId, new: &Notice, at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "update notices set title = ?2, summary = ?3, metadata = ?4, issue_count = ?5, latest_at = max(latest_at, ?6)
         where id = ?1",
    )?
    .execute(params![id.0, new.title, new.summary, new.metadata.to_string(), new.issues, at.millis()])?;
    Ok(())
}

/// Makes a notice unread and newest for those who read or archived it some time ago, and adds recipients who did not
/// have it.
pub fn tell_again(tx: &Transaction<'_>, id: NoticeId, recipients: &[Recipient], at: Timestamp) -> Result<()> {
    tx.prepare_cached("update notices set told_at = ?2 where id = ?1")?.execute([id.0, at.millis()])?;
    let users: Vec<UserId> = recipients.iter().filter(|one| one.in_app).map(|one| one.user).collect();
    tx.prepare_cached(
        "delete from notifications
         where notice_id = ?1 and user_id in (select value from json_each(?2))
             and (read_at is not null or archived_at is not null)
             and max(coalesce(read_at, 0), coalesce(archived_at, 0)) <= ?3",
    )?
    .execute(params![id.0, serde_json::json!(users).to_string(), at.plus(-GATHER).millis()])?;
    tell::each(tx, id, Category::Error, recipients, at)
}
