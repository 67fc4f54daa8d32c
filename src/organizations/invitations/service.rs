//! The mail of an invitation.

use super::{DeliveryStatus, Invitation, Way, sql};
use crate::accounts::people::People;
use crate::audit::Actor;
use crate::deliveries::{Channel, NewDelivery};
use crate::delivery::mail::messages::{self, Link};
use crate::error::Result;
use crate::organizations;
use crate::store::Transaction;
use crate::time::Timestamp;

/// Adds the mail to the deliveries, if mail can be sent; the invitation follows it.
pub(super) fn add(
    tx: &Transaction<'_>,
    people: &People,
    invitation: &mut Invitation,
    actor: &Actor,
    now: Timestamp,
) -> Result<()> {
    if !people.deliveries.has(Channel::Mail) {
        return Ok(());
    }
    let organization = organizations::sql::name(tx, invitation.organization_id)?;
    let message = messages::Invitation {
        organization: &organization,
        inviter: Some(&actor.name),
        role: invitation.role,
        link: Link::new(&people.addresses.frontend, &invitation.path(people, Way::Mailed))?,
        expires_at: invitation.expires_at,
    };
    let mail = messages::invitation(&invitation.email, &message)?;
    let delivery = people.deliveries.add(tx, &NewDelivery::mail(&mail)?.followed(), now)?;
    sql::set_delivery(tx, invitation.id, delivery)?;
    invitation.delivery_status = DeliveryStatus::Pending;
    Ok(())
}
