//! A person's notifications. Every statement filters by the person, so another person's ids are unknown.

use crate::error::Result;
use crate::ids::{NotificationId, OrganizationId, UserId};
use crate::notifications::{Category, Inbox, Notification};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params, params_from_iter};

const NOTIFICATION: &str =
    "n.id, n.user_id, n.organization_id, n.category, w.title, w.summary, w.source_type,
    w.source_id, w.action_url, w.actor_id, w.actor_name, w.metadata, n.read_at, n.archived_at, n.created_at";
const FROM: &str = "from notifications n join notices w on w.id = n.notice_id";

/// The filters of a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    pub category: Option<Category>,
    pub unread_only: bool,
    pub archive: Archive,
}

/// How a list treats archived ones.
#[derive(Debug, Clone, Copy, Default)]
pub enum Archive {
    #[default]
    Without,
    With,
    Only,
}

/// Notifications of a person, newest first, and how many there are in total.
pub fn list(c: &Connection, user: UserId, filter: Filter, page: Page) -> Result<(Vec<Notification>, i64)> {
    let mut conditions = vec!["n.user_id = ?"];
    let mut values: Vec<Value> = vec![user.0.into()];
    if let Some(category) = filter.category {
        conditions.push("n.category = ?");
        values.push(category.as_str().to_owned().into());
    }
    if filter.unread_only {
        conditions.push("n.read_at is null");
    }
    match filter.archive {
        Archive::Without => conditions.push("n.archived_at is null"),
        Archive::Only => conditions.push("n.archived_at is not null"),
        Archive::With => {}
    }
    let conditions = conditions.join(" and ");
    let mut count = c.prepare_cached(&format!("select count(*) from notifications n where {conditions}"))?;
    let total = count.query_row(params_from_iter(&values), |row| row.get(0))?;
    values.extend([page.limit.into(), page.offset.into()]);
    let mut statement = c.prepare_cached(&format!(
        "select {NOTIFICATION} {FROM} where {conditions} order by n.id desc limit ? offset ?"
    ))?;
    let rows = statement.query_map(params_from_iter(&values), notification)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

fn notification(row: &Row<'_>) -> rusqlite::Result<Notification> {
    let time = |index| row.get::<_, Option<i64>>(index).map(|at| at.map(Timestamp::from_millis));
    let actor: Option<String> = row.get(10)?;
    Ok(Notification {
        id: NotificationId(row.get(0)?),
        user_id: UserId(row.get(1)?),
        organization_id: row.get::<_, Option<i64>>(2)?.map(OrganizationId),
        // The schema allows no other value.
        category: Category::find(row.get_ref(3)?.as_str()?).unwrap_or(Category::System),
        title: row.get(4)?,
        summary: row.get(5)?,
        source_type: row.get(6)?,
        source_id: row.get(7)?,
        action_url: row.get(8)?,
        actor_id: row.get::<_, Option<i64>>(9)?.map(UserId),
        actor_type: actor.as_ref().map(|_| "user".to_owned()),
        actor_name: actor,
        actor_avatar: None,
        notification_metadata: serde_json::from_str(row.get_ref(11)?.as_str()?).unwrap_or_default(),
        read_at: time(12)?,
        archived_at: time(13)?,
        created_at: Timestamp::from_millis(row.get(14)?),
    })
}

/// How many are neither read nor archived.
pub fn unread(c: &Connection, user: UserId) -> Result<i64> {
    let mut statement = c.prepare_cached(
        // The other index would work, too, but scan everything the person was ever notified of.
        "select count(*) from notifications indexed by notifications_unread
         where user_id = ?1 and read_at is null and archived_at is null",
    )?;
    Ok(statement.query_row([user.0], |row| row.get(0))?)
}

/// The content of the inbox stream's message.
pub fn inbox(c: &Connection, user: UserId) -> Result<Inbox> {
    let mut statement = c.prepare_cached(&format!(
        "select {NOTIFICATION} {FROM} where n.user_id = ?1 and n.archived_at is null order by n.id desc limit 1"
    ))?;
    let newest = statement.query_row([user.0], notification).optional()?;
    Ok(Inbox { unread_count: unread(c, user)?, newest })
}

/// Marks a notification as read, and returns when it was first read; `None` if it is not the person's.
pub fn read(
    tx: &Transaction<'_>,
    user: UserId,
    id: NotificationId,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let mut statement = tx.prepare_cached(
        "update notifications set read_at = coalesce(read_at, ?3) where id = ?2 and user_id = ?1
         returning read_at",
    )?;
    let at = statement.query_row(params![user.0, id.0, now.millis()], |row| row.get(0)).optional()?;
    Ok(at.map(Timestamp::from_millis))
}

/// Marks all as read, including archived ones, and returns how many were unread.
pub fn read_all(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<usize> {
    let mut statement =
        tx.prepare_cached("update notifications set read_at = ?2 where user_id = ?1 and read_at is null")?;
    Ok(statement.execute([user.0, now.millis()])?)
}

/// Archives a notification, and returns when it was first archived; `None` if it is not the person's.
pub fn archive(
    tx: &Transaction<'_>,
    user: UserId,
    id: NotificationId,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let mut statement = tx.prepare_cached(
        "update notifications set archived_at = coalesce(archived_at, ?3) where id = ?2 and user_id = ?1
         returning archived_at",
    )?;
    let at = statement.query_row(params![user.0, id.0, now.millis()], |row| row.get(0)).optional()?;
    Ok(at.map(Timestamp::from_millis))
}
