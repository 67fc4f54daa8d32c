//! `/api/v1/organizations/{id}/invitations`.

use super::{Invitation, InvitationStatus, sql};
use crate::access::{ManageOrganization, Membership};
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::{Json, Paging, Query};
use crate::ids::InvitationId;
use crate::roles::Role;
use crate::signals;
use crate::store::Transaction;
use crate::text::email::normal_email;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InvitationParams {
    /// Default: all.
    pub status: Option<InvitationStatus>,
}

#[derive(Serialize, ToSchema)]
pub struct Invitations {
    pub invitations: Vec<Invitation>,
    pub total: i64,
    pub has_more: bool,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateInvitation {
    pub email: String,
    /// `member` (default) or `admin`.
    pub role: Option<Role>,
}

/// Lists invitations, newest first.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/invitations", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), Paging, InvitationParams), responses((status = 200, body = Invitations)))]
pub async fn list_invitations(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    Query(paging): Query<Paging>,
    Query(params): Query<InvitationParams>,
) -> Result<Answer<Invitations>> {
    let page = paging.page(50, 200)?;
    let read = move |c: &_| sql::list(c, access.organization, params.status, page, Timestamp::now());
    let (invitations, total) = people.main.read(read).await?;
    let link = |invitation: Invitation| invitation.with_link(&people);
    let invitations: Vec<Invitation> = invitations.into_iter().map(link).collect();
    Ok(Answer(Invitations { has_more: page.has_more(invitations.len(), total), invitations, total }))
}

/// Invites somebody, by mail if that is configured; the answer contains the link in any case.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/invitations", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), request_body = CreateInvitation,
    responses((status = 201, body = Invitation), (status = 409, description = "A member, or invited already")))]
pub async fn create_invitation(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Json(body): Json<CreateInvitation>,
) -> Result<(StatusCode, Answer<Invitation>)> {
    let role = body.role.unwrap_or(Role::Member);
    if role == Role::Owner {
        return Err(Error::invalid("role: expected admin or member; an owner hands the organization over"));
    }
    let new = sql::NewInvitation {
        organization: access.organization,
        email: normal_email(&body.email)?,
        role,
        inviter: access.user.id,
    };
    let actor = Actor::person(&access.user, client.address);
    let writing = people.clone();
    let write = move |tx: &Transaction<'_>| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        // Checked again, because the role may have changed since the request arrived.
        still_may(tx, &access, role)?;
        let mut made = sql::create(tx, &writing.secrets.jwt, &new, now)?.with_link(&writing);
        send(tx, &writing, &mut made, &actor, "invitation.created", now)?;
        Ok(made)
    };
    let made = write_and_wake(people, write).await?;
    Ok((StatusCode::CREATED, Answer(made)))
}

/// Runs a write that leaves mail to be sent. Goes on when the caller goes away, so that the mail does not wait.
async fn write_and_wake<F>(people: Arc<People>, write: F) -> Result<Invitation>
where
    F: FnOnce(&Transaction<'_>) -> Result<Invitation> + Send + 'static,
{
    let work = async move {
        let written = people.main.write(write).await?;
        people.deliveries.wake();
        Ok(written)
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

/// Sends an invitation again with a new link; the old one becomes invalid.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/invitations/{invitation_id}/resend",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    tag = "organizations", params(("organization_id" = i64, Path), ("invitation_id" = i64, Path)),
    responses((status = 200, body = Invitation), (status = 404, description = "No such invitation"),
        (status = 409, description = "Accepted or revoked")))]
pub async fn resend_invitation(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<Invitation>> {
    let id = invitation_id(&id)?;
    let actor = Actor::person(&access.user, client.address);
    let writing = people.clone();
    let write = move |tx: &Transaction<'_>| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let role = still_may(tx, &access, Role::Member)?;
        let secret = &writing.secrets.jwt;
        let renewed = sql::renew(tx, secret, (access.organization, id), (&actor, role), now)?;
        let mut renewed = renewed.with_link(&writing);
        send(tx, &writing, &mut renewed, &actor, "invitation.resent", now)?;
        Ok(renewed)
    };
    let renewed = write_and_wake(people, write).await?;
    Ok(Answer(renewed))
}

/// Revokes an invitation: its link becomes invalid.
#[utoipa::path(delete, path = "/api/v1/organizations/{organization_id}/invitations/{invitation_id}",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    tag = "organizations", params(("organization_id" = i64, Path), ("invitation_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such invitation"), (status = 409, description = "Accepted")))]
pub async fn revoke_invitation(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (id, organization) = (invitation_id(&id)?, access.organization);
    let actor = Actor::person(&access.user, client.address);
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        still_may(tx, &access, Role::Member)?;
        let revoked = sql::revoke(tx, organization, id, now)?;
        audit::sql::add(tx, &actor.did("invitation.revoked", revoked.email).within(organization), now)
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

fn invitation_id(text: &str) -> Result<InvitationId> {
    text.parse().map(InvitationId).map_err(|_| sql::unknown())
}

/// The caller's current role, which must allow inviting, and inviting as `role`.
fn still_may(
    tx: &crate::store::Transaction<'_>,
    access: &Membership<ManageOrganization>,
    role: Role,
) -> Result<Role> {
    let now = crate::organizations::sql::role(tx, access.user.id, access.organization)?;
    now.filter(|own| *own >= Role::Admin && *own >= role).ok_or_else(Error::no_organization_access)
}

/// Adds the mail, the signal and the audit entry, in the transaction of the invitation.
fn send(
    tx: &crate::store::Transaction<'_>,
    people: &People,
    invitation: &mut Invitation,
    actor: &Actor,
    action: &'static str,
    now: Timestamp,
) -> Result<()> {
    let role = invitation.role.as_str();
    let sent = (invitation.id, invitation.email.as_str(), role);
    let sent =
        signals::NewSignal::of_invitation(signals::Kind::InvitationSent, invitation.organization_id, sent);
    signals::sql::add(tx, &sent.by(actor.id), now)?;
    let detail = json!({ "role": role });
    let act = actor.did(action, &invitation.email).within(invitation.organization_id).with(detail);
    audit::sql::add(tx, &act, now)?;
    super::service::add(tx, people, invitation, actor, now)
}
