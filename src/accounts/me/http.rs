//! `/api/v1/me` and `/api/v1/me/identities`.

use super::{Profile, sql};
use crate::access::{Browser, Caller};
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::audit::{self, Actor};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::{IdentityId, OrganizationId, ProjectId};
use crate::projects::Scope;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// Who the caller is: a person or a key.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind")]
pub enum Me {
    #[serde(rename = "user")]
    Person(Profile),
    #[serde(rename = "project_key")]
    Key { project_id: ProjectId, scopes: Vec<Scope> },
    #[serde(rename = "organization_key")]
    OrganizationKey { organization_id: OrganizationId, name: String },
}

/// Shows the caller.
#[utoipa::path(get, path = "/api/v1/me", tag = "account",
    extensions(("x-access" = json!(Caller::needs()))),
    responses((status = 200, body = Me)))]
pub async fn me(State(people): State<Arc<People>>, caller: Caller) -> Result<Answer<Me>> {
    Ok(Answer(match caller {
        Caller::Person(person) => {
            Me::Person(people.main.read(move |c| sql::profile(c, person.user.id)).await?)
        }
        Caller::Key(key) => Me::Key { project_id: key.project, scopes: key.scopes.clone() },
        Caller::OrganizationKey(key) => {
            Me::OrganizationKey { organization_id: key.organization, name: key.name }
        }
    }))
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateMe {
    /// 1 to 128 characters.
    pub name: String,
}

/// Changes the caller's display name.
#[utoipa::path(patch, path = "/api/v1/me", tag = "account", request_body = UpdateMe,
    extensions(("x-access" = json!(Browser::needs()))),
    responses((status = 200, body = Me)))]
pub async fn update_me(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Json(body): Json<UpdateMe>,
) -> Result<Answer<Me>> {
    let name = check_name("name", &body.name)?;
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let now = Timestamp::now();
        let detail = json!({ "from": caller.user.name, "to": name });
        crate::accounts::sql::rename(tx, caller.user.id, &name, now)?;
        audit::sql::add(tx, &actor.did("profile.renamed", &actor.name).with(detail), now)?;
        sql::profile(tx, caller.user.id)
    });
    Ok(Answer(Me::Person(write.await?)))
}

/// Unlinks one of the caller's identities at a provider.
#[utoipa::path(delete, path = "/api/v1/me/identities/{identity_id}", tag = "account",
    extensions(("x-access" = json!(Browser::needs()))),
    params(("identity_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such identity"),
        (status = 409, description = "It is the caller's only way to sign in")))]
pub async fn unlink_identity(
    State(people): State<Arc<People>>,
    caller: Browser,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let unknown = || Error::not_found("There is no such identity");
    let id = IdentityId(id.parse().map_err(|_| unknown())?);
    let actor = Actor::person(&caller.user, client.address);
    let write = people.main.write(move |tx| {
        caller.standing.check(tx)?;
        let Some(issuer) = sql::unlink(tx, caller.user.id, id)? else { return Ok(false) };
        let act = actor.did("identity.unlinked", &actor.name).with(json!({ "issuer": issuer }));
        audit::sql::add(tx, &act, Timestamp::now())?;
        Ok(true)
    });
    if write.await? { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}
