//! All statements on the outbox, and on the delivery status of invitations.

use super::{Failure, Letter, Mail};
use crate::crypto::seal::{Place, Seal};
use crate::crypto::token;
use crate::error::Result;
use crate::ids::InvitationId;
use crate::store::{Connection, OptionalExtension as _, Transaction};
use crate::time::{HOUR, SECOND, Timestamp};

/// Attempts after which a mail is given up; with the pauses below, that is a little over two hours.
pub const ATTEMPTS: u32 = 8;
/// The first pause, in milliseconds; each further one is three times as long, but none over an hour.
const FIRST_WAIT: i64 = 10 * SECOND;

/// A mail that is due, with its text still sealed.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub id: i64,
    pub kind: String,
    pub recipient: String,
    pub attempts: u32,
    subject: String,
    body: Vec<u8>,
    idempotency_key: String,
    created_at: Timestamp,
}

impl Waiting {
    /// # Errors
    /// As [`Seal::open`].
    pub fn open(self, seal: &Seal) -> Result<Letter> {
        let text = seal.open(&place(&self.idempotency_key), &self.body)?;
        Ok(Letter {
            to: self.recipient,
            subject: self.subject,
            text: String::from_utf8_lossy(&text).into_owned(),
            idempotency_key: self.idempotency_key,
            created_at: self.created_at,
        })
    }
}

fn place(idempotency_key: &str) -> Place<'_> {
    Place { table: "outbox", column: "body", row: idempotency_key }
}

/// Adds a mail to the outbox. A mail about an invitation replaces one that still waits, and makes its
/// delivery pending. Call [`super::Outbox::wake`] after the commit.
pub fn add(tx: &Transaction<'_>, seal: &Seal, mail: &Mail, now: Timestamp) -> Result<()> {
    if let Some(invitation) = mail.invitation {
        withdraw(tx, invitation)?;
        deliver(tx, invitation, "pending", None)?;
    }
    let key = token::uuid();
    let body = seal.seal(&place(&key), mail.text.as_bytes())?;
    tx.prepare_cached(
        "insert into outbox (kind, invitation_id, recipient, subject, body, idempotency_key, next_attempt_at,
             created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
    )?
    .execute((
        mail.kind.as_str(),
        mail.invitation.map(|id| id.0),
        &mail.to,
        &mail.subject,
        body,
        key,
        now.millis(),
    ))?;
    Ok(())
}

/// Removes waiting mail about an invitation, for example because it was revoked or accepted.
pub fn withdraw(tx: &Transaction<'_>, invitation: InvitationId) -> Result<()> {
    tx.prepare_cached("delete from outbox where invitation_id = ?1")?.execute([invitation.0])?;
    Ok(())
}

/// Mails that are due, longest waiting first.
pub fn due(c: &Connection, now: Timestamp, limit: usize) -> Result<Vec<Waiting>> {
    let mut statement = c.prepare_cached(
        "select id, recipient, attempts, subject, body, idempotency_key, created_at, kind from outbox
         where next_attempt_at <= ?1 order by next_attempt_at, id limit ?2",
    )?;
    let rows = statement.query_map((now.millis(), i64::try_from(limit).unwrap_or(i64::MAX)), |row| {
        Ok(Waiting {
            id: row.get(0)?,
            kind: row.get(7)?,
            recipient: row.get(1)?,
            attempts: row.get(2)?,
            subject: row.get(3)?,
            body: row.get(4)?,
            idempotency_key: row.get(5)?,
            created_at: Timestamp::from_millis(row.get(6)?),
        })
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

/// When the first mail after `now` is due.
pub fn next_due(c: &Connection, now: Timestamp) -> Result<Option<Timestamp>> {
    let mut statement =
        c.prepare_cached("select min(next_attempt_at) from outbox where next_attempt_at > ?1")?;
    let next: Option<i64> = statement.query_row([now.millis()], |row| row.get(0))?;
    Ok(next.map(Timestamp::from_millis))
}

/// Deletes a mail that was sent.
pub fn sent(tx: &Transaction<'_>, id: i64) -> Result<()> {
    if let Some(invitation) = take(tx, id)? {
        deliver(tx, invitation, "sent", None)?;
    }
    Ok(())
}

/// Records a failed attempt: the mail is tried again later, or given up, and its invitation's delivery status
/// says so.
pub fn failed(tx: &Transaction<'_>, id: i64, failure: &Failure, now: Timestamp) -> Result<()> {
    let attempts: Option<u32> = tx
        .prepare_cached("select attempts from outbox where id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    // The mail was withdrawn in the meantime.
    let Some(attempts) = attempts.map(|attempts| attempts.saturating_add(1)) else { return Ok(()) };
    if failure.permanent || attempts >= ATTEMPTS {
        if let Some(invitation) = take(tx, id)? {
            deliver(tx, invitation, "failed", Some(&failure.text))?;
        }
        return Ok(());
    }
    tx.prepare_cached(
        "update outbox set attempts = ?2, last_error = ?3, next_attempt_at = ?4 where id = ?1",
    )?
    .execute((id, attempts, &failure.text, now.plus(wait_after(attempts)).millis()))?;
    Ok(())
}

/// Postpones a mail for our own reasons, which does not count as an attempt.
pub fn put_off(tx: &Transaction<'_>, id: i64, until: Timestamp) -> Result<()> {
    tx.prepare_cached("update outbox set next_attempt_at = ?2 where id = ?1")?
        .execute((id, until.millis()))?;
    Ok(())
}

/// The pause after this many failed attempts, in milliseconds: 10 s, 30 s, 90 s, … at most 1 h.
pub fn wait_after(attempts: u32) -> i64 {
    FIRST_WAIT.saturating_mul(3_i64.saturating_pow(attempts.saturating_sub(1))).min(HOUR)
}

/// Deletes the row and returns the invitation it was about.
fn take(tx: &Transaction<'_>, id: i64) -> Result<Option<InvitationId>> {
    let invitation: Option<Option<i64>> = tx
        .prepare_cached("delete from outbox where id = ?1 returning invitation_id")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    Ok(invitation.flatten().map(InvitationId))
}

fn deliver(tx: &Transaction<'_>, invitation: InvitationId, status: &str, error: Option<&str>) -> Result<()> {
    tx.prepare_cached("update invitations set delivery_status = ?2, delivery_error = ?3 where id = ?1")?
        .execute((invitation.0, status, error))?;
    Ok(())
}
