//! `/api/repos` and `/api/prebuilds`.

use super::address::{self, check_address, check_branch, check_files, check_hosts};
use super::report_path::ReportPath;
use super::sql::{self, NewRepository, RepositoryChange};
use super::{COMMAND_MAX, HOST_NAME_MAX, Prebuild, Repository, SOURCE_MAX, check_text};
use crate::access::{BoundAgents, ManageAutomations, Platform, ReadPlatform};
use crate::accounts::people::People;
use crate::audit;
use crate::connections;
use crate::error::{Error, Result};
use crate::http::extract::Json;
use crate::ids::{ConnectionId, PrebuildId, RepositoryId};
use crate::sessions::Origin;
use crate::store::Transaction;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Repositories {
    pub repos: Vec<Repository>,
}

#[derive(Serialize, ToSchema)]
pub struct OneRepository {
    pub repo: Repository,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateRepository {
    /// The code host's id of it, 1 to 255 characters.
    #[serde(alias = "host_repo_id")]
    pub host_repo_id: String,
    /// What git clones from: https or ssh, without credentials.
    #[serde(alias = "host_url")]
    pub host_url: String,
    /// Such as `acme/shop`, 1 to 255 characters.
    #[serde(alias = "host_repo_name")]
    pub host_repo_name: String,
    /// Default: `main`.
    #[serde(alias = "default_branch")]
    pub default_branch: Option<String>,
    /// The connection to its code host.
    #[serde(alias = "integration_id")]
    pub integration_id: Option<ConnectionId>,
    #[serde(default, alias = "is_private")]
    pub is_private: bool,
    /// Where it was found, 1 to 64 characters. Default: `git`.
    pub source: Option<String>,
    /// At most 50 hosts that agents in a room may reach by https, such as `registry.npmjs.org` or `*.example.com`. Only a
    /// person who is signed in may name some: keys and tokens may not.
    #[serde(default, alias = "allowed_hosts")]
    pub allowed_hosts: Vec<String>,
}

/// What to change.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateRepository {
    /// At most 50 hosts that agents in a room may reach by https, in place of those before.
    #[serde(alias = "allowed_hosts")]
    pub allowed_hosts: Option<Vec<String>>,
    /// At most 50 manifests, lock files or files that build, by name (`package.json`, at any depth) or path (`web/Cargo.lock`),
    /// which agents may change without a person having looked, in place of those before. What else is held back stays so.
    #[serde(alias = "allowed_files")]
    pub allowed_files: Option<Vec<String>>,
    /// The shell command with which runners make a checkout ready for agents and tests, at most 2,000 characters; empty: none.
    #[serde(alias = "setup_command")]
    pub setup_command: Option<String>,
    /// The one that tests it, at most 2,000 characters; empty: nothing is tested.
    #[serde(alias = "test_command")]
    pub test_command: Option<String>,
    /// Where that writes its results as JUnit XML, at most 500 bytes: a path within the repository, such as
    /// `target/nextest/ci/junit.xml`, or a pattern with `*`, `?` and `**`, such as `build/test-results/**/*.xml`. What is there
    /// is removed before the tests run. Empty: only the command's exit code counts.
    #[serde(alias = "test_report")]
    pub test_report: Option<String>,
}

/// Checks a shell command; an empty one means none.
fn command(field: &str, given: Option<String>) -> Result<Option<Option<String>>> {
    let Some(given) = given else { return Ok(None) };
    let text = given.trim();
    if text.chars().count() > COMMAND_MAX || text.contains('\0') {
        return Err(Error::invalid(format!(
            "{field}: expected a shell command of at most {COMMAND_MAX} characters"
        )));
    }
    Ok(Some((!text.is_empty()).then(|| text.to_owned())))
}

/// Checks the path of reports; an empty one means none.
fn report_path(field: &str, given: Option<String>) -> Result<Option<Option<String>>> {
    let Some(given) = given else { return Ok(None) };
    let text = given.trim();
    if !text.is_empty() {
        ReportPath::parse(text).map_err(|why| Error::invalid(format!("{field}: {why}")))?;
    }
    Ok(Some((!text.is_empty()).then(|| text.to_owned())))
}

#[derive(Serialize, ToSchema)]
pub struct CreatedRepository {
    pub id: RepositoryId,
    pub repo: Repository,
    /// Whether the organization had a repository with this `hostRepoId`, which stays as it is.
    pub existing: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Deleted {
    /// Always true.
    pub deleted: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Prebuilds {
    pub prebuilds: Vec<Prebuild>,
}

#[derive(Serialize, ToSchema)]
pub struct OnePrebuild {
    pub prebuild: Prebuild,
}

/// Lists the organization's repositories, by name.
#[utoipa::path(get, path = "/api/repos", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    responses((status = 200, body = Repositories)))]
pub async fn list_repositories(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
) -> Result<Answer<Repositories>> {
    let repos = people.main.read(move |c| sql::list(c, access.organization)).await?;
    Ok(Answer(Repositories { repos }))
}

/// Adds a repository, unless the organization has it. Only a person who is signed in adds a second one at the same address:
/// with a key or a token, an agent would escape what people have set for the first.
#[utoipa::path(post, path = "/api/repos", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    request_body = CreateRepository,
    responses((status = 200, body = CreatedRepository), (status = 409, description = "Too many repositories, or a key or a token adds one at the address of another")))]
pub async fn create_repository(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Json(body): Json<CreateRepository>,
) -> Result<Answer<CreatedRepository>> {
    // An agent may have a key or a token, and must not choose which hosts it may reach.
    if !body.allowed_hosts.is_empty() && access.origin() != Origin::Web {
        return Err(Error::forbidden(
            "allowedHosts: only a person who is signed in may name hosts, no key and no token",
        ));
    }
    let new = NewRepository {
        organization: access.organization,
        host_repo_id: check_text("hostRepoId", &body.host_repo_id, HOST_NAME_MAX)?,
        host_repo_name: check_text("hostRepoName", &body.host_repo_name, HOST_NAME_MAX)?,
        host_url: check_address("hostUrl", &body.host_url, people.config.automation.local_repositories)?,
        default_branch: check_branch("defaultBranch", body.default_branch.as_deref().unwrap_or("main"))?,
        source: check_text("source", body.source.as_deref().unwrap_or("git"), SOURCE_MAX)?,
        is_private: body.is_private,
        allowed_hosts: check_hosts("allowedHosts", &body.allowed_hosts)?,
        connection: body.integration_id,
        created_by: access.creator(),
    };
    let (standing, actor) = (access.standing(), access.actor());
    let is_person = access.origin() == Origin::Web;
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        if !is_person {
            refuse_twin(tx, &new)?;
        }
        if let Some(id) = new.connection
            && !connections::sql::has(tx, new.organization, id)?
        {
            return Err(Error::invalid(format!("integrationId: this organization has no connection {id}")));
        }
        let now = Timestamp::now();
        let (repo, existing) = sql::create(tx, &new, now)?;
        if !existing {
            let act = actor.did("repository.created", &repo.host_repo_name).within(new.organization);
            audit::sql::add(tx, &act, now)?;
        }
        Ok((repo, existing))
    });
    let (repo, existing) = write.await?;
    Ok(Answer(CreatedRepository { id: repo.id, repo, existing }))
}

/// # Errors
/// Conflict if the organization has the address under another id.
fn refuse_twin(tx: &Transaction<'_>, new: &NewRepository) -> Result<()> {
    let all = sql::list(tx, new.organization)?;
    if all.iter().any(|one| one.host_repo_id == new.host_repo_id) {
        // It stays as it is.
        return Ok(());
    }
    let twin = all.iter().find(|one| address::is_same(&one.host_url, &new.host_url));
    twin.map_or(Ok(()), |twin| {
        Err(Error::conflict(format!(
            "hostUrl: this organization has {} at this address. Only a person who is signed in may add another there, no key \
             and no token",
            twin.host_repo_name
        )))
    })
}

/// Shows a repository.
#[utoipa::path(get, path = "/api/repos/{repository_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("repository_id" = String, Path)), responses((status = 200, body = OneRepository)))]
pub async fn get_repository(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Answer<OneRepository>> {
    let id = RepositoryId::parse(&id).ok_or_else(unknown)?;
    let repo = people.main.read(move |c| sql::get(c, access.organization, id)).await?;
    Ok(Answer(OneRepository { repo: repo.ok_or_else(unknown)? }))
}

/// Changes what agents in a repository may do. Only a person who is signed in may, because an agent may have a key or a token.
#[utoipa::path(patch, path = "/api/repos/{repository_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<BoundAgents>::needs()))),
    params(("repository_id" = String, Path)), request_body = UpdateRepository,
    responses((status = 200, body = OneRepository)))]
pub async fn update_repository(
    State(people): State<Arc<People>>,
    access: Platform<BoundAgents>,
    Path(id): Path<String>,
    Json(body): Json<UpdateRepository>,
) -> Result<Answer<OneRepository>> {
    let id = RepositoryId::parse(&id).ok_or_else(unknown)?;
    let change = RepositoryChange {
        allowed_hosts: body.allowed_hosts.map(|hosts| check_hosts("allowedHosts", &hosts)).transpose()?,
        allowed_files: body.allowed_files.map(|files| check_files("allowedFiles", &files)).transpose()?,
        setup_command: command("setupCommand", body.setup_command)?,
        test_command: command("testCommand", body.test_command)?,
        test_report: report_path("testReport", body.test_report)?,
    };
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        sql::change(tx, organization, id, &change)?.then_some(()).ok_or_else(unknown)?;
        let repo = sql::get(tx, organization, id)?.ok_or_else(unknown)?;
        let act = actor.did("repository.changed", &repo.host_repo_name).within(organization);
        audit::sql::add(tx, &act, Timestamp::now())?;
        Ok(repo)
    });
    Ok(Answer(OneRepository { repo: write.await? }))
}

/// Removes a repository. Its sessions stay. Only a person who is signed in may, because an agent may have a key or a token.
#[utoipa::path(delete, path = "/api/repos/{repository_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<BoundAgents>::needs()))),
    params(("repository_id" = String, Path)), responses((status = 200, body = Deleted)))]
pub async fn delete_repository(
    State(people): State<Arc<People>>,
    access: Platform<BoundAgents>,
    Path(id): Path<String>,
) -> Result<Answer<Deleted>> {
    let id = RepositoryId::parse(&id).ok_or_else(unknown)?;
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let name = sql::delete(tx, organization, id)?.ok_or_else(unknown)?;
        let act = actor.did("repository.deleted", name).within(organization);
        audit::sql::add(tx, &act, Timestamp::now())
    });
    write.await?;
    Ok(Answer(Deleted { deleted: true }))
}

/// Lists the mirrors of the organization's repositories on its runners.
#[utoipa::path(get, path = "/api/prebuilds", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    responses((status = 200, body = Prebuilds)))]
pub async fn list_prebuilds(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
) -> Result<Answer<Prebuilds>> {
    let prebuilds = people.main.read(move |c| sql::prebuilds(c, access.organization)).await?;
    Ok(Answer(Prebuilds { prebuilds }))
}

/// Shows a mirror.
#[utoipa::path(get, path = "/api/prebuilds/{prebuild_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("prebuild_id" = String, Path)), responses((status = 200, body = OnePrebuild)))]
pub async fn get_prebuild(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Answer<OnePrebuild>> {
    let unknown = || Error::not_found("This organization has no such prebuild");
    let id = PrebuildId::parse(&id).ok_or_else(unknown)?;
    let prebuild = people.main.read(move |c| sql::get_prebuild(c, access.organization, id)).await?;
    Ok(Answer(OnePrebuild { prebuild: prebuild.ok_or_else(unknown)? }))
}

fn unknown() -> Error {
    Error::not_found("This organization has no such repository")
}
