//! `/api/v1/organizations/{id}/api-keys`.

use super::{OrganizationKeyRecord, OrganizationScope, PREFIX, sql};
use crate::access::{ManageOrganization, Membership};
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::KeyId;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Random characters of a key, 238 bits.
const LENGTH: usize = 40;

#[derive(Serialize, ToSchema)]
pub struct OrganizationKeys {
    pub api_keys: Vec<OrganizationKeyRecord>,
    pub total: usize,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateOrganizationKey {
    /// What it is for, 1 to 128 characters.
    pub name: String,
    /// `read`, which is also the default, or `write`, which includes it.
    pub scopes: Option<Vec<OrganizationScope>>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedOrganizationKey {
    #[serde(flatten)]
    pub record: OrganizationKeyRecord,
    /// The full key, shown only once.
    pub key: String,
}

/// Lists an organization's keys, newest first, including revoked ones.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/api-keys", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = OrganizationKeys)))]
pub async fn list_organization_keys(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
) -> Result<Answer<OrganizationKeys>> {
    let api_keys = people.main.read(move |c| sql::list(c, access.organization)).await?;
    Ok(Answer(OrganizationKeys { total: api_keys.len(), api_keys }))
}

/// Creates a key of the organization, and shows it, only this once.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/api-keys", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path)), request_body = CreateOrganizationKey,
    responses((status = 201, body = CreatedOrganizationKey), (status = 409, description = "Too many keys")))]
pub async fn create_organization_key(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Json(body): Json<CreateOrganizationKey>,
) -> Result<(StatusCode, Answer<CreatedOrganizationKey>)> {
    let scopes = check_scopes(body.scopes)?;
    let key = format!("ok_{}", token::random_base62(LENGTH));
    let new = sql::NewKey {
        organization: access.organization,
        name: check_name("name", &body.name)?,
        prefix: key[..PREFIX].to_owned(),
        hash: token::key_hash(&key),
        scopes,
        created_by: access.user.id,
    };
    let act = Actor::person(&access.user, client.address)
        .did("organization_key.created", &new.name)
        .within(access.organization)
        .with(json!({ "scopes": new.scopes }));
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let record = sql::create(tx, &new, now)?;
        audit::sql::add(tx, &act, now)?;
        Ok(record)
    });
    let record = write.await?;
    Ok((StatusCode::CREATED, Answer(CreatedOrganizationKey { record, key })))
}

/// Revokes a key; requests with it are answered 401.
#[utoipa::path(delete, path = "/api/v1/organizations/{organization_id}/api-keys/{key_id}", tag = "organizations",
    extensions(("x-access" = json!(Membership::<ManageOrganization>::needs()))),
    params(("organization_id" = i64, Path), ("key_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such key")))]
pub async fn revoke_organization_key(
    State(people): State<Arc<People>>,
    access: Membership<ManageOrganization>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let unknown = || Error::not_found("This organization has no such key");
    let id = KeyId(id.parse().map_err(|_| unknown())?);
    let actor = Actor::person(&access.user, client.address);
    let write = people.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let Some(name) = sql::revoke(tx, access.organization, id, now)? else { return Ok(false) };
        audit::sql::add(tx, &actor.did("organization_key.revoked", name).within(access.organization), now)?;
        Ok(true)
    });
    let found = write.await?;
    people.live.check_watchers();
    if found { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

/// Each once, with what it includes.
fn check_scopes(given: Option<Vec<OrganizationScope>>) -> Result<Vec<OrganizationScope>> {
    let mut scopes = given.unwrap_or_else(|| vec![OrganizationScope::Read]);
    if scopes.is_empty() {
        return Err(Error::invalid("scopes: expected at least one of read, write"));
    }
    scopes.push(OrganizationScope::Read);
    scopes.sort_unstable();
    scopes.dedup();
    Ok(scopes)
}
