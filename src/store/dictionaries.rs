//! The dictionaries of `main.db` and `logs.db`, and their training data.

use super::packing::{Dictionary, Packer, unpack};
use crate::error::Result;
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction};
use std::sync::Arc;

/// The most dictionaries of a data directory; enough for years of changing events.
pub const DICTIONARIES_MAX: i64 = 32;
/// What a database's dictionaries are trained on.
pub struct Samples {
    pub what: &'static str,
    /// The newest row; 0 if there is none.
    pub newest: fn(&Connection) -> Result<i64>,
    /// The compressed part of a row, uncompressed; `None` if there is no such row.
    pub of_row: fn(&Connection, i64) -> Result<Option<Vec<u8>>>,
}

/// Payloads of events.
pub const EVENTS: Samples = Samples { what: "events", newest: newest_event, of_row: payload };

/// The most bytes of payloads used to train a dictionary, and of one of them.
const SAMPLES_BYTES: usize = 2 << 20;
pub const SAMPLE_MAX: usize = 64 << 10;
/// The number of newest rows from which samples are taken evenly.
const SPAN: i64 = 50_000;

/// The state of training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trained {
    pub dictionaries: i64,
    /// The newest row when the newest dictionary was trained; 0 if there was none.
    pub at_row: i64,
}

/// Registers all dictionaries and uses the newest.
pub(super) fn load(c: &Connection, packer: &Packer) -> Result<()> {
    let mut statement = c.prepare("select content from dictionaries order by at_row, id")?;
    for content in statement.query_map((), |row| row.get::<_, Vec<u8>>(0))? {
        packer.use_from_now(Arc::new(Dictionary::new(content?)?));
    }
    Ok(())
}

/// The state of training.
///
/// # Errors
/// Storage trouble, like the others.
pub fn trained(c: &Connection) -> Result<Trained> {
    let query = "select count(*), coalesce(max(at_row), 0) from dictionaries";
    Ok(c.query_row(query, (), |row| Ok(Trained { dictionaries: row.get(0)?, at_row: row.get(1)? }))?)
}

fn newest_event(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select max(id) from events", (), |row| row.get::<_, Option<i64>>(0))?.unwrap_or(0))
}

fn payload(c: &Connection, row: i64) -> Result<Option<Vec<u8>>> {
    let mut statement = c.prepare_cached("select payload from events where id = ?1")?;
    let packed: Option<Vec<u8>> = statement.query_row([row], |row| row.get(0)).optional()?;
    Ok(packed.and_then(|packed| unpack(&packed, SAMPLE_MAX).ok()))
}

/// Up to `most` samples, taken evenly from the newest rows.
pub fn samples(c: &Connection, kind: &Samples, most: i64) -> Result<Vec<Vec<u8>>> {
    let newest = (kind.newest)(c)?;
    let step = (newest.min(SPAN) / most).max(1);
    let (mut samples, mut bytes) = (Vec::new(), 0);
    for number in 0..most {
        let Some(plain) = (kind.of_row)(c, newest - number * step)? else { continue };
        bytes += plain.len();
        if bytes > SAMPLES_BYTES {
            break;
        }
        samples.push(plain);
    }
    Ok(samples)
}

/// Stores a dictionary, before anything is written with it.
pub fn insert(tx: &Transaction<'_>, dictionary: &Dictionary, at_row: i64, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into dictionaries (id, content, at_row, created_at) values (?1, ?2, ?3, ?4)",
        (dictionary.id(), dictionary.bytes(), at_row, now.millis()),
    )?;
    Ok(())
}
