//! The thread that appends: it makes a group of everything that waits, writes and syncs it once, then
//! answers.

use super::newest::{Mark, Marker};
use super::segment::{GROUP_HEAD, HEADER, Segment, Start, seal};
use super::{BACKLOG_BYTES, SEGMENT_BYTES, Shared};
use crate::error::{Error, Result};
use crate::sabotage;
use crate::store::commit::Fatal;
use crate::store::queue::{Queue, Waiting, queue};
use rustix::fs::{FallocateFlags, fallocate};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::oneshot;

/// Requests to the writer.
pub(super) enum Work {
    Append(Append),
    /// Check whether to stop.
    Wake,
}

/// Framed records to be written.
pub(super) struct Append {
    pub(super) framed: Vec<u8>,
    pub(super) count: u32,
    pub(super) reply: oneshot::Sender<Result<()>>,
}

/// Starts the writer.
pub(super) fn start(
    shared: Arc<Shared>,
    marker: Marker,
    fatal: Fatal,
) -> Result<(Queue<Work>, JoinHandle<()>)> {
    let (queue, waiting) = queue();
    let next = shared.last.load(Ordering::Acquire) + 1;
    // Each start begins a new file, so what a crash left at the end of the last one is never overwritten.
    let (segment, at, group) = (None, 0, Vec::new());
    let writer = Writer { shared, marker, fatal, waiting, segment, at, next, group };
    let thread = std::thread::Builder::new()
        .name("write intake".into())
        .spawn(move || writer.run())
        .map_err(Error::internal)?;
    Ok((queue, thread))
}

struct Writer {
    shared: Arc<Shared>,
    marker: Marker,
    fatal: Fatal,
    waiting: Waiting<Work>,
    segment: Option<Arc<Segment>>,
    /// Where the next group goes.
    at: u64,
    /// The position of the next record.
    next: i64,
    /// The group being built.
    group: Vec<u8>,
}

/// Why a group is not on disk.
enum Failure {
    /// It was not written, but the next one may be.
    Write(Error),
    /// The file's state is unknown.
    Sync(std::io::Error),
}

impl Writer {
    fn run(mut self) {
        let _guard = self.fatal.on_panic("write intake");
        while let Some(work) = self.waiting.gather() {
            let appends = work.into_iter().filter_map(|work| match work {
                Work::Append(append) => Some(append),
                Work::Wake => None,
            });
            if !self.settle(appends.collect()) {
                return;
            }
            if self.shared.stopping.load(Ordering::Acquire) {
                self.waiting.close();
            }
        }
    }

    /// Writes a group and answers its requests; `false` if nothing more may be written.
    fn settle(&mut self, mut appends: Vec<Append>) -> bool {
        if appends.is_empty() {
            return true;
        }
        if sabotage::on("answer_before_commit") {
            answer_first(&mut appends);
        }
        match self.write(&appends) {
            Ok(()) => appends.into_iter().for_each(|append| drop(append.reply.send(Ok(())))),
            Err(Failure::Write(error)) => {
                tracing::error!(%error, requests = appends.len(), "accepted events could not be written");
                refuse(appends);
            }
            Err(Failure::Sync(error)) => {
                refuse(appends);
                if sabotage::on("retry_after_failed_sync") {
                    return true;
                }
                self.fatal.raise(format!("the intake journal could not be synced to disk: {error}"));
                return false;
            }
        }
        if let Some(reader) = self.shared.reader.get() {
            reader.unpark();
        }
        true
    }

    fn write(&mut self, appends: &[Append]) -> Result<(), Failure> {
        let records = self.gather(appends);
        let segment = self.room().map_err(Failure::Write)?;
        seal(&mut self.group, segment.nonce, self.next, records);
        let started = Instant::now();
        let written = segment.file.write_all_at(&self.group, self.at);
        if written.is_err() && sabotage::on("keep_torn_group") {
            self.at += self.group.len() as u64;
        }
        written.map_err(|error| Failure::Write(Error::storage(error)))?;
        segment.file.sync_data().map_err(Failure::Sync)?;
        let (took, bytes) = (started.elapsed(), self.group.len());
        tracing::trace!(records, bytes, us = took.as_micros() as u64, "wrote a group to the journal");
        if let Some(observed) = self.shared.observed.get() {
            observed.seconds.observe(took.as_secs_f64());
            observed.records.observe(f64::from(records));
        }
        if records == 0 {
            // It only showed that a write succeeds; the next group overwrites it.
            return Ok(());
        }
        if segment.is_empty() && !sabotage::on("no_newest_mark") {
            self.mark(segment.first)?;
        }
        self.at += self.group.len() as u64;
        self.next += i64::from(records);
        segment.advance(self.at, self.next);
        self.shared.last.store(self.next - 1, Ordering::Release);
        Ok(())
    }

    /// Records on disk that the segment that begins at `first` has records, before any of them is
    /// acknowledged.
    fn mark(&mut self, first: i64) -> Result<(), Failure> {
        let mark = Mark { first, has_records: true, ..self.marker.mark };
        self.marker.put(mark).map_err(|error| Failure::Write(Error::storage(error)))?;
        self.marker.sync().map_err(Failure::Sync)?;
        self.shared.marked.store(first, Ordering::Release);
        Ok(())
    }

    /// Puts the records into one group; returns how many there are.
    fn gather(&mut self, appends: &[Append]) -> u32 {
        // The memory of an unusually large group is released.
        if self.group.capacity() > 8 << 20 {
            self.group = Vec::new();
        }
        self.group.clear();
        self.group.resize(GROUP_HEAD, 0);
        for append in appends {
            self.group.extend_from_slice(&append.framed);
        }
        appends.iter().map(|append| append.count).sum()
    }

    /// The segment for the group; a new one if the group does not fit.
    fn room(&mut self) -> Result<Arc<Segment>> {
        let length = self.group.len() as u64;
        if let Some(segment) = &self.segment
            && self.at + length <= segment.capacity
        {
            return Ok(segment.clone());
        }
        if self.shared.bytes() > BACKLOG_BYTES {
            return Err(Error::overloaded("Too many events are waiting to be digested. Try again."));
        }
        if let Some(empty) = self.segment.take_if(|segment| segment.is_empty()) {
            // It is too small for its first group; the new one gets its name.
            self.shared.segments().pop_back();
            fs::remove_file(&empty.path).map_err(Error::storage)?;
        }
        let segment = Arc::new(self.open(SEGMENT_BYTES.max(HEADER + length))?);
        self.shared.segments().push_back(segment.clone());
        (self.segment, self.at) = (Some(segment.clone()), HEADER);
        Ok(segment)
    }

    /// A new file, or a reused one; its name is on disk when this returns.
    fn open(&self, capacity: u64) -> Result<Segment> {
        let before = self.shared.segments().back().map_or(0, |segment| segment.first);
        let start = Start::new(self.next, before, capacity)?;
        let path = self.shared.directory.join(format!("{:020}.journal", self.next));
        let spare = if capacity == SEGMENT_BYTES { self.shared.spares().pop() } else { None };
        let opened = match spare {
            Some(spare) => reuse(&spare, &path),
            None => create(&path, capacity),
        };
        let prepare = |file: File| {
            file.write_all_at(&start.bytes(), 0)?;
            File::open(&self.shared.directory)?.sync_all()?;
            Ok(file)
        };
        match opened.and_then(prepare) {
            Ok(file) => Ok(Segment::new(path, file, start)),
            Err(error) => {
                drop(fs::remove_file(&path));
                Err(Error::storage(error))
            }
        }
    }
}

fn reuse(spare: &PathBuf, path: &PathBuf) -> std::io::Result<File> {
    fs::rename(spare, path)?;
    File::options().read(true).write(true).open(path)
}

fn create(path: &PathBuf, capacity: u64) -> std::io::Result<File> {
    let file = File::options().read(true).write(true).create_new(true).open(path)?;
    match fallocate(&file, FallocateFlags::empty(), 0, capacity) {
        // Not every file system can; the file then grows as it is written.
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => file.set_len(capacity)?,
        other => other?,
    }
    Ok(file)
}

/// Sabotage: answers before the group is written; the later answers go nowhere.
fn answer_first(appends: &mut [Append]) {
    for append in appends {
        let (unheard, _) = oneshot::channel();
        drop(std::mem::replace(&mut append.reply, unheard).send(Ok(())));
    }
}

fn refuse(appends: Vec<Append>) {
    for append in appends {
        // The receiver may have been dropped.
        drop(append.reply.send(Err(Error::storage("the intake journal could not be written"))));
    }
}
