//! All statements on repositories and prebuilds.

use super::{OF_PROJECT_MAX, Prebuild, PrebuildStatus, REPOSITORIES_MAX, Repository};
use crate::error::{Error, Result};
use crate::ids::{ConnectionId, OrganizationId, PrebuildId, ProjectId, RepositoryId, RunnerId, UserId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::json;

/// Characters of a commit.
const COMMIT_MAX: usize = 64;

const REPOSITORY: &str = "r.id, r.organization_id, r.host_repo_id, r.host_repo_name, r.host_url, r.default_branch,
    r.created_at, r.source, r.is_private, r.connection_id,
    (select p.id from prebuilds p where p.repository_id = r.id order by p.status = 'pending', p.created_at, p.id limit 1),
    exists (select 1 from prebuilds p where p.repository_id = r.id and p.status = 'ready'), r.allowed_hosts,
    r.setup_command, r.test_command, r.allowed_files, r.test_report";
const PREBUILD: &str = "id, repository_id, runner_id, name, snapshot_id, status, created_at, updated_at";

/// A repository to create.
pub struct NewRepository {
    pub organization: OrganizationId,
    pub host_repo_id: String,
    pub host_repo_name: String,
    pub host_url: String,
    pub default_branch: String,
    pub source: String,
    pub is_private: bool,
    pub allowed_hosts: Vec<String>,
    pub connection: Option<ConnectionId>,
    pub created_by: Option<UserId>,
}

/// The repository, and whether it existed: by what its code host calls it.
///
/// # Errors
/// Conflict if the organization has the maximum number.
pub fn create(tx: &Transaction<'_>, new: &NewRepository, now: Timestamp) -> Result<(Repository, bool)> {
    let known: Option<RepositoryId> = tx
        .prepare_cached("select id from repositories where organization_id = ?1 and host_repo_id = ?2")?
        .query_row(params![new.organization.0, new.host_repo_id], |row| row.get(0))
        .optional()?;
    let made = |id| get(tx, new.organization, id)?.ok_or_else(|| Error::internal("a repository is gone"));
    if let Some(id) = known {
        return Ok((made(id)?, true));
    }
    let count: i64 = tx.query_row(
        "select count(*) from repositories where organization_id = ?1",
        [new.organization.0],
        |row| row.get(0),
    )?;
    if count >= REPOSITORIES_MAX {
        return Err(Error::conflict(format!(
            "An organization has at most {REPOSITORIES_MAX} repositories: delete one first"
        )));
    }
    let id = RepositoryId::new();
    tx.execute(
        "insert into repositories (id, organization_id, host_repo_id, host_repo_name, host_url, default_branch, source,
             is_private, connection_id, created_by, created_at, allowed_hosts)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            id,
            new.organization.0,
            new.host_repo_id,
            new.host_repo_name,
            new.host_url,
            new.default_branch,
            new.source,
            new.is_private,
            new.connection,
            new.created_by.map(|id| id.0),
            now.millis(),
            json!(new.allowed_hosts).to_string()
        ],
    )?;
    add_pending(tx, id, &new.host_repo_name, now)?;
    Ok((made(id)?, false))
}

/// Adds the row that the first runner with a mirror takes over.
fn add_pending(tx: &Transaction<'_>, repository: RepositoryId, name: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into prebuilds (id, repository_id, name, status, created_at, updated_at)
         values (?1, ?2, ?3, 'pending', ?4, ?4)",
        params![PrebuildId::new(), repository, name, now.millis()],
    )?;
    Ok(())
}

pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<Repository>> {
    let mut statement = c.prepare_cached(&format!(
        "select {REPOSITORY} from repositories r where r.organization_id = ?1 order by r.host_repo_name, r.id"
    ))?;
    let rows = statement.query_map([organization.0], repository)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(c: &Connection, organization: OrganizationId, id: RepositoryId) -> Result<Option<Repository>> {
    let mut statement = c.prepare_cached(&format!(
        "select {REPOSITORY} from repositories r where r.organization_id = ?1 and r.id = ?2"
    ))?;
    Ok(statement.query_row(params![organization.0, id], repository).optional()?)
}

/// Changes to a repository; for a command or a path, `Some(None)` removes it.
#[derive(Debug, Clone, Default)]
pub struct RepositoryChange {
    pub allowed_hosts: Option<Vec<String>>,
    pub allowed_files: Option<Vec<String>>,
    pub setup_command: Option<Option<String>>,
    pub test_command: Option<Option<String>>,
    pub test_report: Option<Option<String>>,
}

/// Changes a repository's settings for runners. `false` if the organization does not have it.
pub fn change(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: RepositoryId,
    change: &RepositoryChange,
) -> Result<bool> {
    let list = |given: &Option<Vec<String>>| given.as_ref().map(|given| json!(given).to_string());
    let changed = tx.execute(
        "update repositories set allowed_hosts = coalesce(?3, allowed_hosts),
             setup_command = case when ?4 then ?5 else setup_command end,
             test_command = case when ?6 then ?7 else test_command end,
             allowed_files = coalesce(?8, allowed_files),
             test_report = case when ?9 then ?10 else test_report end
         where organization_id = ?1 and id = ?2",
        params![
            organization.0,
            id,
            list(&change.allowed_hosts),
            change.setup_command.is_some(),
            change.setup_command.clone().flatten(),
            change.test_command.is_some(),
            change.test_command.clone().flatten(),
            list(&change.allowed_files),
            change.test_report.is_some(),
            change.test_report.clone().flatten()
        ],
    )?;
    Ok(changed > 0)
}

/// Deletes a repository with its mirrors and returns its name.
pub fn delete(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    id: RepositoryId,
) -> Result<Option<String>> {
    let name = tx.query_row(
        "delete from repositories where organization_id = ?1 and id = ?2 returning host_repo_name",
        params![organization.0, id],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

/// The repositories that a project's code is in.
pub fn of_project(c: &Connection, project: ProjectId) -> Result<Vec<RepositoryId>> {
    let mut statement = c.prepare_cached(
        "select repository_id from project_repositories where project_id = ?1 order by place, repository_id",
    )?;
    let rows = statement.query_map([project.0], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Names the repositories of a project.
///
/// # Errors
/// 422 for a repository that the organization does not have, and for too many.
pub fn set_of_project(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    project: ProjectId,
    repositories: &[RepositoryId],
) -> Result<()> {
    if repositories.len() > OF_PROJECT_MAX {
        return Err(Error::invalid(format!("repositories: expected at most {OF_PROJECT_MAX}")));
    }
    tx.execute("delete from project_repositories where project_id = ?1", [project.0])?;
    for (place, id) in repositories.iter().enumerate() {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let set = tx.execute(
            "insert into project_repositories (project_id, repository_id, place)
             select ?1, r.id, ?4 from repositories r where r.organization_id = ?2 and r.id = ?3
             on conflict do nothing",
            params![project.0, organization.0, id, place],
        )?;
        if set == 0 && !repositories[..usize::try_from(place).unwrap_or(0)].contains(id) {
            return Err(Error::invalid(format!(
                "repositories: this organization has no repository {id}, see GET /api/repos"
            )));
        }
    }
    Ok(())
}

/// All mirrors of an organization's repositories.
pub fn prebuilds(c: &Connection, organization: OrganizationId) -> Result<Vec<Prebuild>> {
    let mut statement = c.prepare_cached(&format!(
        "select {PREBUILD} from prebuilds
         where repository_id in (select id from repositories where organization_id = ?1)
         order by repository_id, created_at, id"
    ))?;
    let rows = statement.query_map([organization.0], prebuild)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get_prebuild(
    c: &Connection,
    organization: OrganizationId,
    id: PrebuildId,
) -> Result<Option<Prebuild>> {
    let mut statement = c.prepare_cached(&format!(
        "select {PREBUILD} from prebuilds
         where id = ?2 and repository_id in (select id from repositories where organization_id = ?1)"
    ))?;
    Ok(statement.query_row(params![organization.0, id], prebuild).optional()?)
}

/// Notes that a runner has a mirror, at this commit. `false`: its organization has no such repository.
pub fn mirror(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    (repository, runner): (RepositoryId, RunnerId),
    commit: Option<&str>,
    now: Timestamp,
) -> Result<bool> {
    let Some(found) = get(tx, organization, repository)? else { return Ok(false) };
    let commit: Option<String> = commit.map(|commit| commit.chars().take(COMMIT_MAX).collect());
    let ready = |condition: &str| -> Result<usize> {
        let mut statement = tx.prepare_cached(&format!(
            "update prebuilds set runner_id = ?2, snapshot_id = coalesce(?3, snapshot_id), status = 'ready', updated_at = ?4
             where {condition}"
        ))?;
        Ok(statement.execute(params![repository, runner, commit, now.millis()])?)
    };
    let known = ready("repository_id = ?1 and runner_id = ?2")?;
    if known > 0 {
        return Ok(true);
    }
    let taken = ready(
        "id = (select id from prebuilds where repository_id = ?1 and runner_id is null order by created_at, id limit 1)",
    )?;
    if taken == 0 {
        tx.execute(
            "insert into prebuilds (id, repository_id, runner_id, name, snapshot_id, status, created_at, updated_at)
             values (?1, ?2, ?3, ?4, ?5, 'ready', ?6, ?6)",
            params![PrebuildId::new(), repository, runner, found.host_repo_name, commit, now.millis()],
        )?;
    }
    Ok(true)
}

/// Removes a runner's mirrors; a repository's only row stays, for the next runner.
pub fn forget_runner(tx: &Transaction<'_>, runner: RunnerId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update prebuilds set runner_id = null, status = 'pending', updated_at = ?2
         where runner_id = ?1 and not exists (
             select 1 from prebuilds o where o.repository_id = prebuilds.repository_id and o.id <> prebuilds.id)",
        params![runner, now.millis()],
    )?;
    // Sessions that used the mirror keep their repository.
    tx.execute(
        "update automations set default_prebuild_id = (
             select o.id from prebuilds p join prebuilds o on o.repository_id = p.repository_id and o.id <> p.id
             where p.id = automations.default_prebuild_id order by o.created_at, o.id limit 1)
         where default_prebuild_id in (select id from prebuilds where runner_id = ?1)",
        [runner],
    )?;
    tx.execute("delete from prebuilds where runner_id = ?1", [runner])?;
    Ok(())
}

fn repository(row: &Row<'_>) -> rusqlite::Result<Repository> {
    let is_ready: bool = row.get(11)?;
    // Mayday wrote them.
    let list = |index: usize| -> rusqlite::Result<Vec<String>> {
        Ok(serde_json::from_str(row.get_ref(index)?.as_str()?).unwrap_or_default())
    };
    Ok(Repository {
        id: row.get(0)?,
        organization_id: row.get::<_, i64>(1)?.to_string(),
        host_repo_id: row.get(2)?,
        host_repo_name: row.get(3)?,
        host_url: row.get(4)?,
        default_branch: row.get(5)?,
        created_at: Timestamp::from_millis(row.get(6)?),
        source: row.get(7)?,
        is_private: row.get(8)?,
        allowed_hosts: list(12)?,
        allowed_files: list(15)?,
        setup_command: row.get(13)?,
        test_command: row.get(14)?,
        test_report: row.get(16)?,
        integration_id: row.get(9)?,
        prebuild_id: row.get(10)?,
        prebuild_status: if is_ready { PrebuildStatus::Ready } else { PrebuildStatus::Pending },
    })
}

fn prebuild(row: &Row<'_>) -> rusqlite::Result<Prebuild> {
    Ok(Prebuild {
        id: row.get(0)?,
        repository_id: row.get(1)?,
        runner_id: row.get(2)?,
        name: row.get(3)?,
        snapshot_id: row.get(4)?,
        // The schema allows no other.
        status: PrebuildStatus::parse(row.get_ref(5)?.as_str()?).unwrap_or(PrebuildStatus::Pending),
        created_at: Timestamp::from_millis(row.get(6)?),
        updated_at: Timestamp::from_millis(row.get(7)?),
    })
}
