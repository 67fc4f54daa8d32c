//! The mail of an invitation.

use super::{Invitation, Way};
use crate::accounts::people::People;
use crate::audit::Actor;
use crate::error::Result;
use crate::mail::messages::{self, Link};
use crate::mail::sql;
use crate::organizations;
use crate::store::Transaction;
use crate::time::Timestamp;

/// Adds the mail to the outbox, if mail can be sent.
pub(super) fn add(
    tx: &Transaction<'_>,
    people: &People,
    invitation: &Invitation,
    actor: &Actor,
    now: Timestamp,
) -> Result<()> {
    if !people.outbox.is_on() {
        return Ok(());
    }
    let organization = organizations::sql::name(tx, invitation.organization_id)?;
    let message = messages::Invitation {
        id: invitation.id,
        organization: &organization,
        inviter: Some(&actor.name),
        role: invitation.role,
        link: Link::new(&people.addresses.frontend, &invitation.path(people, Way::Mailed))?,
        expires_at: invitation.expires_at,
    };
    let mail = messages::invitation(&invitation.email, &message)?;
    sql::add(tx, &people.outbox.seal, &mail, now)
}
