//! The index, open for writing: every commit carries the position reached in its own payload.

use super::build::segments;
use super::document::SharedDocument;
use super::fault::fault;
use super::fields::{FORMAT, Fields};
use super::merging::Merging;
use super::terms::NameSets;
use super::view::View;
use crate::error::{Error, Result};
use crate::event::log_batch::StoredBatch;
use crate::ids::ProjectId;
use crate::sabotage;
use serde::{Deserialize, Serialize};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tantivy::directory::MmapDirectory;
use tantivy::directory::error::OpenReadError;
use tantivy::indexer::IndexWriterOptions;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy};

/// The minimum that tantivy requires for its own indexing threads, although we build the segments ourselves.
const MEMORY: usize = 15 << 20;
/// Where a sabotaged server keeps the position.
const BESIDE: &str = "position";

/// What a commit says about itself.
#[derive(Serialize, Deserialize)]
pub struct Payload {
    format: u32,
    /// The history of the `logs.db` whose ids it contains.
    pub history: String,
    pub position: i64,
}

impl Payload {
    /// Reads the payload of the last commit in a directory without opening the index; `None` if that is not
    /// possible.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let meta: serde_json::Value = serde_json::from_slice(&fs::read(path.join("meta.json")).ok()?).ok()?;
        serde_json::from_str(meta.get("payload")?.as_str()?).ok()
    }
}

/// The index, open for writing.
pub(crate) struct OpenIndex {
    pub(crate) index: Index,
    pub(crate) fields: Fields,
    sets: Arc<NameSets>,
    pub(crate) writer: IndexWriter<SharedDocument>,
    reader: IndexReader,
    history: String,
    /// The position added, and the position committed.
    pub(crate) added: i64,
    pub(crate) committed: i64,
    /// When the oldest uncommitted entry was added.
    pub(crate) waiting_since: Option<Instant>,
    pub(crate) last_commit: Option<Instant>,
    /// Whether much is still to be added.
    pub(crate) is_behind: Arc<AtomicBool>,
}

impl OpenIndex {
    pub(crate) fn new(path: &Path, history: &str) -> Result<Self> {
        let (schema, _) = Fields::schema();
        let directory = MmapDirectory::open(path).map_err(Error::storage)?;
        let index = Index::builder()
            .schema(schema)
            .settings(Fields::settings())
            .tokenizers(Fields::tokenizers())
            .open_or_create(directory)
            .map_err(fault)?;
        Self::with(index, history, 0)
    }

    pub(crate) fn existing(path: &Path, history: &str) -> Result<Self> {
        let mut index = Index::open_in_dir(path).map_err(fault)?;
        let payload = index.load_metas().map_err(fault)?.payload;
        let payload: Payload = payload
            .and_then(|text| serde_json::from_str(&text).ok())
            .ok_or_else(|| Error::internal("its last commit does not say which position it reached"))?;
        let (schema, _) = Fields::schema();
        if payload.format != FORMAT || index.schema() != schema {
            return Err(Error::internal("it has another format"));
        }
        if payload.history != history && !sabotage::on("trust_index") {
            return Err(Error::internal("it belongs to another logs.db"));
        }
        index.set_tokenizers(Fields::tokenizers());
        let beside =
            sabotage::on("index_position_beside_commit").then(|| fs::read_to_string(path.join(BESIDE)));
        let beside = beside.and_then(|text| text.ok()?.parse().ok());
        Self::with(index, history, beside.unwrap_or(payload.position))
    }

    /// Opens the existing index, with its columns. tantivy panics at some damage, also of the columns.
    ///
    /// # Errors
    /// 503 if the system refused a file, which may still be intact; otherwise the index is damaged or not
    /// ours.
    pub(crate) fn with_view(path: &Path, history: &str) -> Result<(Self, View)> {
        let open = || {
            let open = Self::existing(path, history)?;
            let view = open.view(None)?;
            Ok((open, view))
        };
        let damaged = |_| Err(Error::internal("reading its files makes tantivy panic"));
        catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(damaged)
    }

    fn with(index: Index, history: &str, position: i64) -> Result<Self> {
        let (_, fields) = Fields::schema();
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(MEMORY)
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter<SharedDocument> = index.writer_with_options(options).map_err(fault)?;
        let is_behind = Arc::new(AtomicBool::new(false));
        writer.set_merge_policy(Box::new(Merging::new(is_behind.clone())));
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(fault)?;
        Ok(Self {
            index,
            fields,
            sets: Arc::default(),
            writer,
            reader,
            history: history.to_owned(),
            added: position,
            committed: position,
            waiting_since: None,
            last_commit: None,
            is_behind,
        })
    }

    pub(crate) fn view(&self, before: Option<&View>) -> Result<View> {
        View::open(&self.reader, self.fields, before)
    }

    /// Adds the batches after those already added.
    pub(crate) fn add(&mut self, batches: &[Arc<StoredBatch>]) -> Result<()> {
        for segment in segments(&self.index, self.fields, &self.sets, batches)? {
            self.writer.add_segment(segment).map_err(fault)?;
        }
        self.added = batches.last().map_or(self.added, |batch| batch.id);
        self.waiting_since.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// What a sabotaged server does: continues after what could not be added.
    pub(crate) fn pass_over(&mut self, batches: &[Arc<StoredBatch>], error: Error) -> Result<()> {
        if !sabotage::on("index_passes_over_errors") {
            return Err(error);
        }
        tracing::warn!(%error, "indexing logs is postponed");
        self.added = batches.last().map_or(self.added, |batch| batch.id);
        Ok(())
    }

    /// Deletes a project's entries.
    pub(crate) fn delete(&self, project: ProjectId) -> Result<()> {
        self.writer.delete_query(Box::new(self.fields.project(project))).map_err(fault)?;
        Ok(())
    }

    /// Deletes a project's entries of the batches up to one.
    pub(crate) fn delete_through(&self, project: ProjectId, batch: i64) -> Result<()> {
        self.writer.delete_query(Box::new(self.fields.project_through(project, batch))).map_err(fault)?;
        Ok(())
    }

    pub(crate) fn commit(&mut self, path: &Path) -> Result<()> {
        if sabotage::on("index_position_beside_commit") {
            fs::write(path.join(BESIDE), self.added.to_string()).map_err(Error::storage)?;
        }
        let payload = Payload { format: FORMAT, history: self.history.clone(), position: self.added };
        let payload = serde_json::to_string(&payload).map_err(Error::internal)?;
        let mut prepared = self.writer.prepare_commit().map_err(fault)?;
        prepared.set_payload(&payload);
        prepared.commit().map_err(fault)?;
        // Tantivy renames `meta.json` and does not sync the directory after it.
        fs::File::open(path).and_then(|directory| directory.sync_all()).map_err(Error::storage)?;
        self.committed = self.added;
        self.waiting_since = None;
        self.last_commit = Some(Instant::now());
        self.reader.reload().map_err(fault)
    }
}

/// Whether every file of the committed segments is as it was written; also `true` once `stopping` is set.
/// tantivy's own check skips files that are missing from its list (`.managed.json`), and the list itself has
/// no checksum.
pub(crate) fn is_whole(index: &Index, stopping: &AtomicBool) -> Result<bool> {
    let directory = index.directory();
    let files = || Ok::<_, Error>(index.load_metas().map_err(fault)?.list_segment_files());
    let listed = directory.list_managed_files();
    for file in &files()? {
        if stopping.load(Ordering::Acquire) {
            return Ok(true);
        }
        let is_whole = match directory.validate_checksum(file) {
            Ok(is_whole) => is_whole,
            // Not every segment has every kind of file.
            Err(OpenReadError::FileDoesNotExist(_)) => !listed.contains(file),
            Err(error) => match fault(error.into()) {
                refused @ Error::Unavailable { .. } => return Err(refused),
                _ => false,
            },
        };
        // A segment that has been merged in the meantime is deleted, or about to be.
        if !is_whole && files()?.contains(file) {
            return Ok(false);
        }
    }
    Ok(true)
}
