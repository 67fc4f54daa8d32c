//! `intake.db`: what was accepted and is not yet digested.

use super::STORED_MAX;
use super::accepted::Accepted;
use crate::error::{Error, Result};
use crate::ids::ProjectId;
use crate::store::{Fatal, Job, Readers, Writer, compress, open_intake};
use crate::time::Timestamp;
use rusqlite::{Connection, Transaction, params};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use tokio::sync::oneshot;

/// An event on its way to disk.
pub struct Row {
    project: ProjectId,
    event_id: String,
    received_at: i64,
    payload: Vec<u8>,
}

impl Row {
    /// Serialises and compresses; done by the request, not by the writer.
    ///
    /// # Errors
    /// 422 when there is more than [`STORED_MAX`]: the digest would have to set it aside.
    pub fn new(project: ProjectId, event: &Accepted<'_>) -> Result<Self> {
        let json = serde_json::to_vec(event).map_err(Error::internal)?;
        if json.len() > STORED_MAX {
            return Err(Error::invalid(format!(
                "The event is too large once stored: {} bytes of at most {STORED_MAX}. Send less of it.",
                json.len()
            )));
        }
        let payload = compress(&json)?;
        Ok(Self {
            project,
            event_id: event.event_id.clone().into_owned(),
            received_at: event.received_at,
            payload,
        })
    }

    pub fn event_id(&self) -> &str {
        &self.event_id
    }
}

/// An event to be digested.
#[derive(Clone)]
pub struct Pending {
    /// Its place in the order of acceptance; never used twice.
    pub position: i64,
    pub project: ProjectId,
    pub event_id: String,
    pub received_at: i64,
    pub payload: Vec<u8>,
}

/// The handle on `intake.db`.
#[derive(Clone)]
pub struct Store {
    writer: Writer,
    readers: Readers,
    /// The digest, which sleeps while there is nothing to do.
    sleeper: Arc<OnceLock<Thread>>,
}

impl Store {
    /// Opens or creates `intake.db`. `digested` is the position that `main.db` has reached: if the
    /// file was lost or replaced, numbering goes on above it, so that no new row is skipped.
    pub fn open(data_dir: &Path, digested: i64, fatal: &Fatal) -> Result<Self> {
        let path = data_dir.join("intake.db");
        let connection = open_intake(&path)?;
        set_up(&connection, digested)?;
        let writer = Writer::start("intake", connection, fatal.clone())?;
        Ok(Self { writer, readers: Readers::open(&path)?, sleeper: Arc::default() })
    }

    /// Stores events; returns once they are on disk.
    pub async fn add(&self, rows: Vec<Row>) -> Result<()> {
        let (reply, stored) = oneshot::channel();
        let sleeper = self.sleeper.clone();
        self.writer.submit(Box::new(Insert { rows, failed: None, reply, sleeper }))?;
        stored.await.map_err(|_| Error::overloaded("The server is stopping. Try again."))?
    }

    /// Makes `thread` the one that is woken when events were stored.
    pub fn wake(&self, thread: Thread) {
        drop(self.sleeper.set(thread));
    }

    /// The next events after `position`, in order: at most `rows`, ending early past `bytes`.
    pub fn after(&self, position: i64, rows: usize, bytes: usize) -> Result<Vec<Pending>> {
        self.readers.read_blocking(|c| after(c, position, rows, bytes))
    }

    /// Removes what has been digested. Nobody waits for it: rows that stay are below the position.
    pub fn forget(&self, position: i64) -> Result<()> {
        self.writer
            .call(move |tx| {
                tx.prepare_cached("delete from accepted where position <= ?1")?.execute([position])?;
                Ok(())
            })
            .map(drop)
    }

    /// Commits what is queued and closes the file.
    pub fn stop(&self) {
        self.writer.stop();
    }

    /// Whether a write goes through at this moment.
    pub async fn check(&self, now: Timestamp) -> Result<()> {
        self.call(move |tx| crate::store::beat(tx, now)).await
    }

    /// Gives pages of digested events back to the file system.
    pub async fn give_back(&self) -> Result<()> {
        self.call(crate::store::give_back).await
    }

    async fn call(&self, write: impl FnOnce(&Transaction<'_>) -> Result<()> + Send + 'static) -> Result<()> {
        self.writer.call(write)?.await.map_err(|_| Error::overloaded("The server is stopping."))?
    }
}

fn set_up(connection: &Connection, digested: i64) -> Result<()> {
    connection.execute_batch(
        "create table if not exists accepted (
             position     integer primary key autoincrement, -- must never be used twice
             project_id   integer not null,
             event_id     text    not null,
             received_at  integer not null,
             payload      blob    not null                   -- zstd of the JSON of intake::Accepted
         ) strict;
         create table if not exists heartbeat (id integer primary key check (id = 1), at integer not null) strict;
         insert into sqlite_sequence (name, seq)
             select 'accepted', 0 where not exists (select 1 from sqlite_sequence where name = 'accepted');",
    )?;
    connection
        .execute("update sqlite_sequence set seq = max(seq, ?1) where name = 'accepted'", [digested])?;
    Ok(())
}

fn after(c: &Connection, position: i64, limit: usize, bytes: usize) -> Result<Vec<Pending>> {
    let mut statement = c.prepare_cached(
        "select position, project_id, event_id, received_at, payload from accepted
         where position > ?1 order by position limit ?2",
    )?;
    let mut rows = statement.query(params![position, i64::try_from(limit).unwrap_or(i64::MAX)])?;
    let mut pending = Vec::new();
    let mut size = 0;
    while size < bytes
        && let Some(row) = rows.next()?
    {
        let payload: Vec<u8> = row.get(4)?;
        size += payload.len();
        pending.push(Pending {
            position: row.get(0)?,
            project: ProjectId(row.get(1)?),
            event_id: row.get(2)?,
            received_at: row.get(3)?,
            payload,
        });
    }
    Ok(pending)
}

struct Insert {
    rows: Vec<Row>,
    failed: Option<Error>,
    reply: oneshot::Sender<Result<()>>,
    sleeper: Arc<OnceLock<Thread>>,
}

impl Insert {
    fn write(&self, transaction: &Transaction<'_>) -> Result<()> {
        let mut statement = transaction.prepare_cached(
            "insert into accepted (project_id, event_id, received_at, payload) values (?1, ?2, ?3, ?4)",
        )?;
        for row in &self.rows {
            statement.execute(params![row.project.0, row.event_id, row.received_at, row.payload])?;
        }
        Ok(())
    }
}

impl Job for Insert {
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        self.failed = self.write(transaction).err();
        self.failed.is_none()
    }

    fn settle(self: Box<Self>, committed: Result<()>) {
        if let Some(thread) = self.sleeper.get() {
            thread.unpark();
        }
        // The sender may be gone: the event is stored all the same.
        drop(self.reply.send(match self.failed {
            Some(error) => Err(error),
            None => committed,
        }));
    }

    fn size(&self) -> usize {
        self.rows.iter().map(|row| row.payload.len() + row.event_id.len()).sum()
    }

    fn needs_savepoint(&self) -> bool {
        self.rows.len() > 1
    }
}

#[cfg(test)]
mod tests;
