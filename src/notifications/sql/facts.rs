//! Reads what notices mention, as it is when they are written.

use crate::error::Result;
use crate::ids::{InvitationId, IssueId, OrganizationId, ProjectId, UserId};
use crate::notifications::Person;
use crate::notifications::texts::Issue;
use crate::projects::issue_short_id;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

/// `None` if the issue or its project was deleted.
pub fn issue(c: &Connection, id: IssueId) -> Result<Option<Issue>> {
    let mut statement = c.prepare_cached(
        "select i.project_id, p.organization_id, p.name, p.slug, i.number, i.title, i.culprit, i.event_count,
             i.user_count, i.high_value_account
         from issues i join projects p on p.id = i.project_id where i.id = ?1 and p.deleted_at is null",
    )?;
    let found = statement.query_row([id.0], |row| {
        let number: i64 = row.get(4)?;
        Ok(Issue {
            id,
            project: ProjectId(row.get(0)?),
            organization: OrganizationId(row.get(1)?),
            project_name: row.get(2)?,
            short_id: issue_short_id(row.get_ref(3)?.as_str()?, number),
            title: row.get(5)?,
            culprit: row.get(6)?,
            event_count: row.get(7)?,
            user_count: row.get(8)?,
            high_value_account: row.get(9)?,
        })
    });
    Ok(found.optional()?)
}

pub fn person(c: &Connection, id: UserId) -> Result<Option<Person>> {
    let mut statement = c.prepare_cached("select name, email from users where id = ?1")?;
    let found = statement.query_row([id.0], |row| Ok(Person { id, name: row.get(0)?, email: row.get(1)? }));
    Ok(found.optional()?)
}

/// `None` if the account is disabled or deleted.
pub fn active_person(c: &Connection, id: UserId) -> Result<Option<Person>> {
    let mut statement =
        c.prepare_cached("select name, email from users where id = ?1 and disabled_at is null")?;
    let found = statement.query_row([id.0], |row| Ok(Person { id, name: row.get(0)?, email: row.get(1)? }));
    Ok(found.optional()?)
}

/// Who sent an invitation.
pub fn inviter(c: &Connection, id: InvitationId) -> Result<Option<UserId>> {
    let mut statement = c.prepare_cached("select invited_by from invitations where id = ?1")?;
    Ok(statement.query_row([id.0], |row| row.get::<_, Option<i64>>(0)).optional()?.flatten().map(UserId))
}

/// Who sent the invitation with which a person joined at that time; `None` if they joined without one.
pub fn inviter_of(
    c: &Connection,
    organization: OrganizationId,
    member: UserId,
    at: Timestamp,
) -> Result<Option<UserId>> {
    let mut statement = c.prepare_cached(
        "select invited_by from invitations where organization_id = ?1 and accepted_by = ?2 and accepted_at = ?3",
    )?;
    let found = statement
        .query_row(params![organization.0, member.0, at.millis()], |row| row.get::<_, Option<i64>>(0));
    Ok(found.optional()?.flatten().map(UserId))
}
