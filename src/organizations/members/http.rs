//! `/api/v1/organizations/{id}/members/{user_id}` and the owner.

use super::{Change, sql};
use crate::access::{ManageOrganization, ManageSignIn, Membership, OwnerOnly, RemoveMember};
use crate::accounts::people::People;
use crate::accounts::sign_in;
use crate::accounts::sign_in::Method;
use crate::accounts::sign_in::http::{NewSession, SetCookie};
use crate::audit::Actor;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::UserId;
use crate::organizations::http::{OrganizationDetails, details};
use crate::organizations::{Member, MemberStatus};
use crate::roles::Role;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
pub struct UpdateMember {
    /// `admin` or `member`.
    pub role: Option<Role>,
    /// `disabled` disables the account, `active` enables it again.
    pub status: Option<MemberStatus>,
}

fn user_id(text: &str) -> Result<UserId> {
    text.parse().map(UserId).map_err(|_| Error::not_found("There is no such member"))
}

/// Changes a member's role, which takes effect immediately, or their status; a disabled member is signed out.
#[utoipa::path(patch, path = "/api/v1/organizations/{organization_id}/members/{user_id}", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("user_id" = i64, Path)), request_body = UpdateMember,
    responses((status = 200, body = Member), (status = 404, description = "No such member"),
        (status = 409, description = "The owner, or listed in ADMIN_EMAILS")))]
pub async fn update_member(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, user)): Path<(String, String)>,
    Json(body): Json<UpdateMember>,
) -> Result<Answer<Member>> {
    if body.status.is_some() && !people.single_org {
        return Err(Error::forbidden(
            "Accounts do not belong to an organization here: remove the member instead.",
        ));
    }
    let disabled = body.status.map(|status| status == MemberStatus::Disabled);
    let change = Change { role: body.role, disabled };
    let (target, organization) = (user_id(&user)?, access.organization);
    let actor = Actor::person(&access.user, client.address);
    let writing = people.clone();
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let deed = sql::MemberAct { organization, actor, target };
        sql::change(tx, (&writing.config.sign_in, writing.single_org), &deed, change, Timestamp::now())?;
        crate::organizations::sql::member(tx, organization, target)
    });
    let member = write.await?.ok_or_else(|| Error::not_found("There is no such member"))?;
    people.live.check_watchers();
    Ok(Answer(member.shown_to(access.role, &people)))
}

/// Removes a member, or leaves. Their sessions end; what they wrote stays.
#[utoipa::path(delete, path = "/api/v1/organizations/{organization_id}/members/{user_id}", tag = "organizations",
    extensions(("x-access" = json!(Membership::<RemoveMember>::needs()))),
    params(("organization_id" = i64, Path), ("user_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such member"), (status = 409, description = "The owner")))]
pub async fn remove_member(
    State(people): State<Arc<People>>,
    access: Membership<RemoveMember>,
    client: Client,
    Path((_, user)): Path<(String, String)>,
) -> Result<StatusCode> {
    let target = user_id(&user)?;
    let deed = sql::MemberAct {
        organization: access.organization,
        actor: Actor::person(&access.user, client.address),
        target,
    };
    let single_org = people.single_org;
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        sql::remove(tx, single_org, &deed, Timestamp::now())
    });
    write.await?;
    people.live.check_watchers();
    Ok(StatusCode::NO_CONTENT)
}

/// A single-use link.
#[derive(Serialize, ToSchema)]
pub struct ResetLink {
    /// Shown only once.
    pub url: String,
    pub expires_at: Timestamp,
}

/// Creates a link with which a member can set a new password.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/members/{user_id}/reset-link",
    extensions(("x-access" = json!(Membership::<ManageSignIn>::needs()))),
    tag = "organizations", params(("organization_id" = i64, Path), ("user_id" = i64, Path)),
    responses((status = 201, body = ResetLink), (status = 404, description = "No such member"),
        (status = 409, description = "The account is disabled")))]
pub async fn create_reset_link(
    State(people): State<Arc<People>>,
    access: Membership<ManageSignIn>,
    client: Client,
    Path((_, user)): Path<(String, String)>,
) -> Result<(StatusCode, Answer<ResetLink>)> {
    if !people.single_org {
        return Err(Error::forbidden(
            "Accounts do not belong to an organization here: people reset their own passwords.",
        ));
    }
    if !people.config.sign_in.password_enabled {
        return Err(Error::not_found("Email sign-in is not enabled."));
    }
    let (link, hash) = new_link(&people);
    let deed = sql::MemberAct {
        organization: access.organization,
        actor: Actor::person(&access.user, client.address),
        target: user_id(&user)?,
    };
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        sql::make_reset_link(tx, &deed, hash, Timestamp::now())
    });
    let expires_at = write.await?;
    Ok((StatusCode::CREATED, Answer(ResetLink { url: link, expires_at })))
}

/// A link to set a new password, and the hash of its token.
fn new_link(people: &People) -> (String, [u8; 32]) {
    let token = token::link();
    let hash = token::keyed_hash(&people.secrets.jwt, &token);
    (format!("{}/reset-password#token={token}", people.addresses.frontend), hash)
}

#[derive(Deserialize, ToSchema)]
pub struct HandOver {
    /// The id of an active member.
    pub user_id: UserId,
}

#[derive(Serialize, ToSchema)]
pub struct HandedOver {
    #[serde(flatten)]
    pub organization: OrganizationDetails,
    /// The link with which the new owner sets a password. Present only if their mailbox is unproven: in that
    /// case their password, sessions, tokens and identities have been deleted.
    pub reset_link: Option<ResetLink>,
}

/// Hands the organization over: the caller becomes admin and continues with a new session.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/owner", tag = "organizations",
    extensions(("x-access" = json!(Membership::<OwnerOnly>::needs()))),
    params(("organization_id" = i64, Path)), request_body = HandOver,
    responses((status = 200, body = HandedOver), (status = 404, description = "No such member"),
        (status = 409, description = "Disabled, or already the owner")))]
pub async fn hand_over(
    State(people): State<Arc<People>>,
    access: Membership<OwnerOnly>,
    client: Client,
    Json(body): Json<HandOver>,
) -> Result<(SetCookie, Answer<HandedOver>)> {
    let organization = access.organization;
    let deed = sql::MemberAct {
        organization,
        actor: Actor::person(&access.user, client.address),
        target: body.user_id,
    };
    let session = NewSession::make(&people, &client, Method::Password);
    let (new, user) = (session.stored.clone(), access.user.id);
    let (single_org, (url, hash)) = (people.single_org, new_link(&people));
    let hash = people.config.sign_in.password_enabled.then_some(hash);
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let link_ends = sql::hand_over(tx, single_org, &deed, hash, now)?;
        sign_in::sql::end_all(tx, user, None)?;
        sign_in::sql::add(tx, user, &new, now)?;
        Ok(link_ends)
    });
    let reset_link = write.await?.map(|expires_at| ResetLink { url, expires_at });
    people.live.check_watchers();
    let organization = details(&people, organization, Some(access.user.id), Role::Admin).await?;
    Ok((session.cookie(&people), Answer(HandedOver { organization, reset_link })))
}
