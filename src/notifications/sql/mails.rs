//! The recipients of unsent mails, so that mails are withdrawn when somebody may no longer read them.

use crate::error::Result;
use crate::ids::{DeliveryId, OrganizationId, UserId};
use crate::notifications::Mails;
use rusqlite::{Connection, Transaction, params};

/// The number of unsent mails to a person.
pub fn waiting(c: &Connection, user: UserId) -> Result<i64> {
    let mut statement = c.prepare_cached("select count(*) from notification_mails where user_id = ?1")?;
    Ok(statement.query_row([user.0], |row| row.get(0))?)
}

/// Records the recipient of a mail; `of` is `None` if it covers several categories.
pub fn add(
    tx: &Transaction<'_>,
    delivery: DeliveryId,
    user: UserId,
    organization: Option<OrganizationId>,
    of: Option<Mails>,
) -> Result<()> {
    tx.prepare_cached(
        "insert into notification_mails (delivery_id, user_id, organization_id, category) values (?1, ?2, ?3, ?4)",
    )?
    .execute(params![delivery.0, user.0, organization.map(|id| id.0), of.map(Mails::as_str)])?;
    Ok(())
}
