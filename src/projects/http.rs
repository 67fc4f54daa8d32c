//! `/api/v1/projects/{id}`, an organization's projects, and a project's keys.

pub mod limits;

use super::service::ProjectService;
use super::{Key, Project, Scope, Settings, check_environment, new_key, shown_part, sql};
use crate::access::{Access, Administer, Membership, OrganizationAccess, Read};
use crate::accounts::check_name;
use crate::audit::{self, Actor};
use crate::crypto::seal::{Seal, SealContext};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::{KeyId, RepositoryId};
use crate::projects::PLATFORM_MAX;
use crate::projects::http::limits::Limits;
use crate::repositories;
use crate::store::Transaction;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Projects {
    pub projects: Vec<Project>,
    pub total: usize,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateProject {
    /// 1 to 128 characters.
    pub name: String,
    /// Up to 64 characters.
    pub platform: Option<String>,
    pub settings: Option<Settings>,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateProject {
    pub name: Option<String>,
    /// `null` clears it.
    #[serde(default, deserialize_with = "crate::http::extract::given")]
    #[schema(value_type = Option<String>)]
    pub platform: Option<Option<String>>,
    /// Missing settings stay as they are.
    #[schema(value_type = Option<Settings>)]
    pub settings: Option<serde_json::Value>,
    /// The repositories that its code is in, the first one first: at most 20, and replaces all of them.
    pub repositories: Option<Vec<RepositoryId>>,
}

/// Lists an organization's projects.
#[utoipa::path(get, path = "/api/v1/organizations/{organization_id}/projects", tag = "projects",
    extensions(("x-access" = json!(OrganizationAccess::needs()))),
    params(("organization_id" = i64, Path)), responses((status = 200, body = Projects)))]
pub async fn list_projects(
    State(projects): State<ProjectService>,
    access: OrganizationAccess,
) -> Result<Answer<Projects>> {
    let projects = projects.main.read(move |c| sql::list(c, access.organization)).await?;
    Ok(Answer(Projects { total: projects.len(), projects }))
}

/// Creates a project.
#[utoipa::path(post, path = "/api/v1/organizations/{organization_id}/projects", tag = "projects",
    extensions(("x-access" = json!(Membership::<Administer>::needs()))),
    params(("organization_id" = i64, Path)), request_body = CreateProject,
    responses((status = 201, body = Project)))]
pub async fn create_project(
    State(projects): State<ProjectService>,
    access: Membership<Administer>,
    client: Client,
    Json(body): Json<CreateProject>,
) -> Result<(StatusCode, Answer<Project>)> {
    let settings = body.settings.unwrap_or_default();
    settings.check()?;
    let new = sql::NewProject {
        organization: access.organization,
        name: check_name("name", &body.name)?,
        platform: body.platform.map(check_platform).transpose()?,
        settings,
    };
    let actor = Actor::person(&access.user, client.address);
    let write = projects.main.write(move |tx| {
        access.standing.check(tx)?;
        let now = Timestamp::now();
        let project = sql::create(tx, &new, now)?;
        let act = actor.did("project.created", &project.name).within(access.organization);
        audit::sql::add(tx, &act, now)?;
        Ok(project)
    });
    let project = write.await?;
    Ok((StatusCode::CREATED, Answer(project)))
}

/// Shows a project.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = Project)))]
pub async fn get_project(
    State(projects): State<ProjectService>,
    access: Access<Read>,
) -> Result<Answer<Project>> {
    let project = projects.main.read(move |c| sql::get(c, access.project.id)).await?;
    project.map(Answer).ok_or_else(Error::no_project_access)
}

/// Shows the limits for events, uploads and requests.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/limits", tag = "projects",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = Limits)))]
pub async fn get_limits(State(projects): State<ProjectService>, access: Access<Read>) -> Answer<Limits> {
    let room = projects.disk.accepting().and_then(|()| projects.directory.check_room(access.project.id));
    Answer(Limits::of(&projects.people.config, room.err().map(|error| error.to_string())))
}

/// Changes a project's name, platform, settings or repositories.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), request_body = UpdateProject, responses((status = 200, body = Project)))]
pub async fn update_project(
    State(projects): State<ProjectService>,
    access: Access<Administer>,
    client: Client,
    Json(body): Json<UpdateProject>,
) -> Result<Answer<Project>> {
    // An agent may have a token, and must not choose which repository it works in.
    if body.repositories.is_some() && access.is_by_token() {
        return Err(Error::forbidden(
            "repositories: only a person who is signed in may name those of a project, no key and no token",
        ));
    }
    let standing = access.standing()?;
    let actor = actor(&access, &client)?;
    let name = body.name.map(|name| check_name("name", &name)).transpose()?;
    let platform = body.platform.map(|platform| platform.map(check_platform).transpose()).transpose()?;
    let changed = projects.write_and_refresh(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let mut project = sql::get(tx, access.project.id)?.ok_or_else(Error::no_project_access)?;
        let before = project.settings.retention;
        project.name = name.unwrap_or(project.name);
        project.platform = platform.unwrap_or(project.platform);
        if let Some(change) = &body.settings {
            project.settings = project.settings.merged(change)?;
        }
        project.updated_at = now;
        sql::update(tx, &project, now)?;
        if let Some(named) = &body.repositories {
            repositories::sql::set_of_project(tx, project.organization_id, project.id, named)?;
            project.repositories = repositories::sql::of_project(tx, project.id)?;
        }
        if project.settings.retention != before {
            let detail = json!({ "project_id": project.id, "retention": project.settings.retention });
            let act = actor.did("project.retention_changed", &project.name).within(project.organization_id);
            audit::sql::add(tx, &act.with(detail), now)?;
        }
        Ok(project)
    });
    Ok(Answer(changed.await?))
}

/// Deletes a project with its issues, events, releases and keys. This cannot be undone.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 204)))]
pub async fn delete_project(
    State(projects): State<ProjectService>,
    access: Access<Administer>,
    client: Client,
) -> Result<StatusCode> {
    let standing = access.standing()?;
    let project = access.project.id;
    let actor = actor(&access, &client)?;
    let mark = move |tx: &Transaction<'_>| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let name = sql::get(tx, project)?.ok_or_else(Error::no_project_access)?.name;
        audit::sql::add(tx, &actor.did("project.deleted", name).within(access.project.organization), now)?;
        sql::mark_deleted(tx, project, now)
    };
    projects.delete(project, mark).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, ToSchema)]
pub struct Keys {
    pub api_keys: Vec<ListedKey>,
    pub total: usize,
}

#[derive(Serialize, ToSchema)]
pub struct ListedKey {
    #[serde(flatten)]
    pub record: Key,
    /// The full key, if it is valid and its only scope is `ingest`: anybody can read such a key in the source
    /// of a page. Otherwise `null`.
    pub key: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct CreateKey {
    /// A descriptive label, 1 to 128 characters.
    pub name: String,
    /// Default: `ingest` and `releases`. A key for browsers needs `ingest` only.
    pub scopes: Option<Vec<Scope>>,
    /// Becomes part of the key: `pk_<environment>_…`.
    pub environment: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedKey {
    #[serde(flatten)]
    pub record: Key,
    /// The full key. If it may do more than `ingest`, only a hash is stored, and it is shown only this once.
    pub key: String,
}

/// Lists a project's keys, newest first, including revoked ones.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/api-keys", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = Keys)))]
pub async fn list_keys(
    State(projects): State<ProjectService>,
    access: Access<Administer>,
) -> Result<Answer<Keys>> {
    let listed = projects.main.read(move |c| sql::list_keys(c, access.project.id)).await?;
    let seal = Seal::new(&projects.people.secrets.cloud);
    let shown = |(record, hash, sealed): sql::KeyRow| {
        // A key sealed with a lost CLOUD_SECRET_KEY counts as not stored.
        let key = sealed.and_then(|sealed| seal.open(&key_place(&hex(&hash)), &sealed).ok());
        ListedKey { record, key: key.and_then(|key| String::from_utf8(key).ok()) }
    };
    let api_keys: Vec<_> = listed.into_iter().map(shown).collect();
    Ok(Answer(Keys { total: api_keys.len(), api_keys }))
}

/// The place to which a sealed key is bound, by its hash.
fn key_place(hash: &str) -> SealContext<'_> {
    SealContext { table: "project_keys", column: "sealed", row: hash }
}

fn hex(hash: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

/// Creates a key and shows it.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/api-keys", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), request_body = CreateKey, responses((status = 201, body = CreatedKey)))]
pub async fn create_key(
    State(projects): State<ProjectService>,
    access: Access<Administer>,
    client: Client,
    Json(body): Json<CreateKey>,
) -> Result<(StatusCode, Answer<CreatedKey>)> {
    let standing = access.standing()?;
    let name = check_name("name", &body.name)?;
    let scopes = check_scopes(body.scopes)?;
    body.environment.as_deref().map(check_environment).transpose()?;
    let created_by = access.user().ok_or_else(Error::signed_out)?.id;
    let actor = actor(&access, &client)?;
    let key = new_key(body.environment.as_deref());
    let hash = token::key_hash(&key);
    let is_public = scopes == [Scope::Ingest];
    let seal = || Seal::new(&projects.people.secrets.cloud).seal(&key_place(&hex(&hash)), key.as_bytes());
    let new = sql::NewKey {
        project: access.project.id,
        name,
        prefix: shown_part(&key).to_owned(),
        hash,
        sealed: is_public.then(seal).transpose()?,
        scopes,
        environment: body.environment,
        created_by,
    };
    let write = projects.write_and_refresh(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let record = sql::create_key(tx, &new, now)?;
        let detail = json!({ "project_id": record.project_id, "scopes": record.scopes });
        let act = actor.did("project_key.created", &record.name).within(access.project.organization);
        audit::sql::add(tx, &act.with(detail), now)?;
        Ok(record)
    });
    let record = write.await?;
    Ok((StatusCode::CREATED, Answer(CreatedKey { record, key })))
}

/// Revokes a key; requests with it are answered 401.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/api-keys/{key_id}", tag = "projects",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("key_id" = i64, Path)), responses((status = 204)))]
pub async fn revoke_key(
    State(projects): State<ProjectService>,
    access: Access<Administer>,
    client: Client,
    Path((_, key_id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let standing = access.standing()?;
    let unknown = || Error::not_found("This project has no such key");
    let id = KeyId(key_id.parse().map_err(|_| unknown())?);
    let project = access.project.id;
    let actor = actor(&access, &client)?;
    let write = projects.write_and_refresh(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let Some(name) = sql::revoke_key(tx, project, id, now)? else { return Ok(false) };
        let act = actor.did("project_key.revoked", name).within(access.project.organization);
        audit::sql::add(tx, &act.with(json!({ "project_id": project })), now)?;
        Ok(true)
    });
    if write.await? { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

fn actor(access: &Access<Administer>, client: &Client) -> Result<Actor> {
    let user = access.user().ok_or_else(Error::signed_out)?;
    Ok(Actor::person(user, client.address))
}

fn check_scopes(given: Option<Vec<Scope>>) -> Result<Vec<Scope>> {
    let mut scopes = given.unwrap_or_else(|| vec![Scope::Ingest, Scope::Releases]);
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        return Err(Error::invalid("scopes: expected at least one of ingest, releases, read"));
    }
    Ok(scopes)
}

fn check_platform(platform: String) -> Result<String> {
    let length = platform.chars().count();
    if length == 0 || length > PLATFORM_MAX || platform.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "platform: expected 1 to {PLATFORM_MAX} characters, got {length}"
        )));
    }
    Ok(platform)
}
