//! Statements on one person and their identities.

use super::{Identity, Profile, ProviderKind};
use crate::accounts::admission;
use crate::error::{Error, Result};
use crate::ids::{IdentityId, UserId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

pub fn profile(c: &Connection, id: UserId) -> Result<Profile> {
    let account = admission::sql::by_id(c, id)?.ok_or_else(Error::signed_out)?;
    let user = account.user;
    Ok(Profile {
        id: user.id,
        email: user.email,
        name: user.name,
        created_at: user.created_at,
        has_password: account.password_hash.is_some(),
        email_proven: account.email_proven,
        identities: identities(c, id)?,
    })
}

pub fn identities(c: &Connection, user: UserId) -> Result<Vec<Identity>> {
    let mut statement = c.prepare_cached(
        "select id, provider, issuer, email, created_at, last_used_at from identities
         where user_id = ?1 order by id",
    )?;
    let rows = statement.query_map([user.0], |row| {
        let time = |index| row.get(index).map(Timestamp::from_millis);
        let provider = row.get_ref(1)?.as_str()?;
        Ok(Identity {
            id: IdentityId(row.get(0)?),
            provider: if provider == "github" { ProviderKind::GitHub } else { ProviderKind::Sso },
            issuer: row.get(2)?,
            email: row.get(3)?,
            created_at: time(4)?,
            last_used_at: time(5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Unlinks one of a person's identities and returns its issuer; `None` if they have no such identity.
///
/// # Errors
/// Conflict if it is the only way to sign in.
pub fn unlink(tx: &Transaction<'_>, user: UserId, id: IdentityId) -> Result<Option<String>> {
    let issuer: Option<String> = tx
        .query_row(
            "select issuer from identities where user_id = ?1 and id = ?2",
            params![user.0, id.0],
            |row| row.get(0),
        )
        .optional()?;
    let Some(issuer) = issuer else { return Ok(None) };
    let other_ways: bool = tx.query_row(
        "select password_hash is not null or exists (select 1 from identities where user_id = ?1 and id != ?2)
         from users where id = ?1",
        params![user.0, id.0],
        |row| row.get(0),
    )?;
    if !other_ways {
        return Err(Error::conflict(
            "This is your only way to sign in. Set a password for the account first, at /forgot-password.",
        ));
    }
    tx.execute("delete from identities where id = ?1", [id.0])?;
    Ok(Some(issuer))
}
