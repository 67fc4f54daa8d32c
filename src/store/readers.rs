//! Read-only connections, a few at once, with a deadline on every query.

use super::connection::{READER_FLAGS, set_up_reader};
use super::damage::Damage;
use crate::error::{Error, Result};
use crate::sabotage;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// How long the queries of one read may take together.
pub const QUERY_DEADLINE: Duration = Duration::from_secs(5);

/// How long a read waits for a connection before it answers 503.
const WAIT: Duration = Duration::from_secs(5);

/// Connections at once. More would only queue for the cores; fewer connections with larger caches hold what a
/// long list of issues reads.
const CONNECTIONS: u32 = 4;
/// The other one is only for look-ups, so that no number of slow lists holds up a sign-in.
const LISTS: usize = 3;

/// Virtual machine steps between two checks of the clock: about a millisecond.
const STEPS: i32 = 10_000;

/// A pool of read-only connections to one database file.
#[derive(Clone)]
pub struct Readers {
    pool: r2d2::Pool<SqliteConnectionManager>,
    /// Reads that may take long.
    lists: Arc<Semaphore>,
    path: PathBuf,
    damage: Option<Damage>,
}

impl Readers {
    pub fn open(path: &Path) -> Result<Self> {
        let manager = SqliteConnectionManager::file(path).with_flags(READER_FLAGS).with_init(set_up_reader);
        let pool = r2d2::Pool::builder()
            .max_size(CONNECTIONS)
            .min_idle(Some(1))
            .connection_timeout(WAIT)
            .test_on_check_out(false)
            .build(manager)
            .map_err(Error::storage)?;
        let lists = if sabotage::on("lists_take_every_connection") { 1_000 } else { LISTS };
        Ok(Self { pool, lists: Arc::new(Semaphore::new(lists)), path: path.to_owned(), damage: None })
    }

    /// The same, but ending the process if one of them meets damage.
    pub(super) fn watched(self, damage: Damage) -> Self {
        Self { damage: Some(damage), ..self }
    }

    /// Passes on the result of a statement on a [`Readers::dedicated`] connection. Damage becomes a 503 and
    /// ends the process.
    pub fn judge<T>(&self, result: Result<T>) -> Result<T> {
        match &self.damage {
            Some(damage) => damage.judge(result),
            None => result,
        }
    }

    /// A separate connection without a deadline, for work that must get done however long it takes and
    /// whoever else reads. Pass its results through [`Readers::judge`].
    pub fn dedicated(&self) -> Result<Connection> {
        let mut connection = Connection::open_with_flags(&self.path, READER_FLAGS)?;
        set_up_reader(&mut connection)?;
        Ok(connection)
    }

    /// Runs `read` on a blocking thread, when it is its turn.
    ///
    /// # Errors
    /// 503 if its turn does not come in time; the errors of the read.
    pub async fn read<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let turn = tokio::time::timeout(WAIT, self.lists.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Error::overloaded("Too many queries at once. Try again."))?;
        let turn = turn.map_err(Error::internal)?;
        let take = move |connection: &Connection| {
            let _turn = turn;
            read(connection)
        };
        self.look_up(take).await
    }

    /// Runs a quick `read`, ahead of those waiting for their turn.
    pub async fn look_up<T, F>(&self, read: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let readers = self.clone();
        tokio::task::spawn_blocking(move || readers.read_blocking(read)).await.map_err(Error::internal)?
    }

    /// [`Readers::read`] for our own threads.
    pub fn read_blocking<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connection = self.pool.get().map_err(Error::storage)?;
        let deadline = Instant::now() + QUERY_DEADLINE;
        connection.progress_handler(STEPS, Some(move || Instant::now() > deadline))?;
        // All statements of a read see the same state, so that a page and its total are consistent.
        let result = connection.unchecked_transaction().map_err(Error::from).and_then(|moment| read(&moment));
        connection.progress_handler(STEPS, None::<fn() -> bool>)?;
        self.judge(result)
    }
}
