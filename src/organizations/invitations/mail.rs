//! The mail of an invitation.

use super::Invitation;
use crate::app::App;
use crate::audit::Actor;
use crate::error::Result;
use crate::store::Transaction;
use crate::time::Timestamp;

pub(super) fn add(
    _tx: &Transaction<'_>,
    _app: &App,
    _invitation: &Invitation,
    _actor: &Actor,
    _now: Timestamp,
) -> Result<()> {
    Ok(())
}
