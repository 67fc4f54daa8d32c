//! All statements on projects and their keys.

use super::key::{Scope, ValidKey};
use super::{Key, Project, Settings};
use crate::error::{Error, Result};
use crate::ids::{KeyId, OrganizationId, ProjectId, UserId};
use crate::organizations::slug;
use crate::releases;
use crate::retention::RetentionSettings;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use std::sync::Arc;

/// Rows deleted in one transaction; others write in between.
const DELETE_AT_ONCE: i64 = 1_000;

const PROJECT: &str = "id, organization_id, name, slug, platform, created_at, updated_at, settings,
    (select count(*) from set_aside where project_id = projects.id),
    (select json_group_array(repository_id order by place) from project_repositories where project_id = projects.id)";
const KEY: &str =
    "id, project_id, name, prefix, scopes, environment, created_by, created_at, last_used_at, revoked_at";

/// A project to create.
pub struct NewProject {
    pub organization: OrganizationId,
    pub name: String,
    pub platform: Option<String>,
    pub settings: Settings,
}

pub fn create(tx: &Transaction<'_>, new: &NewProject, now: Timestamp) -> Result<Project> {
    let slug = free_slug(tx, new.organization, &slug(&new.name, "project"))?;
    tx.execute(
        "insert into projects (organization_id, name, slug, platform, settings, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
        params![new.organization.0, new.name, slug, new.platform, json(&new.settings)?, now.millis()],
    )?;
    let id = ProjectId(tx.last_insert_rowid());
    get(tx, id)?.ok_or_else(|| Error::internal("a project that was just created does not exist"))
}

/// The highest id that a project ever had.
pub fn highest(c: &Connection) -> Result<ProjectId> {
    let found = c.query_row("select seq from sqlite_sequence where name = 'projects'", (), |row| row.get(0));
    Ok(ProjectId(found.optional()?.unwrap_or(0)))
}

/// Makes the ids of new projects continue above `known`.
pub fn number_above(tx: &Transaction<'_>, known: ProjectId) -> Result<()> {
    let raised =
        tx.execute("update sqlite_sequence set seq = max(seq, ?1) where name = 'projects'", [known.0])?;
    if raised == 0 {
        tx.execute("insert into sqlite_sequence (name, seq) values ('projects', ?1)", [known.0])?;
    }
    Ok(())
}

/// The wanted slug, or the first of `<wanted>-2`, `-3`, … that is free.
fn free_slug(tx: &Transaction<'_>, organization: OrganizationId, wanted: &str) -> Result<String> {
    let mut taken =
        tx.prepare("select exists (select 1 from projects where organization_id = ?1 and slug = ?2)")?;
    let mut candidate = wanted.to_owned();
    for number in 2.. {
        if !taken.query_row(params![organization.0, candidate], |row| row.get::<_, bool>(0))? {
            break;
        }
        candidate = format!("{wanted}-{number}");
    }
    Ok(candidate)
}

pub fn get(c: &Connection, id: ProjectId) -> Result<Option<Project>> {
    let mut statement =
        c.prepare_cached(&format!("select {PROJECT} from projects where id = ?1 and deleted_at is null"))?;
    Ok(statement.query_row([id.0], project).optional()?)
}

pub fn list(c: &Connection, organization: OrganizationId) -> Result<Vec<Project>> {
    let mut statement = c.prepare_cached(&format!(
        "select {PROJECT} from projects where organization_id = ?1 and deleted_at is null
         order by name, id"
    ))?;
    let rows = statement.query_map([organization.0], project)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores a project's name, platform and settings.
pub fn update(tx: &Transaction<'_>, changed: &Project, now: Timestamp) -> Result<()> {
    tx.execute(
        "update projects set name = ?2, platform = ?3, settings = ?4, updated_at = ?5 where id = ?1",
        params![changed.id.0, changed.name, changed.platform, json(&changed.settings)?, now.millis()],
    )?;
    Ok(())
}

/// Begins the deletion of a project: it can no longer be found, and its keys are revoked, so that nothing more
/// arrives.
pub fn mark_deleted(tx: &Transaction<'_>, id: ProjectId, now: Timestamp) -> Result<()> {
    tx.execute("update projects set deleted_at = ?2 where id = ?1", params![id.0, now.millis()])?;
    tx.execute(
        "update project_keys set revoked_at = ?2 where project_id = ?1 and revoked_at is null",
        params![id.0, now.millis()],
    )?;
    Ok(())
}

/// Every project with its name and retention settings.
pub fn retention(c: &Connection) -> Result<Vec<(ProjectId, String, RetentionSettings)>> {
    let mut statement =
        c.prepare("select id, name, settings from projects where deleted_at is null order by id")?;
    let rows = statement
        .query_map((), |row| Ok((ProjectId(row.get(0)?), row.get(1)?, settings(row, 2)?.retention)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The projects whose deletion has begun and not ended.
pub fn deleted(c: &Connection) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare("select id from projects where deleted_at is not null order by id")?;
    let rows = statement.query_map((), |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Deletes some of a project's notices, then events, then facets, then issues; `false` if none are left.
pub fn delete_some(tx: &Transaction<'_>, id: ProjectId) -> Result<bool> {
    let told = tx.execute(
        "delete from notifications where id in (
             select n.id from notices w join notifications n on n.notice_id = w.id where w.project_id = ?1 limit ?2)",
        params![id.0, DELETE_AT_ONCE],
    )?;
    if told > 0 {
        return Ok(true);
    }
    let events = tx.execute(
        "delete from events where id in (select id from events where project_id = ?1 order by id limit ?2)",
        params![id.0, DELETE_AT_ONCE],
    )?;
    if events > 0 {
        return Ok(true);
    }
    let days = tx.execute(
        "delete from account_days where (project_id, account, day) in (
             select project_id, account, day from account_days where project_id = ?1 limit ?2)",
        params![id.0, DELETE_AT_ONCE],
    )?;
    if days > 0 {
        return Ok(true);
    }
    let users = tx.execute(
        "delete from release_users where (release_id, user) in (
             select u.release_id, u.user from release_counts s join release_users u on u.release_id = s.id
             where s.project_id = ?1 limit ?2)",
        params![id.0, DELETE_AT_ONCE],
    )?;
    if users > 0 || releases::sql::environments::delete_some(tx, id, DELETE_AT_ONCE)? {
        return Ok(true);
    }
    let facets = tx.execute(
        "delete from issue_facets where (issue_id, facet_id, value_id) in (
             select f.issue_id, f.facet_id, f.value_id from facets k join issue_facets f on f.facet_id = k.id
             where k.project_id = ?1 limit ?2)",
        params![id.0, DELETE_AT_ONCE],
    )?;
    if facets > 0 {
        return Ok(true);
    }
    // Those of the issues that are deleted next.
    let hours = tx.execute(
        "delete from issue_environment_hours where (issue_id, value_id, hour) in (
             select h.issue_id, h.value_id, h.hour from (select id from issues where project_id = ?1 limit ?3) i
             join issue_environment_hours h on h.issue_id = i.id limit ?2)",
        params![id.0, DELETE_AT_ONCE, DELETE_AT_ONCE / 10],
    )?;
    if hours > 0 {
        return Ok(true);
    }
    let issues = tx.execute(
        "delete from issues where id in (select id from issues where project_id = ?1 limit ?2)",
        params![id.0, DELETE_AT_ONCE / 10],
    )?;
    Ok(issues > 0)
}

/// Deletes a project with what is left of it, and returns the contents that no source map refers to any more.
pub fn delete(tx: &Transaction<'_>, id: ProjectId) -> Result<Vec<[u8; 32]>> {
    let files = releases::sql::files_of_project(tx, id)?;
    tx.execute("delete from projects where id = ?1", [id.0])?;
    releases::sql::forget_unused_files(tx, &files)
}

/// A key to create.
pub struct NewKey {
    pub project: ProjectId,
    pub name: String,
    pub prefix: String,
    pub hash: [u8; 32],
    pub scopes: Vec<Scope>,
    pub environment: Option<String>,
    pub created_by: UserId,
    /// The key itself, sealed, if it may be shown again.
    pub sealed: Option<Vec<u8>>,
}

pub fn create_key(tx: &Transaction<'_>, new: &NewKey, now: Timestamp) -> Result<Key> {
    let valid: i64 = tx.query_row(
        "select count(*) from project_keys where project_id = ?1 and revoked_at is null",
        [new.project.0],
        |row| row.get(0),
    )?;
    if valid >= super::KEYS_MAX {
        return Err(Error::conflict(format!(
            "A project has at most {} valid keys: revoke one first",
            super::KEYS_MAX
        )));
    }
    tx.execute(
        "insert into project_keys (project_id, name, prefix, key_hash, scopes, environment, created_by, created_at,
             sealed)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            new.project.0,
            new.name,
            new.prefix,
            new.hash,
            Scope::join(&new.scopes),
            new.environment,
            new.created_by.0,
            now.millis(),
            new.sealed
        ],
    )?;
    let query = format!("select {KEY} from project_keys where id = ?1");
    Ok(tx.query_row(&query, [tx.last_insert_rowid()], key)?)
}

/// A key's record, its hash, and the sealed key if it may be shown.
pub type KeyRow = (Key, [u8; 32], Option<Vec<u8>>);

pub fn list_keys(c: &Connection, project: ProjectId) -> Result<Vec<KeyRow>> {
    let query =
        format!("select {KEY}, key_hash, sealed from project_keys where project_id = ?1 order by id desc");
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map([project.0], |row| {
        let listed = key(row)?;
        // A revoked key is not shown.
        let sealed = if listed.revoked_at.is_some() { None } else { row.get("sealed")? };
        Ok((listed, row.get("key_hash")?, sealed))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Revokes a key and returns its name; `None` if the project has no key with that id. Revoking twice keeps
/// the first time.
pub fn revoke_key(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: KeyId,
    now: Timestamp,
) -> Result<Option<String>> {
    let name = tx.query_row(
        "update project_keys set revoked_at = coalesce(revoked_at, ?3) where project_id = ?1 and id = ?2
         returning name",
        params![project.0, id.0, now.millis()],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

pub fn touch_key(tx: &Transaction<'_>, id: KeyId, used: Timestamp) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "update project_keys set last_used_at = max(coalesce(last_used_at, 0), ?2) where id = ?1",
    )?;
    statement.execute(params![id.0, used.millis()])?;
    Ok(())
}

/// Every valid key with what intake has to know about its project.
pub fn directory(c: &Connection) -> Result<Vec<([u8; 32], ValidKey)>> {
    let mut statement = c.prepare(
        "select k.key_hash, k.id, k.project_id, p.organization_id, k.scopes, k.environment, p.settings
         from project_keys k join projects p on p.id = k.project_id where k.revoked_at is null",
    )?;
    let rows = statement.query_map((), |row| {
        let settings = settings(row, 6)?;
        let key = ValidKey {
            id: KeyId(row.get(1)?),
            project: ProjectId(row.get(2)?),
            organization: OrganizationId(row.get(3)?),
            scopes: Scope::split(row.get_ref(4)?.as_str()?),
            environment: row.get(5)?,
            scrubber: Arc::new(settings.scrubbing.compile()),
        };
        Ok((row.get(0)?, key))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn project(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: ProjectId(row.get(0)?),
        organization_id: OrganizationId(row.get(1)?),
        name: row.get(2)?,
        slug: row.get(3)?,
        platform: row.get(4)?,
        created_at: Timestamp::from_millis(row.get(5)?),
        updated_at: Timestamp::from_millis(row.get(6)?),
        settings: settings(row, 7)?,
        set_aside: row.get(8)?,
        repositories: serde_json::from_str(row.get_ref(9)?.as_str()?).unwrap_or_default(),
    })
}

fn key(row: &Row<'_>) -> rusqlite::Result<Key> {
    let time =
        |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis));
    Ok(Key {
        id: KeyId(row.get(0)?),
        project_id: ProjectId(row.get(1)?),
        name: row.get(2)?,
        prefix: row.get(3)?,
        scopes: Scope::split(row.get_ref(4)?.as_str()?),
        environment: row.get(5)?,
        created_by: row.get::<_, Option<i64>>(6)?.map(UserId),
        created_at: Timestamp::from_millis(row.get(7)?),
        last_used_at: time(8)?,
        revoked_at: time(9)?,
    })
}

fn settings(row: &Row<'_>, index: usize) -> rusqlite::Result<Settings> {
    let text = row.get_ref(index)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, Box::new(error))
    })
}

fn json(settings: &Settings) -> Result<String> {
    serde_json::to_string(settings).map_err(Error::internal)
}
