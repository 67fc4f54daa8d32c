//! Notifies people by mail of changes to their account, so that they learn of one that they did not make.

use crate::deliveries::{Channel, Deliveries, NewDelivery};
use crate::delivery::mail::messages;
use crate::error::Result;
use crate::signals::consumer::Consumer;
use crate::signals::{Kind, Signal};
use crate::store::Transaction;
use crate::time::Timestamp;
use std::sync::Arc;

/// The consumer's name.
pub const NAME: &str = "account_notices";

/// Writes a mail for each change, if mail is configured.
pub struct Notices(Arc<Deliveries>);

impl Notices {
    pub fn new(deliveries: &Arc<Deliveries>) -> Self {
        Self(deliveries.clone())
    }
}

impl Consumer for Notices {
    fn name(&self) -> &'static str {
        NAME
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind::PasswordChanged, Kind::EmailChanged]
    }

    fn consume(&self, tx: &Transaction<'_>, signal: &Signal) -> Result<()> {
        if !self.0.has(Channel::Mail) {
            return Ok(());
        }
        let mail = match signal.kind {
            Kind::PasswordChanged => messages::password_changed(signal.text("email"), signal.at)?,
            // Goes to the former address.
            Kind::EmailChanged => messages::email_changed(signal.text("from"), signal.text("to"), signal.at)?,
            _ => return Ok(()),
        };
        self.0.add(tx, &NewDelivery::mail(&mail)?, Timestamp::now()).map(drop)
    }

    fn committed(&self) {
        self.0.wake();
    }
}

#[cfg(test)]
mod tests;
