//! Writes deliveries and records how their attempts ended.

use super::sql::{self, Waiting};
use super::{ATTEMPTS, Deliveries, NewDelivery, Status, wait_after};
use crate::crypto::seal::SealContext;
use crate::crypto::token;
use crate::delivery::{Failure, Parcel};
use crate::error::Result;
use crate::ids::DeliveryId;
use crate::store::Transaction;
use crate::time::Timestamp;

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
            idempotency_key: waiting.idempotency_key,
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
    let Some(attempts) = sql::attempts(tx, id)? else { return Ok(()) };
    let attempts = attempts.saturating_add(1);
    if failure.permanent || attempts >= ATTEMPTS {
        return sql::end(tx, id, Status::Failed, Some(&failure.text));
    }
    sql::retry(tx, id, attempts, &failure.text, now.plus(wait_after(attempts)))
}
