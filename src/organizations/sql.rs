//! All statements on organizations and memberships.

use super::{Member, MemberStatus, Organization, slug};
use crate::crypto::token;
use crate::error::Result;
use crate::ids::{OrganizationId, ProjectId, UserId};
use crate::roles::Role;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

pub fn create(tx: &Transaction<'_>, name: &str, now: Timestamp) -> Result<OrganizationId> {
    let wanted = slug(name, "organization");
    let taken =
        tx.query_row("select exists (select 1 from organizations where slug = ?1)", [&wanted], |row| {
            row.get::<_, bool>(0)
        })?;
    let slug = if taken { format!("{wanted}-{}", token::random_hex(4)) } else { wanted };
    tx.execute(
        "insert into organizations (name, slug, created_at, updated_at) values (?1, ?2, ?3, ?3)",
        params![name, slug, now.millis()],
    )?;
    Ok(OrganizationId(tx.last_insert_rowid()))
}

/// Makes somebody a member with this role, also if they had been removed.
pub fn add_member(
    tx: &Transaction<'_>,
    organization: OrganizationId,
    user: UserId,
    role: Role,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into memberships (organization_id, user_id, role, joined_at) values (?1, ?2, ?3, ?4)
         on conflict (organization_id, user_id) do update set role = excluded.role,
            joined_at = case when removed_at is null then joined_at else excluded.joined_at end, removed_at = null",
        params![organization.0, user.0, role.as_str(), now.millis()],
    )?;
    Ok(())
}

pub fn set_role(tx: &Transaction<'_>, organization: OrganizationId, user: UserId, role: Role) -> Result<()> {
    tx.execute(
        "update memberships set role = ?3 where organization_id = ?1 and user_id = ?2 and removed_at is null",
        params![organization.0, user.0, role.as_str()],
    )?;
    Ok(())
}

/// The organization of an instance that has only one; `None` before the claim.
pub fn only(c: &Connection) -> Result<Option<OrganizationId>> {
    let id = c.query_row("select id from organizations order by id limit 1", (), |row| row.get(0));
    Ok(id.optional()?.map(OrganizationId))
}

/// The organization with a slug.
pub fn by_slug(c: &Connection, slug: &str) -> Result<Option<OrganizationId>> {
    let id = c.query_row("select id from organizations where slug = ?1", [slug], |row| row.get(0));
    Ok(id.optional()?.map(OrganizationId))
}

/// The name of an organization.
pub fn name(c: &Connection, id: OrganizationId) -> Result<String> {
    Ok(c.query_row("select name from organizations where id = ?1", [id.0], |row| row.get(0))?)
}

pub fn rename(tx: &Transaction<'_>, id: OrganizationId, name: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "update organizations set name = ?2, updated_at = ?3 where id = ?1",
        params![id.0, name, now.millis()],
    )?;
    Ok(())
}

/// The organization of a project.
pub fn of_project(c: &Connection, id: ProjectId) -> Result<Option<OrganizationId>> {
    let mut statement =
        c.prepare_cached("select organization_id from projects where id = ?1 and deleted_at is null")?;
    Ok(statement.query_row([id.0], |row| row.get(0)).optional()?.map(OrganizationId))
}

/// An organization, as seen by one of its keys.
pub fn by_key(c: &Connection, id: OrganizationId) -> Result<Option<Organization>> {
    let mut statement = c.prepare_cached(
        "select id, name, slug, 'member', created_at, updated_at from organizations where id = ?1",
    )?;
    Ok(statement.query_row([id.0], organization).optional()?)
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

const MEMBER: &str = "u.id, u.email, u.name, m.role, u.disabled_at is not null, m.joined_at,
    u.email_proven_at is not null, (select max(last_seen_at) from sign_ins where user_id = u.id)";

pub fn members(c: &Connection, id: OrganizationId) -> Result<Vec<Member>> {
    let mut statement = c.prepare_cached(&format!(
        "select {MEMBER} from memberships m join users u on u.id = m.user_id
         where m.organization_id = ?1 and m.removed_at is null order by m.joined_at, u.id"
    ))?;
    let rows = statement.query_map([id.0], member_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn member(c: &Connection, id: OrganizationId, user: UserId) -> Result<Option<Member>> {
    let mut statement = c.prepare_cached(&format!(
        "select {MEMBER} from memberships m join users u on u.id = m.user_id
         where m.organization_id = ?1 and m.user_id = ?2 and m.removed_at is null"
    ))?;
    Ok(statement.query_row([id.0, user.0], member_row).optional()?)
}

fn member_row(row: &Row<'_>) -> rusqlite::Result<Member> {
    let disabled: bool = row.get(4)?;
    Ok(Member {
        id: UserId(row.get(0)?),
        email: row.get(1)?,
        name: row.get(2)?,
        role: role_column(row, 3)?,
        status: if disabled { MemberStatus::Disabled } else { MemberStatus::Active },
        joined_at: Timestamp::from_millis(row.get(5)?),
        email_proven: row.get(6)?,
        listed: None,
        last_seen_at: row.get::<_, Option<i64>>(7)?.map(Timestamp::from_millis),
    })
}

/// The role of a member; `None` for everybody else.
pub fn role(c: &Connection, user: UserId, id: OrganizationId) -> Result<Option<Role>> {
    let mut statement = c.prepare_cached(
        "select role from memberships where organization_id = ?1 and user_id = ?2 and removed_at is null",
    )?;
    Ok(statement.query_row([id.0, user.0], |row| role_column(row, 0)).optional()?)
}

/// The organization of a project and the caller's role in it; `None` if there is none.
pub fn role_in_project(
    c: &Connection,
    user: UserId,
    id: ProjectId,
) -> Result<Option<(OrganizationId, Role)>> {
    let mut statement = c.prepare_cached(
        "select m.organization_id, m.role from projects p
         join memberships m on m.organization_id = p.organization_id
         where p.id = ?1 and p.deleted_at is null and m.user_id = ?2 and m.removed_at is null",
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

/// The schema checks the column; an invalid value would count as the lowest role.
pub(super) fn role_column(row: &Row<'_>, index: usize) -> rusqlite::Result<Role> {
    Ok(Role::parse(row.get_ref(index)?.as_str()?).unwrap_or(Role::Member))
}
