//! Finds recipients and writes notifications, with one statement each, however many recipients there are.

use crate::error::Result;
use crate::ids::{NoticeId, OrganizationId, UserId};
use crate::notifications::{Audience, Category, Notice, Recipient};
use crate::time::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, Transaction, params, params_from_iter};
use serde_json::json;

/// Active people, and their preferences for a category.
const RECIPIENT: &str = "select u.id, u.email, p.in_app_enabled, p.email_enabled";
/// (`cross join`, so that the preference is looked up for each person, not the reverse.)
const WANTS: &str = "cross join notification_preferences p on p.user_id = u.id and p.category = ?1
    and (p.in_app_enabled or p.email_enabled)";
const IS_ACTIVE: &str = "u.disabled_at is null and u.id not in (select value from json_each(?2))";
/// One of the person's organizations, for notices without one.
const OWN: &str =
    "(select min(organization_id) from memberships where user_id = u.id and removed_at is null)";

/// The recipients in an audience who want to be notified of a category in any way. People who joined after `at`, the
/// time of the signal, are left out.
pub fn recipients(
    c: &Connection,
    audience: &Audience,
    category: Category,
    except: &[UserId],
    at: Timestamp,
) -> Result<Vec<Recipient>> {
    let mut given: Vec<Value> = vec![category.as_str().to_owned().into(), json!(except).to_string().into()];
    let sql = match audience {
        Audience::Members(organization) => {
            given.extend([organization.0.into(), at.millis().into()]);
            members("m.joined_at <= ?4")
        }
        Audience::Admins(organization) => {
            given.extend([organization.0.into(), at.millis().into()]);
            members("m.joined_at <= ?4 and m.role <> 'member'")
        }
        Audience::Member(organization, user) => {
            given.extend([organization.0.into(), user.0.into()]);
            members("m.user_id = ?4")
        }
        Audience::Account(user) => {
            given.push(user.0.into());
            people("u.id = ?3")
        }
        Audience::Addresses(addresses) => {
            given.push(json!(addresses).to_string().into());
            people("u.email in (select value from json_each(?3)) and u.email_proven_at is not null")
        }
        Audience::Everybody => {
            people("exists (select 1 from memberships where user_id = u.id and removed_at is null)")
        }
    };
    let mut statement = c.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(given), recipient)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether somebody is an active member of an organization.
pub fn is_member(c: &Connection, organization: OrganizationId, user: UserId) -> Result<bool> {
    let sql = "select exists (select 1 from memberships m join users u on u.id = m.user_id
        where m.organization_id = ?1 and m.user_id = ?2 and m.removed_at is null and u.disabled_at is null)";
    Ok(c.prepare_cached(sql)?.query_row([organization.0, user.0], |row| row.get(0))?)
}

fn members(condition: &str) -> String {
    format!(
        "{RECIPIENT}, m.organization_id from memberships m join users u on u.id = m.user_id {WANTS}
         where m.organization_id = ?3 and m.removed_at is null and {IS_ACTIVE} and {condition}"
    )
}

fn people(condition: &str) -> String {
    format!("{RECIPIENT}, {OWN} from users u {WANTS} where {IS_ACTIVE} and {condition}")
}

fn recipient(row: &Row<'_>) -> rusqlite::Result<Recipient> {
    Ok(Recipient {
        user: UserId(row.get(0)?),
        email: row.get(1)?,
        in_app: row.get(2)?,
        by_mail: row.get(3)?,
        organization: row.get::<_, Option<i64>>(4)?.map(OrganizationId),
    })
}

pub fn add(tx: &Transaction<'_>, new: &Notice, at: Timestamp) -> Result<NoticeId> {
    tx.prepare_cached(
        "insert into notices (organization_id, project_id, category, kind, title, summary, source_type, source_id,
             action_url, actor_id, actor_name, metadata, issue_count, told_at, mailed_at, latest_at, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14, ?14, ?14)",
    )?
    .execute(params![
        new.organization.map(|id| id.0),
        new.project.map(|id| id.0),
        new.category.as_str(),
        new.kind,
        new.title,
        new.summary,
        new.source.0,
        new.source.1,
        new.action_url,
        new.actor.as_ref().map(|actor| actor.id.0),
        new.actor.as_ref().map(|actor| &actor.name),
        new.metadata.to_string(),
        new.issues,
        at.millis()
    ])?;
    Ok(NoticeId(tx.last_insert_rowid()))
}

/// Writes a notification for each recipient who wants one in the app and does not have it yet.
pub fn each(
    tx: &Transaction<'_>,
    notice: NoticeId,
    category: Category,
    recipients: &[Recipient],
    at: Timestamp,
) -> Result<()> {
    let told = recipients.iter().filter(|one| one.in_app).map(|one| json!([one.user, one.organization]));
    let told: Vec<_> = told.collect();
    tx.prepare_cached(
        "insert into notifications (user_id, notice_id, organization_id, category, created_at)
         select value ->> 0, ?1, value ->> 1, ?2, ?3 from json_each(?4) where true on conflict do nothing",
    )?
    .execute(params![notice.0, category.as_str(), at.millis(), json!(told).to_string()])?;
    Ok(())
}

/// The people who have a notification of a notice.
pub fn told(c: &Connection, notice: NoticeId) -> Result<Vec<UserId>> {
    let mut statement = c.prepare_cached("select user_id from notifications where notice_id = ?1")?;
    let rows = statement.query_map([notice.0], |row| row.get(0).map(UserId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
