//! The hourly limit of mails to a person, and the mails held by it. Written in the transaction of the notice, so that
//! each is mailed once: separately, or in the digest.

use crate::error::Result;
use crate::ids::UserId;
use crate::notifications::{Category, MAILS_EACH_HOUR, Notice};
use crate::time::{HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Counts a mail to a person, and returns until when it must be held if the limit is reached. An hour begins with its
/// first mail; one that began in the future, before the clock was set back, is over.
pub fn count(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<Option<Timestamp>> {
    let mut statement = tx.prepare_cached(
        "insert into mail_hours (user_id, since, count) values (?1, ?2, 1)
         on conflict (user_id) do update set
             count = case when since > ?2 - ?3 and since <= ?2 then count + 1 else 1 end,
             since = case when since > ?2 - ?3 and since <= ?2 then since else ?2 end
         returning count, since + ?3",
    )?;
    let (count, end): (i64, i64) =
        statement.query_row(params![user.0, now.millis(), HOUR], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((count > MAILS_EACH_HOUR).then(|| Timestamp::from_millis(end)))
}

/// Holds a mail until the end of the hour.
pub fn hold(tx: &Transaction<'_>, user: UserId, notice: &Notice, until: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "insert into held_mails (user_id, organization_id, category, title, action_url, due_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        user.0,
        notice.organization.map(|id| id.0),
        notice.category.as_str(),
        notice.title,
        notice.action_url,
        until.millis()
    ])?;
    Ok(())
}

/// A person with held mails whose hour is over. A mail held for more than an hour was written before the clock was
/// set back.
pub fn due(c: &Connection, now: Timestamp) -> Result<Option<UserId>> {
    let mut statement = c.prepare_cached(
        "select user_id from held_mails where due_at <= ?1
         union all select user_id from held_mails where due_at > ?1 + ?2 limit 1",
    )?;
    let found = statement.query_row([now.millis(), HOUR], |row| row.get(0).map(UserId));
    Ok(found.optional()?)
}

/// A person's held mails, filtered by their current preferences.
#[derive(Debug, Default)]
pub struct HeldMails {
    /// Titles and pages, oldest first.
    pub items: Vec<(String, String)>,
    /// The number beyond these.
    pub others: i64,
    /// The category, if all have the same.
    pub category: Option<Category>,
}

/// Takes a person's held mails, at most `most` of them with titles. Empty if the person is disabled, or no longer
/// wants any of them by mail.
pub fn take(tx: &Transaction<'_>, user: UserId, most: usize) -> Result<HeldMails> {
    let mut statement = tx.prepare_cached(
        "select h.title, h.action_url, h.category from held_mails h
         join users u on u.id = h.user_id and u.disabled_at is null
         join notification_preferences p on p.user_id = h.user_id and p.category = h.category and p.email_enabled
         where h.user_id = ?1 order by h.id",
    )?;
    let mut rows = statement.query([user.0])?;
    let (mut held, mut categories) = (HeldMails::default(), Vec::new());
    while let Some(row) = rows.next()? {
        let category = Category::find(&row.get::<_, String>(2)?);
        if !categories.contains(&category) {
            categories.push(category);
        }
        if held.items.len() < most {
            held.items.push((row.get(0)?, row.get(1)?));
        } else {
            held.others += 1;
        }
    }
    if let [only] = categories.as_slice() {
        held.category = *only;
    }
    tx.prepare_cached("delete from held_mails where user_id = ?1")?.execute([user.0])?;
    Ok(held)
}
