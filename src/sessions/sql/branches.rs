//! The branches that sessions push.

use crate::error::Result;
use crate::ids::{OrganizationId, SessionId};
use rusqlite::{Connection, params};

/// Whether a session other than `except` has a branch of this name, which a push would overwrite.
pub fn has_branch(
    c: &Connection,
    organization: OrganizationId,
    name: &str,
    except: SessionId,
) -> Result<bool> {
    let mut statement = c.prepare_cached(
        "select exists (select 1 from sessions where organization_id = ?1 and branch_name = ?2 and id <> ?3)",
    )?;
    Ok(statement.query_row(params![organization.0, name, except], |row| row.get(0))?)
}
