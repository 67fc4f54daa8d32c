//! Statements on the result of the checks.

use super::{Knowledge, Release};
use crate::error::Result;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use semver::Version;

pub fn knowledge(c: &Connection) -> Result<Knowledge> {
    let mut statement = c.prepare_cached(
        "select tried_at, checked_at, error, version, url, seen_at, signalled from release_feed where id = 1",
    )?;
    Ok(statement.query_row((), known).optional()?.unwrap_or_default())
}

fn known(row: &Row<'_>) -> rusqlite::Result<Knowledge> {
    let time =
        |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Timestamp::from_millis));
    let version = |index| {
        let text: Option<String> = row.get(index)?;
        Ok::<_, rusqlite::Error>(text.and_then(|text| Version::parse(&text).ok()))
    };
    let url = row.get(4)?;
    Ok(Knowledge {
        tried_at: time(0)?,
        checked_at: time(1)?,
        error: row.get(2)?,
        newest: version(3)?.map(|version| Release { version, url }),
        seen_at: time(5)?,
        signalled: version(6)?,
    })
}

/// Records a check that is about to begin.
pub fn try_now(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into release_feed (id, tried_at) values (1, ?1)
         on conflict (id) do update set tried_at = excluded.tried_at",
        [now.millis()],
    )?;
    Ok(())
}

/// Stores why a check failed; what was known before stays.
pub fn fail(tx: &Transaction<'_>, error: &str) -> Result<()> {
    tx.execute("update release_feed set error = ?1 where id = 1", [error])?;
    Ok(())
}

pub fn learn(tx: &Transaction<'_>, new: &Knowledge) -> Result<()> {
    let newest = new.newest.as_ref();
    tx.execute(
        "update release_feed set checked_at = ?1, error = ?2, version = ?3, url = ?4, seen_at = ?5, signalled = ?6
         where id = 1",
        params![
            new.checked_at.map(Timestamp::millis),
            new.error,
            newest.map(|release| release.version.to_string()),
            newest.and_then(|release| release.url.as_deref()),
            new.seen_at.map(Timestamp::millis),
            new.signalled.as_ref().map(ToString::to_string),
        ],
    )?;
    Ok(())
}
