//! Events that are accepted and not yet digested: rows of the journal under `intake/`.

use crate::error::{Error, Result};
use crate::event::STORED_MAX;
use crate::event::accepted::Accepted;
use crate::event::record::{self, AcceptedRecord, HEAD, RecordParts};
use crate::event::replay::Segment;
use crate::ids::ProjectId;
use crate::store::journal::{Form, Journal, Observed, RECORD_HEAD, Record, Standing, frame};
use crate::store::{Fatal, Packer};
use crate::time::Timestamp;
use std::path::Path;
use std::thread::Thread;

/// The most events read together, and the most bytes.
const ROUND_EVENTS: usize = 10_000;
const ROUND_BYTES: usize = 4 << 20;

/// The size of most events' JSON, in bytes, is below this.
const USUAL_BYTES: usize = 8 << 10;

/// An event on its way to disk.
pub struct Row {
    form: Form,
    project: ProjectId,
    event_id: String,
    received_at: i64,
    payload: Vec<u8>,
}

impl Row {
    /// Serializes and compresses an event; called on the request's thread, not the writer's.
    ///
    /// # Errors
    /// 422 if it is larger than [`STORED_MAX`], because the digest would have to set it aside.
    pub fn new(packer: &Packer, project: ProjectId, event: &Accepted<'_>) -> Result<Self> {
        let mut json = Vec::with_capacity(USUAL_BYTES);
        serde_json::to_writer(&mut json, event).map_err(Error::internal)?;
        if json.len() > STORED_MAX {
            return Err(Error::invalid(format!(
                "The event is too large: stored, it would have {} bytes of at most {STORED_MAX}. Send less data with it.",
                json.len()
            )));
        }
        let payload = packer.pack(&json)?;
        Ok(Self {
            form: record::error(),
            project,
            event_id: event.event_id.clone().into_owned(),
            received_at: event.received_at,
            payload,
        })
    }

    /// A segment of a replay, on its way to disk like an event.
    ///
    /// # Errors
    /// If it cannot be packed.
    pub fn replay(
        packer: &Packer,
        project: ProjectId,
        segment: &Segment,
        received_at: Timestamp,
    ) -> Result<Self> {
        let json = serde_json::to_vec(segment).map_err(Error::internal)?;
        let payload = packer.pack(&json)?;
        let received_at = received_at.millis();
        Ok(Self { form: record::REPLAY, project, event_id: segment.name(), received_at, payload })
    }

    /// A row from an event that was accepted before.
    ///
    /// # Errors
    /// If it does not match its form.
    pub fn again(project: ProjectId, received_at: Timestamp, record: AcceptedRecord) -> Result<Self> {
        let AcceptedRecord { form, body } = record;
        let received_at = received_at.millis();
        let RecordParts { event_id, payload } =
            record::take_apart(form, received_at, body, 0).ok_or_else(odd)?;
        Ok(Self { form, project, event_id, received_at, payload })
    }

    /// An event that cannot be digested.
    #[cfg(test)]
    pub fn damaged(project: ProjectId, event_id: &str) -> Self {
        let payload = b"nonsense".to_vec();
        Self { form: record::ERROR, project, event_id: event_id.to_owned(), received_at: 0, payload }
    }

    /// A record that a newer Mayday wrote.
    #[cfg(test)]
    pub fn unknown(form: Form, project: ProjectId, received_at: i64, payload: &[u8]) -> Self {
        Self { form, project, event_id: String::new(), received_at, payload: payload.to_vec() }
    }

    pub fn event_id(&self) -> &str {
        &self.event_id
    }

    fn frame(&self, into: &mut Vec<u8>) -> Result<()> {
        frame(into, self.form, |into| {
            into.extend_from_slice(&self.project.0.to_le_bytes());
            into.extend_from_slice(&self.received_at.to_le_bytes());
            record::put_together(self.form, &self.event_id, &self.payload, into)
        })
    }
}

/// A record waiting to be digested.
#[derive(Clone)]
pub struct Pending {
    /// Its place in the order of acceptance; never used twice.
    pub position: i64,
    /// Its kind and version, see [`record::Kind`].
    pub form: Form,
    pub project: ProjectId,
    /// For a segment of a replay, its name; for an unknown form, an id made from the record.
    pub event_id: String,
    pub received_at: i64,
    /// For an unknown form, everything after the head.
    pub payload: Vec<u8>,
}

impl Pending {
    /// `None` if this is not one of our records.
    fn read(record: Record) -> Option<Self> {
        let Record { position, form, bytes } = record;
        let head = bytes.first_chunk::<HEAD>()?;
        let project = ProjectId(i64::from_le_bytes(head[..8].try_into().ok()?));
        let received_at = i64::from_le_bytes(head[8..].try_into().ok()?);
        let RecordParts { event_id, payload } = record::take_apart(form, received_at, bytes, HEAD)?;
        Some(Self { position, form, project, event_id, received_at, payload })
    }

    /// The record as stored in the journal.
    ///
    /// # Errors
    /// As [`record::put_together`].
    pub fn record(&self) -> Result<AcceptedRecord> {
        let mut body = Vec::with_capacity(record::size(&self.event_id, &self.payload));
        record::put_together(self.form, &self.event_id, &self.payload, &mut body)?;
        Ok(AcceptedRecord { form: self.form, body })
    }
}

fn odd() -> Error {
    Error::internal("a record of the intake journal is none of its form")
}

/// The handle on the journal.
#[derive(Clone)]
pub struct Store {
    journal: Journal,
    /// Packs the rows.
    pub packer: Packer,
}

impl Store {
    /// Opens or creates the journal in `data_dir`. `digested` is the position that `main.db` has reached: if
    /// the files were lost or replaced, numbering continues above it, so that no new row is skipped.
    ///
    /// # Errors
    /// If a file with accepted events is damaged.
    pub fn open(data_dir: &Path, digested: i64, packer: Packer, fatal: &Fatal) -> Result<Self> {
        Ok(Self { journal: Journal::open(&data_dir.join("intake"), digested, fatal)?, packer })
    }

    /// Stores events; returns once they are on disk.
    ///
    /// # Errors
    /// Overload or storage trouble; none of the events is stored.
    pub async fn add(&self, rows: Vec<Row>) -> Result<()> {
        let size = |row: &Row| RECORD_HEAD + HEAD + record::size(&row.event_id, &row.payload);
        let size = rows.iter().map(size).sum();
        let mut framed = Vec::with_capacity(size);
        rows.iter().try_for_each(|row| row.frame(&mut framed))?;
        let count = u32::try_from(rows.len()).map_err(Error::internal)?;
        drop(rows);
        self.journal.append(framed, count).await
    }

    /// Sets the thread to wake when events have been stored.
    pub fn wake(&self, thread: Thread) {
        self.journal.wake(thread);
    }

    /// Sets what receives the writer's measurements.
    pub fn observe(&self, observed: Observed) {
        self.journal.observe(observed);
    }

    /// The next events after `position`, in order: at most `rows`, ending early past `bytes`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn after(&self, position: i64, rows: usize, bytes: usize) -> Result<Vec<Pending>> {
        let records = self.journal.after(position, rows, bytes)?;
        records.into_iter().map(|record| Pending::read(record).ok_or_else(odd)).collect()
    }

    /// Like [`Store::after`], for reading ahead of the order without slowing down either reader.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn look_ahead(&self, position: i64, rows: usize, bytes: usize) -> Result<Vec<Pending>> {
        let records = self.journal.look_ahead(position, rows, bytes)?;
        records.into_iter().map(|record| Pending::read(record).ok_or_else(odd)).collect()
    }

    /// Frees what looking ahead holds.
    pub fn end_look_ahead(&self) {
        self.journal.end_look_ahead();
    }

    /// The highest project id among the events after `position`; 0 if there are none.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn highest_project(&self, mut position: i64) -> Result<ProjectId> {
        let mut highest = ProjectId(0);
        loop {
            let pending = self.after(position, ROUND_EVENTS, ROUND_BYTES)?;
            let Some(last) = pending.last() else { return Ok(highest) };
            position = last.position;
            highest = pending.iter().map(|event| event.project).max().map_or(highest, |id| id.max(highest));
        }
    }

    /// Releases the events up to `position`, which have been digested.
    pub fn forget(&self, position: i64) {
        self.journal.forget(position);
    }

    /// The position of the newest event.
    pub fn newest(&self) -> i64 {
        self.journal.newest()
    }

    /// The journal itself.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The state of the journal.
    pub fn standing(&self) -> Standing {
        self.journal.standing()
    }

    /// Checks that a write succeeds at this moment.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn check(&self) -> Result<()> {
        self.journal.check().await
    }

    /// Writes what is queued and closes the files.
    pub fn stop(&self) {
        self.journal.stop();
    }
}

#[cfg(test)]
mod tests;
