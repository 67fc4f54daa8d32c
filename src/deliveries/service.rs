//! Writes deliveries and records how their attempts ended.

use super::sql::{self, Waiting};
use super::{Deliveries, NewDelivery, Status, wait_after};
use crate::alerts::sql::channels;
use crate::crypto::seal::SealContext;
use crate::crypto::token;
use crate::delivery::{Failure, Parcel};
use crate::error::Result;
use crate::ids::DeliveryId;
use crate::organizations;
use crate::sabotage;
use crate::signals::{self, NewSignal};
use crate::store::Transaction;
use crate::time::Timestamp;
use serde_json::json;

impl Deliveries {
    /// Writes a delivery. Call [`Deliveries::wake`] after the commit.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn add(&self, tx: &Transaction<'_>, new: &NewDelivery, now: Timestamp) -> Result<DeliveryId> {
        let key = token::uuid();
        let sealed = self.seal.seal(&place(&key), &new.payload)?;
        sql::add(tx, new, &sealed, &key, now)
    }

    /// # Errors
    /// As [`crate::crypto::seal::Seal::open`].
    pub(super) fn open(&self, waiting: Waiting) -> Result<Parcel> {
        let payload = self.seal.open(&place(&waiting.idempotency_key), &waiting.sealed)?;
        Ok(Parcel {
            target: waiting.target,
            payload,
            idempotency_key: match sabotage::on("delivery_key_each_attempt") {
                true => token::uuid(),
                false => waiting.idempotency_key,
            },
            is_last: waiting.attempts + 1 >= waiting.channel.attempts(),
            created_at: waiting.created_at,
        })
    }
}

fn place(idempotency_key: &str) -> SealContext<'_> {
    SealContext { table: "deliveries", column: "payload", row: idempotency_key }
}

/// Records that a delivery was sent. One that was withdrawn in the meantime stays withdrawn.
///
/// # Errors
/// Storage trouble.
pub fn sent(tx: &Transaction<'_>, id: DeliveryId) -> Result<()> {
    sql::end(tx, id, Status::Sent, None)
}

/// Records a failed attempt: the delivery is tried again later, or given up.
///
/// # Errors
/// Storage trouble.
pub fn failed(tx: &Transaction<'_>, id: DeliveryId, failure: &Failure, now: Timestamp) -> Result<()> {
    let Some((channel, attempts)) = sql::attempts(tx, id)? else { return Ok(()) };
    let attempts = attempts.saturating_add(1);
    if failure.permanent || attempts >= channel.attempts() {
        sql::end(tx, id, Status::Failed, Some(&failure.text))?;
        return if failure.is_gone { leave(tx, id, &failure.text, now) } else { Ok(()) };
    }
    let asked = failure.wait.map_or(0, |wait| i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
    sql::retry(tx, id, attempts, &failure.text, now.plus(wait_after(attempts).max(asked)))
}

/// Switches off an alert channel whose receiver no longer accepts messages, and notifies the administrators.
fn leave(tx: &Transaction<'_>, id: DeliveryId, reason: &str, now: Timestamp) -> Result<()> {
    let Some((name, kind, project)) = channels::switch_off(tx, id, reason, now)? else { return Ok(()) };
    let organization = organizations::sql::of_project(tx, project)?;
    let payload = json!({ "name": name, "kind": kind, "reason": reason });
    signals::sql::add(tx, &NewSignal::of_channel(organization, project, payload), now)
}
