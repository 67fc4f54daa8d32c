//! Every statement on organizations and memberships.

use super::{Member, MemberStatus, Organization, slug};
use crate::accounts::Role;
use crate::error::Result;
use crate::ids::{OrganizationId, ProjectId, UserId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

pub fn create(tx: &Transaction<'_>, name: &str, now: Timestamp) -> Result<OrganizationId> {
    let wanted = slug(name, "organization");
    let taken =
        tx.query_row("select exists (select 1 from organizations where slug = ?1)", [&wanted], |row| {
            row.get::<_, bool>(0)
        })?;
    let slug = if taken { format!("{wanted}-{}", now.millis()) } else { wanted };
    tx.execute(
        "insert into organizations (name, slug, created_at, updated_at) values (?1, ?2, ?3, ?3)",
        params![name, slug, now.millis()],
    )?;
    Ok(OrganizationId(tx.last_insert_rowid()))
}

pub fn add_member(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    user: UserId,
    role: Role,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into memberships (organization_id, user_id, role, joined_at) values (?1, ?2, ?3, ?4)",
        params![organization.0, user.0, role.as_str(), now.millis()],
    )?;
    Ok(())
}

pub fn list(c: &Connection, user: UserId) -> Result<Vec<Organization>> {
    let mut statement = c.prepare_cached(
        "select o.id, o.name, o.slug, m.role, o.created_at, o.updated_at
         from memberships m join organizations o on o.id = m.organization_id
         where m.user_id = ?1 and m.removed_at is null order by o.id",
    )?;
    let rows = statement.query_map([user.0], organization)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(c: &Connection, id: OrganizationId, user: UserId) -> Result<Option<Organization>> {
    Ok(list(c, user)?.into_iter().find(|organization| organization.id == id))
}

pub fn members(c: &Connection, id: OrganizationId) -> Result<Vec<Member>> {
    let mut statement = c.prepare_cached(
        "select u.id, u.email, u.name, m.role, m.joined_at
         from memberships m join users u on u.id = m.user_id
         where m.organization_id = ?1 and m.removed_at is null order by m.joined_at, u.id",
    )?;
    let rows = statement.query_map([id.0], |row| {
        Ok(Member {
            id: UserId(row.get(0)?),
            email: row.get(1)?,
            name: row.get(2)?,
            role: role_column(row, 3)?,
            status: MemberStatus::Active,
            joined_at: Timestamp::from_millis(row.get(4)?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The role of a member; `None` for everybody else.
pub fn role(c: &Connection, user: UserId, id: OrganizationId) -> Result<Option<Role>> {
    let mut statement = c.prepare_cached(
        "select role from memberships where organization_id = ?1 and user_id = ?2 and removed_at is null",
    )?;
    Ok(statement.query_row([id.0, user.0], |row| role_column(row, 0)).optional()?)
}

/// The organization of a project and the caller's role in it; `None` when there is none.
pub fn role_in_project(
    c: &Connection,
    user: UserId,
    id: ProjectId,
) -> Result<Option<(OrganizationId, Role)>> {
    let mut statement = c.prepare_cached(
        "select m.organization_id, m.role from projects p
         join memberships m on m.organization_id = p.organization_id
         where p.id = ?1 and m.user_id = ?2 and m.removed_at is null",
    )?;
    let row = |row: &Row<'_>| Ok((OrganizationId(row.get(0)?), role_column(row, 1)?));
    Ok(statement.query_row([id.0, user.0], row).optional()?)
}

fn organization(row: &Row<'_>) -> rusqlite::Result<Organization> {
    Ok(Organization {
        id: OrganizationId(row.get(0)?),
        name: row.get(1)?,
        slug: row.get(2)?,
        role: role_column(row, 3)?,
        created_at: Timestamp::from_millis(row.get(4)?),
        updated_at: Timestamp::from_millis(row.get(5)?),
    })
}

/// The column is checked by the schema; what it cannot hold counts as the least role.
fn role_column(row: &Row<'_>, index: usize) -> rusqlite::Result<Role> {
    Ok(Role::parse(row.get_ref(index)?.as_str()?).unwrap_or(Role::Member))
}
