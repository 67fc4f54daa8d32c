//! `logs.db`: accepted log entries, in batches.

use super::index::Index;
use super::recent::Recent;
use crate::error::{Error, Result};
use crate::event::log_batch::StoredBatch;
use crate::event::log_batch::pick;
use crate::event::log_entry::Entry;
use crate::ids::ProjectId;
use crate::logs::sql::{self, BatchOutcome, New};
use crate::sabotage;
use crate::search::EntryId;
use crate::store::{Connection, Database, Disk, Fatal, Job, Transaction};
use crate::time::Timestamp;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The handle on everything about logs.
#[derive(Clone)]
pub struct LogStore {
    pub db: Database,
    pub recent: Arc<Recent>,
    pub index: Index,
}

impl LogStore {
    /// Opens or creates `logs.db` and its index in `data_dir`, for the instance of `main.db`.
    ///
    /// # Errors
    /// If the database is damaged, or has the schema or id of another version or instance. A damaged index is
    /// rebuilt.
    pub fn open(data_dir: &Path, instance: &str, disk: &Arc<Disk>, fatal: &Fatal) -> Result<Self> {
        let db = Database::open_logs(data_dir, instance, fatal)?;
        let folder = data_dir.join("logs");
        part_from_others(&db, &folder)?;
        let (newest, history) = db.readers.read_blocking(|c| Ok((sql::newest(c)?, sql::history(c)?)))?;
        let recent = Arc::new(Recent::new(newest));
        let index = Index::start(&folder, history, (db.clone(), disk.clone()), recent.clone(), fatal)?;
        Ok(Self { db, recent, index })
    }

    /// Stores a batch; returns once it is on disk.
    ///
    /// # Errors
    /// 503 if too much is waiting, or the storage fails.
    pub async fn add(&self, new: New) -> Result<BatchOutcome> {
        let (reply, answer) = oneshot::channel();
        let job = Add { new: Some(new), result: None, recent: self.recent.clone(), reply: Some(reply) };
        self.db.writer.submit(Box::new(job))?;
        answer.await.map_err(|_| Error::overloaded("The server is stopping. Try again."))?
    }

    /// Reads entries of a project, in the order of `ids`, without those that have been deleted or never
    /// existed.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn entries<T: Send + 'static>(
        &self,
        project: ProjectId,
        ids: Vec<EntryId>,
        show: impl Fn(EntryId, Entry<'_>, Shared<'_>) -> T + Send + 'static,
    ) -> Result<Vec<T>> {
        self.db.read(move |c| entries(c, project, &ids, &show)).await
    }

    /// The same for the hits of a search. All of them must exist unless the project has been deleted, or their batches
    /// were removed by retention; otherwise the index is damaged, and rebuilt.
    ///
    /// # Errors
    /// Storage trouble, or a damaged index.
    pub async fn found<T: Send + 'static>(
        &self,
        project: ProjectId,
        ids: Vec<EntryId>,
        show: impl Fn(EntryId, Entry<'_>, Shared<'_>) -> T + Send + 'static,
    ) -> Result<Vec<T>> {
        let (hits, asked) = (ids.len(), ids.clone());
        let shown = self.entries(project, ids, show).await?;
        if shown.len() == hits
            || sabotage::on("trust_index")
            || self.db.read(move |c| all_accounted_for(c, project, &asked)).await?
        {
            return Ok(shown);
        }
        tracing::error!(%project, hits, entries = shown.len(), "the log index refers to entries that do not exist");
        Err(self.index.damaged())
    }

    /// Deletes the entries of a deleted project, piece by piece.
    ///
    /// # Errors
    /// Storage trouble; the rest is deleted by the next call.
    pub async fn delete_project(&self, project: ProjectId) -> Result<()> {
        self.db.write(move |tx| sql::close(tx, project)).await?;
        while self.db.write(move |tx| sql::delete_some(tx, project)).await? {}
        self.index.look();
        Ok(())
    }

    /// Periodic housekeeping.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn tidy(&self) -> Result<()> {
        self.db.write(|tx| sql::sweep(tx, Timestamp::now())).await?;
        for project in self.db.read(sql::closing).await? {
            self.delete_project(project).await?;
        }
        Ok(())
    }

    /// Commits what is queued and indexed.
    pub fn stop(&self) {
        self.index.stop();
        self.db.stop();
    }
}

/// Starts a new history if the index beside `logs.db` is ahead of it or belongs to another one, because
/// `logs.db` was restored or is new. The index is then rebuilt, and no id that it has seen is assigned again.
fn part_from_others(db: &Database, folder: &Path) -> Result<()> {
    let Some(left) = Index::left(folder) else { return Ok(()) };
    let (history, newest) = db.readers.read_blocking(|c| Ok((sql::history(c)?, sql::newest(c)?)))?;
    if left.history == history && left.position <= newest || sabotage::on("trust_index") {
        return Ok(());
    }
    tracing::error!(
        newest,
        indexed = left.position,
        "logs.db is older than its index, or a different file: accepted log entries are lost. The remaining ones are \
         indexed again"
    );
    db.write_blocking(move |tx| sql::begin_history(tx, left.position))
}

/// What all entries of a batch share.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub received_at: Timestamp,
    pub environment: &'a str,
    pub release: Option<&'a str>,
}

/// Whether each of these entries exists, or was deleted on purpose.
fn all_accounted_for(c: &Connection, project: ProjectId, ids: &[EntryId]) -> Result<bool> {
    if sql::is_deleted(c, project)? {
        return Ok(true);
    }
    let removed = sql::oldest::removed(c, project)?;
    let kept: Vec<EntryId> = ids.iter().copied().filter(|id| id.batch() > removed).collect();
    Ok(entries(c, project, &kept, &|_, _, _| ())?.len() == kept.len())
}

fn entries<T>(
    c: &Connection,
    project: ProjectId,
    ids: &[EntryId],
    show: &impl Fn(EntryId, Entry<'_>, Shared<'_>) -> T,
) -> Result<Vec<T>> {
    let mut order: Vec<(EntryId, usize)> = ids.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut found: Vec<Option<T>> = ids.iter().map(|_| None).collect();
    for of_batch in order.chunk_by(|a, b| a.0.batch() == b.0.batch()) {
        let Some((first, _)) = of_batch.first() else { continue };
        let Some(batch) = sql::packed(c, project, first.batch())? else { continue };
        let shared = Shared {
            received_at: batch.received_at,
            environment: &batch.environment,
            release: batch.release.as_deref(),
        };
        let places = of_batch.iter().map(|(id, _)| id.place());
        // A place beyond the last entry belongs to no entry.
        let places: Vec<usize> = places.filter(|place| *place < batch.count).collect();
        pick(&batch.entries, &places, |place, entry| {
            if let Some((id, at)) = of_batch.iter().find(|(id, _)| id.place() == place) {
                found[*at] = Some(show(*id, entry, shared));
            }
        })?;
    }
    Ok(found.into_iter().flatten().collect())
}

/// A batch for the writer.
struct Add {
    new: Option<New>,
    result: Option<Result<(Option<i64>, BatchOutcome)>>,
    recent: Arc<Recent>,
    reply: Option<oneshot::Sender<Result<BatchOutcome>>>,
}

impl Job for Add {
    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        self.result = self.new.as_ref().map(|new| sql::insert(transaction, new));
        if sabotage::on("answer_before_commit")
            && let Some(Ok((_, taken))) = &self.result
        {
            self.reply.take().map(|reply| reply.send(Ok(*taken)));
        }
        matches!(self.result, Some(Ok(_)))
    }

    fn settle(self: Box<Self>, committed: Result<()>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(Error::internal("a write panicked")),
            (Err(error), _) => Err(error),
        };
        if let (Ok((Some(id), _)), Some(new)) = (&result, self.new) {
            let New { project, received_at, plain, .. } = new;
            self.recent.add(StoredBatch { id: *id, project, received_at, plain });
        }
        // The caller may have disconnected; its entries are stored anyway.
        self.reply.map(|reply| reply.send(result.map(|(_, taken)| taken)));
    }

    fn size(&self) -> usize {
        self.new.as_ref().map_or(0, |new| new.packed.len() + new.plain.size())
    }

    fn needs_savepoint(&self) -> bool {
        self.new.as_ref().is_none_or(|new| new.repeat.is_some())
    }
}

#[cfg(test)]
mod tests;
