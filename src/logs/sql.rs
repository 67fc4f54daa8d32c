//! All statements on `logs.db` except those on its dictionaries.

pub mod oldest;

use crate::error::{Error, Result};
use crate::event::log_batch::{Plain, StoredBatch};
use crate::ids::ProjectId;
use crate::store::dictionaries::{SAMPLE_MAX, Samples};
use crate::time::{DAY, Timestamp};
use crate::usage::Days;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// How long a batch's Idempotency-Key is remembered.
const REPEATS_KEPT: i64 = DAY;
/// Batches deleted in one transaction; others write in between.
const DELETE_AT_ONCE: i64 = 500;

/// The sums of a project's stored batches: entries, and bytes as packed.
pub const DAYS: Days = Days("entry_days");

/// The result of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchOutcome {
    pub accepted: usize,
    pub dropped: usize,
}

/// A batch on its way to disk.
pub struct New {
    pub project: ProjectId,
    pub received_at: Timestamp,
    pub plain: Plain,
    pub packed: Vec<u8>,
    pub dropped: usize,
    pub repeat: Option<Repeat>,
}

/// Identifies a repeated batch: hashes of its Idempotency-Key and of its body.
#[derive(Clone, Copy)]
pub struct Repeat {
    pub key: [u8; 16],
    pub body: [u8; 16],
}

/// Stores a batch. Returns its id and its result; no id if it was stored before.
///
/// # Errors
/// Unauthenticated if its project has been deleted in the meantime; 422 if its Idempotency-Key was used before with another body.
pub fn insert(tx: &Transaction<'_>, new: &New) -> Result<(Option<i64>, BatchOutcome)> {
    let taken = BatchOutcome { accepted: new.plain.count, dropped: new.dropped };
    if let Some(repeat) = &new.repeat {
        if let Some(before) = repeated(tx, new.project, repeat)? {
            return Ok((None, before));
        }
        tx.prepare_cached(
            "insert into repeats (project_id, key, body, accepted, dropped, at)
             values (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            new.project.0,
            repeat.key,
            repeat.body,
            taken.accepted as i64,
            taken.dropped as i64,
            new.received_at.millis()
        ])?;
    }
    if taken.accepted == 0 {
        return Ok((None, taken));
    }
    let stored = tx
        .prepare_cached(
            "insert into batches (project_id, received_at, environment, release, count, entries)
             select ?1, ?2, ?3, ?4, ?5, ?6
             where not exists (select 1 from deleted_projects where project_id = ?1)",
        )?
        .execute(params![
            new.project.0,
            new.received_at.millis(),
            &*new.plain.environment,
            new.plain.release.as_deref(),
            new.plain.count as i64,
            new.packed
        ])?;
    if stored == 0 {
        // Its keys are revoked by now; what they sent just before must not be answered as if it were kept.
        return Err(Error::invalid_key());
    }
    Ok((Some(tx.last_insert_rowid()), taken))
}

fn repeated(c: &Connection, project: ProjectId, repeat: &Repeat) -> Result<Option<BatchOutcome>> {
    let mut statement =
        c.prepare_cached("select accepted, dropped, body from repeats where project_id = ?1 and key = ?2")?;
    let count = |value: i64| usize::try_from(value).unwrap_or(0);
    let found = statement.query_row(params![project.0, repeat.key], |row| {
        let taken = BatchOutcome { accepted: count(row.get(0)?), dropped: count(row.get(1)?) };
        Ok((taken, row.get::<_, [u8; 16]>(2)?))
    });
    match found.optional()? {
        Some((_, body)) if body != repeat.body => Err(Error::invalid(
            "Idempotency-Key: expected the same body as before, got another one; nothing was stored",
        )),
        found => Ok(found.map(|(taken, _)| taken)),
    }
}

/// Batches after a position, in order, up to about `bytes` of entries.
pub fn after(c: &Connection, position: i64, bytes: usize) -> Result<Vec<StoredBatch>> {
    let mut statement = c.prepare_cached(
        "select id, project_id, environment, release, count, entries, received_at from batches
         where id > ?1 order by id",
    )?;
    let mut rows = statement.query([position])?;
    let (mut found, mut read) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let packed = row.get_ref(5)?.as_blob().map_err(Error::internal)?;
        let (environment, release): (String, Option<String>) = (row.get(2)?, row.get(3)?);
        let count = usize::try_from(row.get::<_, i64>(4)?).unwrap_or(0);
        let plain = Plain::unpack(&environment, release.as_deref(), count, packed)?;
        read += plain.size();
        let received_at = Timestamp::from_millis(row.get(6)?);
        found.push(StoredBatch { id: row.get(0)?, project: ProjectId(row.get(1)?), received_at, plain });
        if read >= bytes {
            break;
        }
    }
    Ok(found)
}

/// The position of the newest batch, including deleted ones.
pub fn newest(c: &Connection) -> Result<i64> {
    let found = c.query_row("select seq from sqlite_sequence where name = 'batches'", (), |row| row.get(0));
    Ok(found.optional()?.unwrap_or(0))
}

/// The history of the file's ids; an index belongs to exactly one.
pub fn history(c: &Connection) -> Result<String> {
    Ok(c.query_row("select history from origin where id = 1", (), |row| row.get(0))?)
}

/// Begins another history, whose ids continue above `position`.
pub fn begin_history(tx: &Transaction<'_>, position: i64) -> Result<()> {
    tx.execute("update origin set history = lower(hex(randomblob(16))) where id = 1", ())?;
    let raised =
        tx.execute("update sqlite_sequence set seq = max(seq, ?1) where name = 'batches'", [position])?;
    if raised == 0 {
        tx.execute("insert into sqlite_sequence (name, seq) values ('batches', ?1)", [position])?;
    }
    Ok(())
}

/// Whether a project was deleted, so that its entries may be gone.
pub fn is_deleted(c: &Connection, project: ProjectId) -> Result<bool> {
    let query = "select exists (select 1 from deleted_projects where project_id = ?1)";
    Ok(c.prepare_cached(query)?.query_row([project.0], |row| row.get(0))?)
}

/// The highest id of a project that ever had entries.
pub fn highest_project(c: &Connection) -> Result<ProjectId> {
    let query = "select max(coalesce((select max(project_id) from batches), 0),
                            coalesce((select max(project_id) from deleted_projects), 0))";
    Ok(ProjectId(c.query_row(query, (), |row| row.get(0))?))
}

/// The first blocks of batches.
pub const BLOCKS: Samples = Samples { what: "log entries", newest, of_row: first_block };

fn first_block(c: &Connection, id: i64) -> Result<Option<Vec<u8>>> {
    let mut statement = c.prepare_cached("select entries from batches where id = ?1")?;
    let packed: Option<Vec<u8>> = statement.query_row([id], |row| row.get(0)).optional()?;
    Ok(packed.and_then(|packed| crate::event::log_batch::sample(&packed, SAMPLE_MAX)))
}

/// A packed batch of a project, with what its entries share.
pub struct PackedBatch {
    pub received_at: Timestamp,
    pub environment: String,
    pub release: Option<String>,
    /// How many entries it has.
    pub count: usize,
    pub entries: Vec<u8>,
}

pub fn packed(c: &Connection, project: ProjectId, id: i64) -> Result<Option<PackedBatch>> {
    let mut statement = c.prepare_cached(
        "select environment, release, count, entries, received_at from batches
         where id = ?1 and project_id = ?2",
    )?;
    let found = statement.query_row([id, project.0], |row| {
        let count = usize::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
        let received_at = Timestamp::from_millis(row.get(4)?);
        Ok(PackedBatch {
            received_at,
            environment: row.get(0)?,
            release: row.get(1)?,
            count,
            entries: row.get(3)?,
        })
    });
    Ok(found.optional()?)
}

/// Deletes keys that are older than a day.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from repeats where at < ?1", [now.plus(-REPEATS_KEPT).millis()])?;
    Ok(())
}

/// Closes a project: no more of its entries are accepted.
pub fn close(tx: &Transaction<'_>, project: ProjectId) -> Result<()> {
    tx.execute("insert or ignore into deleted_projects (project_id) values (?1)", [project.0])?;
    tx.execute("delete from repeats where project_id = ?1", [project.0])?;
    Ok(())
}

/// Deletes some batches of a deleted project; `false` when none are left.
pub fn delete_some(tx: &Transaction<'_>, project: ProjectId) -> Result<bool> {
    let deleted = tx.execute(
        "delete from batches where id in (select id from batches where project_id = ?1 limit ?2)",
        [project.0, DELETE_AT_ONCE],
    )?;
    Ok(deleted > 0)
}

/// Deleted projects that may still have batches.
pub fn closing(c: &Connection) -> Result<Vec<ProjectId>> {
    projects(c, "select project_id from deleted_projects where indexed")
}

/// Deleted projects that may still have entries in the index.
pub fn to_be_unindexed(c: &Connection) -> Result<Vec<ProjectId>> {
    projects(
        c,
        "select project_id from deleted_projects d where indexed
             and not exists (select 1 from batches b where b.project_id = d.project_id)",
    )
}

fn projects(c: &Connection, query: &str) -> Result<Vec<ProjectId>> {
    let mut statement = c.prepare_cached(query)?;
    let rows = statement.query_map((), |row| row.get(0).map(ProjectId))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Records that the index has no more entries of these projects.
pub fn unindexed(tx: &Transaction<'_>, projects: &[ProjectId]) -> Result<()> {
    let mut statement = tx.prepare_cached("update deleted_projects set indexed = 0 where project_id = ?1")?;
    projects.iter().try_for_each(|project| statement.execute([project.0]).map(drop))?;
    projects.iter().try_for_each(|project| oldest::forget(tx, *project))
}

/// Resets that record for a new index.
pub fn all_indexed(tx: &Transaction<'_>) -> Result<()> {
    tx.execute("update deleted_projects set indexed = 1 where not indexed", ())?;
    oldest::all_indexed(tx)
}
