//! `/api/v1/organizations`.

use super::{Member, Organization, sql};
use crate::access::{
    Browser, Caller, ManageOrganization, Membership, OrganizationAccess, OrganizationCaller,
};
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::{OrganizationId, UserId};
use crate::roles::Role;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// An organization with its members.
#[derive(Serialize, ToSchema)]
pub struct OrganizationDetails {
    #[serde(flatten)]
    pub organization: Organization,
    pub members: Vec<Member>,
    pub member_count: usize,
}

/// Lists the organizations of the caller.
#[utoipa::path(get, path = "/api/v1/organizations", tag = "organizations",
    extensions(("x-access" = json!(OrganizationCaller::needs()))),
    responses((status = 200, body = Vec<Organization>)))]
pub async fn list_organizations(
    State(people): State<Arc<People>>,
    OrganizationCaller(caller): OrganizationCaller,
) -> Result<Answer<Vec<Organization>>> {
    let read = move |c: &_| match &caller {
        Caller::Person(person) => sql::list(c, person.user.id),
        Caller::OrganizationKey(key) => Ok(sql::by_key(c, key.organization)?.into_iter().collect()),
        Caller::Key(_) => Ok(Vec::new()),
    };
    Ok(Answer(people.main.read(read).await?))
}

#[derive(Deserialize, ToSchema)]
pub struct NameOrganization {
    /// 1 to 128 characters.
    pub name: String,
}

/// Creates an organization owned by the caller, if there may be several.
#[utoipa::path(post, path = "/api/v1/organizations", tag = "organizations", request_body = NameOrganization,
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 201, body = Organization), (status = 403, description = "There can be only one organization")))]
pub async fn create_organization(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Json(body): Json<NameOrganization>,
) -> Result<(StatusCode, Answer<Organization>)> {
    if people.single_org {
        return Err(Error::forbidden("This instance has only one organization."));
    }
    let name = check_name("name", &body.name)?;
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let now = Timestamp::now();
        crate::accounts::sql::open_to_many(tx, now)?;
        let id = sql::create(tx, &name, now)?;
        sql::add_member(tx, id, caller.user.id, Role::Owner, now)?;
        audit::sql::add(tx, &actor.did("organization.created", name).within(id), now)?;
        sql::get(tx, id, caller.user.id)?.ok_or_else(Error::no_organization_access)
    });
    Ok((StatusCode::CREATED, Answer(write.await?)))
}

/// Shows one organization with its members.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}", tag = "organizations",
    extensions(("x-access" = json!(OrganizationAccess::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = OrganizationDetails)))]
pub async fn get_organization(
    State(people): State<Arc<People>>,
    access: OrganizationAccess,
) -> Result<Answer<OrganizationDetails>> {
    let user = match &access.caller {
        Caller::Person(person) => Some(person.user.id),
        Caller::Key(_) | Caller::OrganizationKey(_) => None,
    };
    details(&people, access.organization, user, access.role).await.map(Answer)
}

/// The organization, as seen by a person or by one of its keys.
pub(super) async fn details(
    people: &People,
    id: OrganizationId,
    user: Option<UserId>,
    role: Role,
) -> Result<OrganizationDetails> {
    let found = people.main.read(move |c| {
        let organization = match user {
            Some(user) => sql::get(c, id, user)?,
            None => sql::by_key(c, id)?,
        };
        Ok((organization.ok_or_else(Error::no_organization_access)?, sql::members(c, id)?))
    });
    let (organization, members) = found.await?;
    let members: Vec<Member> = members.into_iter().map(|member| member.shown_to(role, people)).collect();
    Ok(OrganizationDetails { organization, member_count: members.len(), members })
}

/// Renames an organization.
#[utoipa::path(patch, path = "/api/v1/organizations/{organization_id}", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), request_body = NameOrganization,
    responses((status = 200, body = Organization)))]
pub async fn update_organization(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Json(body): Json<NameOrganization>,
) -> Result<Answer<Organization>> {
    let name = check_name("name", &body.name)?;
    let (id, user) = (access.organization, access.user.id);
    let actor = Actor::person(&access.user, client.address);
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let detail = json!({ "from": sql::name(tx, id)? });
        sql::rename(tx, id, &name, now)?;
        audit::sql::add(tx, &actor.did("organization.renamed", name).within(id).with(detail), now)?;
        sql::get(tx, id, user)?.ok_or_else(Error::no_organization_access)
    });
    Ok(Answer(write.await?))
}
