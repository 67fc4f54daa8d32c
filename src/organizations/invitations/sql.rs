//! All statements on invitations.

use super::{
    DeliveryStatus, Invitation, InvitationStatus, LIFETIME, OPEN_MAX, OpenInvitation, Way, link_token,
};
use crate::accounts::admission;
use crate::audit::{self, Actor};
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::deliveries::{self, Status};
use crate::error::{Error, Result};
use crate::ids::{DeliveryId, InvitationId, OrganizationId, UserId};
use crate::organizations::sql as organizations;
use crate::roles::Role;
use crate::signals::{self, Kind};
use crate::store::Page;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

const COLUMNS: &str =
    "i.id, i.organization_id, i.email, i.role, d.status, case when d.status in ('pending', 'failed') then d.last_answer end, u.email,
    i.expires_at, i.created_at, i.accepted_at, i.revoked_at, i.nonce, i.token_hash";
const FROM: &str = "from invitations i left join users u on u.id = i.invited_by
    left join deliveries d on d.id = i.delivery_id";

/// An invitation to create.
pub struct NewInvitation {
    pub organization: OrganizationId,
    pub email: String,
    pub role: Role,
    pub inviter: UserId,
}

/// # Errors
/// Conflict for a member, for an address that is already invited, and for too many open invitations.
pub fn create(
    tx: &Transaction<'_>,
    secret: &Secret,
    new: &NewInvitation,
    now: Timestamp,
) -> Result<Invitation> {
    check(tx, new, now)?;
    let nonce = token::random::<16>();
    // The tokens depend on the id, so their hashes are set second; until then they are placeholders.
    tx.execute(
        "insert into invitations (organization_id, email, role, nonce, token_hash, mailed_hash, invited_by,
            created_at, expires_at) values (?1, ?2, ?3, ?4, ?4, ?4, ?5, ?6, ?7)",
        params![
            new.organization.0,
            new.email,
            new.role.as_str(),
            nonce,
            new.inviter.0,
            now.millis(),
            now.plus(LIFETIME).millis()
        ],
    )?;
    let id = InvitationId(tx.last_insert_rowid());
    set_token(tx, secret, id, nonce)?;
    get(tx, new.organization, id, now)?
        .ok_or_else(|| Error::internal("an invitation that was just created does not exist"))
}

fn check(tx: &Transaction<'_>, new: &NewInvitation, now: Timestamp) -> Result<()> {
    if let Some(account) = admission::sql::by_email(tx, &new.email)? {
        if organizations::role(tx, account.id(), new.organization)?.is_some() {
            return Err(Error::conflict(format!("{} is already a member", new.email)));
        }
        if account.disabled {
            return Err(Error::conflict(format!("The account of {} is disabled", new.email)));
        }
    }
    // An expired invitation makes room for another one to the same address.
    tx.execute(
        "update invitations set revoked_at = expires_at
         where organization_id = ?1 and email = ?2 and accepted_at is null and revoked_at is null and expires_at <= ?3",
        params![new.organization.0, new.email, now.millis()],
    )?;
    let (open, invited): (i64, bool) = tx.query_row(
        "select count(*), coalesce(max(email = ?2), 0) from invitations
         where organization_id = ?1 and accepted_at is null and revoked_at is null",
        params![new.organization.0, new.email],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if invited {
        let text =
            format!("{} is already invited: send that invitation again, or revoke it first", new.email);
        return Err(Error::conflict(text));
    }
    if open >= OPEN_MAX {
        return Err(Error::conflict(format!(
            "There are {OPEN_MAX} open invitations, which is the maximum: revoke some first"
        )));
    }
    Ok(())
}

fn set_token(tx: &Transaction<'_>, secret: &Secret, id: InvitationId, nonce: [u8; 16]) -> Result<()> {
    let hash = |way| token::keyed_hash(secret, &link_token(secret, id, &nonce, way));
    tx.execute(
        "update invitations set nonce = ?2, token_hash = ?3, mailed_hash = ?4 where id = ?1",
        params![id.0, nonce, hash(Way::Shown), hash(Way::Mailed)],
    )?;
    Ok(())
}

/// Gives an open or expired invitation a new link; the old one becomes invalid.
///
/// # Errors
/// Not found; conflict if it was accepted or revoked; forbidden for a role above the actor's.
pub fn renew(
    tx: &Transaction<'_>,
    secret: &Secret,
    (organization, id): (OrganizationId, InvitationId),
    (actor, role): (&Actor, Role),
    now: Timestamp,
) -> Result<Invitation> {
    let found = get(tx, organization, id, now)?.ok_or_else(unknown)?;
    if !matches!(found.status, InvitationStatus::Pending | InvitationStatus::Expired) {
        return Err(Error::conflict("This invitation was accepted or revoked: create a new one"));
    }
    if found.role > role {
        return Err(Error::forbidden("This invitation is for a role above yours"));
    }
    if let Some(delivery) = delivery(tx, id)? {
        deliveries::sql::remove(tx, delivery)?;
    }
    tx.execute(
        "update invitations set expires_at = ?2, invited_by = ?3 where id = ?1",
        params![id.0, now.plus(LIFETIME).millis(), actor.id.map(|id| id.0)],
    )?;
    set_token(tx, secret, id, token::random::<16>())?;
    get(tx, organization, id, now)?.ok_or_else(unknown)
}

/// The delivery of an invitation's mail.
fn delivery(c: &Connection, id: InvitationId) -> Result<Option<DeliveryId>> {
    let found = c.query_row("select delivery_id from invitations where id = ?1", [id.0], |row| row.get(0));
    Ok(found.optional()?.flatten().map(DeliveryId))
}

/// Records which delivery carries an invitation's mail.
pub fn set_delivery(tx: &Transaction<'_>, id: InvitationId, delivery: DeliveryId) -> Result<()> {
    tx.execute("update invitations set delivery_id = ?2 where id = ?1", params![id.0, delivery.0])?;
    Ok(())
}

/// Revokes an invitation and returns it; an accepted one stays as it is.
///
/// # Errors
/// Not found; conflict if it was accepted.
pub fn revoke(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: InvitationId,
    now: Timestamp,
) -> Result<Invitation> {
    let found = get(tx, organization, id, now)?.ok_or_else(unknown)?;
    if found.status == InvitationStatus::Accepted {
        return Err(Error::conflict("This invitation was accepted: remove the member instead"));
    }
    end(tx, id, now)?;
    Ok(found)
}

/// Makes the links of an invitation invalid, and withdraws its mail unless that was sent.
fn end(tx: &Transaction<'_>, id: InvitationId, now: Timestamp) -> Result<()> {
    if let Some(delivery) = delivery(tx, id)? {
        deliveries::sql::end(tx, delivery, Status::Withdrawn, None)?;
    }
    tx.execute(
        "update invitations set revoked_at = coalesce(revoked_at, ?2) where id = ?1",
        params![id.0, now.millis()],
    )?;
    Ok(())
}

/// Revokes the open invitation of an address, so that a removed person cannot return with an older one.
pub fn revoke_open(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    email: &str,
    now: Timestamp,
) -> Result<()> {
    let open = tx.query_row(
        "select id from invitations
         where organization_id = ?1 and email = ?2 and accepted_at is null and revoked_at is null",
        params![organization.0, email],
        |row| row.get(0).map(InvitationId),
    );
    open.optional()?.map_or(Ok(()), |id| end(tx, id, now))
}

pub fn unknown() -> Error {
    Error::not_found("There is no such invitation")
}

pub fn get(
    c: &Connection,
    organization: OrganizationId,
    id: InvitationId,
    now: Timestamp,
) -> Result<Option<Invitation>> {
    let mut statement = c.prepare_cached(&format!(
        "select {COLUMNS} {FROM}
         where i.organization_id = ?1 and i.id = ?2"
    ))?;
    let row = |row: &Row<'_>| invitation(row, now);
    Ok(statement.query_row(params![organization.0, id.0], row).optional()?)
}

/// An organization's invitations, newest first, and how many there are in total.
pub fn list(
    c: &Connection,
    organization: OrganizationId,
    status: Option<InvitationStatus>,
    page: Page,
    now: Timestamp,
) -> Result<(Vec<Invitation>, i64)> {
    let condition = match status {
        None => "1",
        Some(InvitationStatus::Accepted) => "i.accepted_at is not null",
        Some(InvitationStatus::Revoked) => "i.accepted_at is null and i.revoked_at is not null",
        Some(InvitationStatus::Expired) => {
            "i.accepted_at is null and i.revoked_at is null and i.expires_at <= ?2"
        }
        Some(InvitationStatus::Pending) => {
            "i.accepted_at is null and i.revoked_at is null and i.expires_at > ?2"
        }
    };
    // `?2` occurs in each, because a statement must use all parameters that are bound.
    let condition = format!("i.organization_id = ?1 and ?2 > 0 and {condition}");
    let total = c.query_row(
        &format!("select count(*) from invitations i where {condition}"),
        params![organization.0, now.millis()],
        |row| row.get(0),
    )?;
    let mut statement = c.prepare_cached(&format!(
        "select {COLUMNS} {FROM}
         where {condition} order by i.id desc limit ?3 offset ?4"
    ))?;
    let values = params![organization.0, now.millis(), page.limit, page.offset];
    let rows = statement.query_map(values, |row| invitation(row, now))?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}

const OPEN: &str = "select i.id, i.organization_id, i.email, i.role, u.email, i.invited_by, i.expires_at, i.mailed_hash
    from invitations i join users u on u.id = i.invited_by and u.disabled_at is null
        join memberships m on m.organization_id = i.organization_id and m.user_id = u.id and m.removed_at is null
    where i.accepted_at is null and i.revoked_at is null and (i.role = 'member' or m.role in ('admin', 'owner'))";

/// The invitation of a link's token, if it is valid and its inviter may still give its role.
pub fn open_by_token(
    c: &Connection,
    token_hash: &[u8; 32],
    now: Timestamp,
) -> Result<Option<OpenInvitation>> {
    let condition = "and (i.token_hash = ?1 or i.mailed_hash = ?1) and i.expires_at > ?2";
    let mut statement = c.prepare_cached(&format!("{OPEN} {condition}"))?;
    let row = |row: &Row<'_>| {
        let way = if row.get::<_, [u8; 32]>(7)? == *token_hash { Way::Mailed } else { Way::Shown };
        Ok(OpenInvitation { way, ..open(row)? })
    };
    Ok(statement.query_row(params![token_hash, now.millis()], row).optional()?)
}

/// The valid invitations of a proven e-mail, newest first.
pub fn open_by_email(c: &Connection, email: &str, now: Timestamp) -> Result<Vec<OpenInvitation>> {
    let mut statement =
        c.prepare_cached(&format!("{OPEN} and i.email = ?1 and i.expires_at > ?2 order by i.id desc"))?;
    let rows = statement.query_map(params![email, now.millis()], open)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Accepts an invitation for a person, who becomes a member. `false` if somebody was faster, or they are
/// already a member.
pub fn accept(
    tx: &Transaction<'_>,
    open: &OpenInvitation,
    user: UserId,
    actor: &Actor,
    now: Timestamp,
) -> Result<bool> {
    if organizations::role(tx, user, open.organization)?.is_some() {
        return Ok(false);
    }
    let changed = tx.execute(
        "update invitations set accepted_at = ?2, accepted_by = ?3
         where id = ?1 and accepted_at is null and revoked_at is null and expires_at > ?2",
        params![open.id.0, now.millis(), user.0],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    organizations::add_member(tx, open.organization, user, open.role, now)?;
    let invitation = (open.id, open.email.as_str(), open.role.as_str());
    let accepted = signals::NewSignal::of_invitation(Kind::InvitationAccepted, open.organization, invitation);
    signals::sql::add(tx, &accepted.about(user).by(Some(user)), now)?;
    let joined = signals::NewSignal::of_member(Kind::MemberJoined, open.organization, user);
    signals::sql::add(tx, &joined.by(Some(user)).with(json!({ "role": open.role.as_str() })), now)?;
    let act = actor.did("invitation.accepted", &open.email).within(open.organization);
    audit::sql::add(
        tx,
        &act.with(json!({ "role": open.role.as_str(), "invited_by": open.invited_by })),
        now,
    )?;
    let act = actor.did("member.joined", &open.email).within(open.organization);
    audit::sql::add(tx, &act.with(json!({ "role": open.role.as_str(), "how": "invitation" })), now)?;
    Ok(true)
}

fn open(row: &Row<'_>) -> rusqlite::Result<OpenInvitation> {
    Ok(OpenInvitation {
        id: InvitationId(row.get(0)?),
        organization: OrganizationId(row.get(1)?),
        email: row.get(2)?,
        role: organizations::role_column(row, 3)?,
        invited_by: row.get(4)?,
        inviter: row.get::<_, Option<i64>>(5)?.map(UserId),
        way: Way::Shown,
        expires_at: Timestamp::from_millis(row.get(6)?),
    })
}

fn invitation(row: &Row<'_>, now: Timestamp) -> rusqlite::Result<Invitation> {
    let time =
        |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis));
    let (accepted_at, revoked_at) = (time(9)?, time(10)?);
    let expires_at = Timestamp::from_millis(row.get(7)?);
    let status = match () {
        () if accepted_at.is_some() => InvitationStatus::Accepted,
        () if revoked_at.is_some() => InvitationStatus::Revoked,
        () if expires_at <= now => InvitationStatus::Expired,
        () => InvitationStatus::Pending,
    };
    Ok(Invitation {
        id: InvitationId(row.get(0)?),
        organization_id: OrganizationId(row.get(1)?),
        email: row.get(2)?,
        role: organizations::role_column(row, 3)?,
        status,
        delivery_status: DeliveryStatus::of(row.get_ref(4)?.as_str_or_null()?.and_then(Status::parse)),
        delivery_error: row.get(5)?,
        invite_url: None,
        invited_by: row.get(6)?,
        expires_at,
        created_at: Timestamp::from_millis(row.get(8)?),
        accepted_at,
        nonce: row.get(11)?,
        token_hash: row.get(12)?,
    })
}
