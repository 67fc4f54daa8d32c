//! The parts of a replay that have arrived, and which of their files are damaged.

use crate::error::Result;
use crate::event::key;
use crate::event::replay::FileName;
use crate::ids::ProjectId;
use crate::replays::sequence::Part;
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction, params};

/// The parts of a replay from a place on, in order.
pub fn parts(c: &Connection, project: ProjectId, replay_id: &str, from: i64) -> Result<Vec<Part>> {
    let mut statement = c.prepare_cached(
        "select s.place, s.piece, s.pieces, s.file, s.first_at, s.last_at, s.snapshot_at, s.received_at,
             s.damaged_at is not null
         from replays r join replay_segments s on s.replay = r.id
         where r.project_id = ?1 and r.replay_key = ?2 and r.deleted_at is null and s.place >= ?3
         order by s.place, s.piece",
    )?;
    let rows = statement.query_map(params![project.0, key::encode(replay_id), from], |row| {
        Ok(Part {
            place: row.get(0)?,
            piece: row.get(1)?,
            pieces: row.get(2)?,
            file: row.get(3)?,
            first_at: row.get(4)?,
            last_at: row.get(5)?,
            snapshot_at: row.get(6)?,
            received_at: row.get(7)?,
            is_damaged: row.get(8)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Notes when files were found damaged as they were read; `None`: they were whole.
pub fn note_damage(tx: &Transaction<'_>, files: &[FileName], at: Option<Timestamp>) -> Result<()> {
    let mut statement = tx.prepare_cached("update replay_segments set damaged_at = ?2 where file = ?1")?;
    for file in files {
        statement.execute(params![file, at.map(Timestamp::millis)])?;
    }
    Ok(())
}
