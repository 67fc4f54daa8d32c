//! Opens what an earlier process left.

use super::newest::{self, Mark, Marker};
use super::segment::{
    GROUP_HEAD, GROUP_MAGIC, HEADER, Head, RECORD_HEAD, Segment, Start, is_of_another_version, lost,
};
use super::{ACCEPT_LOSS, SEGMENT_BYTES, SPARES};
use crate::error::{Error, Result};
use crate::sabotage;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes searched at once; a file is large, and mostly zeros. (Tests use less.)
const CHUNK: usize = if cfg!(test) { 64 } else { 256 << 10 };
/// Positions skipped if files are missing whose records cannot be counted: more than a file can have.
const UNKNOWN: i64 = SEGMENT_BYTES.cast_signed();

/// The result of recovery.
pub(super) struct Recovered {
    /// Segments with unread records.
    pub(super) segments: VecDeque<Arc<Segment>>,
    pub(super) spares: Vec<PathBuf>,
    /// The position of the newest record; at least the position read so far.
    pub(super) last: i64,
    pub(super) marker: Marker,
}

/// Reads all segments up to their last whole group and removes those whose records have all been read.
///
/// # Errors
/// If unread records are missing or unreadable.
pub(super) fn recover(directory: &Path, read: i64) -> Result<Recovered> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(Error::storage)?;
    let marker = Marker::open(directory).map_err(Error::storage)?;
    let mark = marker.as_ref().map(|marker| marker.mark);
    let accepts_loss = directory.join(ACCEPT_LOSS).exists();
    let recovery = Recovery { directory, read, mark, accepts_loss };
    let segments = recovery.segments()?;
    let (next, given_up) = (recovery.next(&segments), recovery.given_up_from_now(&segments));
    let (kept, done): (Vec<Segment>, Vec<Segment>) =
        segments.into_iter().partition(|segment| segment.last() > read && !segment.is_empty());
    let newest = kept.last();
    let mark =
        Mark { first: newest.map_or(next, |newest| newest.first), has_records: newest.is_some(), given_up };
    // Before any file is removed whose loss would otherwise be noticed.
    let marker = marked(directory, marker, mark).map_err(Error::storage)?;
    done.iter().try_for_each(|segment| fs::remove_file(&segment.path)).map_err(Error::storage)?;
    if accepts_loss {
        fs::remove_file(directory.join(ACCEPT_LOSS)).map_err(Error::storage)?;
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(Error::storage)?;
    }
    let segments = kept.into_iter().map(Arc::new).collect();
    Ok(Recovered { segments, spares: spares(directory)?, last: next - 1, marker })
}

fn marked(directory: &Path, marker: Option<Marker>, mark: Mark) -> std::io::Result<Marker> {
    let Some(mut marker) = marker else { return Marker::create(directory, mark) };
    if marker.mark != mark {
        marker.put(mark)?;
        marker.sync()?;
    }
    Ok(marker)
}

/// What is known besides the files themselves.
struct Recovery<'a> {
    directory: &'a Path,
    /// The position up to which everything was read.
    read: i64,
    mark: Option<Mark>,
    /// Whether the operator accepts the loss.
    accepts_loss: bool,
}

impl Recovery<'_> {
    /// # Errors
    /// Unless the loss is accepted.
    fn lost(&self, what: &str) -> Result<()> {
        if !self.accepts_loss {
            return Err(lost(self.directory, what));
        }
        tracing::error!(what, "accepted events are given up");
        Ok(())
    }

    fn given_up(&self) -> i64 {
        self.mark.map_or(0, |mark| mark.given_up)
    }

    fn path_of(&self, first: i64) -> String {
        self.directory.join(format!("{first:020}.journal")).display().to_string()
    }

    /// Every segment in order, read up to its last whole group; nothing between them is missing.
    fn segments(&self) -> Result<Vec<Segment>> {
        if self.mark.is_none() && self.read > 0 {
            let file = self.directory.join(newest::FILE);
            self.lost(&format!(
                "{} is missing or damaged, which records what must be there",
                file.display()
            ))?;
        }
        let mut files = files(self.directory, "journal")?;
        files.sort();
        let mut segments: Vec<Segment> = Vec::new();
        for (at, path) in files.iter().enumerate() {
            segments.extend(self.open(path, at + 1 == files.len())?);
        }
        for segment in &segments {
            scan(segment)?;
        }
        for (at, segment) in segments.iter().enumerate() {
            self.check(segment, segments.get(at + 1))?;
        }
        self.check_newest(&segments)?;
        self.check_oldest(&segments)?;
        Ok(segments)
    }

    /// Opens a segment; `None` if nothing in it was ever acknowledged.
    fn open(&self, path: &Path, is_last: bool) -> Result<Option<Segment>> {
        match open(path, self.given_up())? {
            FileState::Whole(segment) => return Ok(Some(segment)),
            FileState::Cut(segment, what) => {
                self.lost(&what)?;
                return Ok(Some(segment));
            }
            // A header is synced with the first group, and the mark is written before anything is
            // acknowledged.
            FileState::Unused if is_last && !self.is_marked(path) => {
                fs::remove_file(path).map_err(Error::storage)?;
            }
            FileState::Unused | FileState::Damaged => {
                self.lost(&format!("{} is damaged at its start", path.display()))?;
                fs::rename(path, path.with_extension("damaged")).map_err(Error::storage)?;
            }
        }
        Ok(None)
    }

    fn is_marked(&self, path: &Path) -> bool {
        self.mark.is_some_and(|mark| mark.has_records && named(path) == Some(mark.first))
    }

    /// Checks that no records are missing between the position read so far and the first one there.
    fn check_oldest(&self, segments: &[Segment]) -> Result<()> {
        let reached = self.read.max(self.given_up());
        let there = segments.iter().find(|segment| !segment.is_empty()).map(|segment| segment.first);
        let without = self.mark.filter(|mark| !mark.has_records).map(|mark| mark.first);
        let Some(first) = there.or(without).filter(|first| *first > reached + 1) else { return Ok(()) };
        let (from, to) = (reached + 1, first - 1);
        self.lost(&format!("the events {from} to {to} are missing in {}", self.directory.display()))
    }

    /// Checks that no records are missing at the end of a segment.
    fn check(&self, segment: &Segment, following: Option<&Segment>) -> Result<()> {
        let (last, reached) = (segment.last(), self.read.max(self.given_up()));
        match following {
            Some(next) if last + 1 >= next.first || next.first <= reached + 1 => Ok(()),
            Some(next) if next.before == segment.first => self.lost(&segment.damage(segment.end())),
            Some(next) => {
                let (missing, to) = (self.path_of(last + 1), next.first - 1);
                self.lost(&format!("{missing} is missing, with the events {} to {to}", last + 1))
            }
            None if last < self.given_up() => Ok(()),
            None if has_group_after(segment, segment.end())? => self.lost(&segment.damage(segment.end())),
            None => Ok(()),
        }
    }

    /// Checks that the newest segment with acknowledged records is there.
    fn check_newest(&self, segments: &[Segment]) -> Result<()> {
        let mark = self.mark.filter(|mark| mark.has_records && mark.first > mark.given_up);
        let Some(mark) = mark else { return Ok(()) };
        match segments.iter().find(|segment| segment.first == mark.first) {
            Some(segment) if segment.is_empty() => self.lost(&segment.damage(HEADER)),
            Some(_) => Ok(()),
            None => self.lost(&format!("{} is missing", self.path_of(mark.first))),
        }
    }

    /// The position of the next record: above all that were ever assigned.
    fn next(&self, segments: &[Segment]) -> i64 {
        let last = segments.iter().map(Segment::last).max().unwrap_or(0);
        let marked = self.mark.map_or(0, |mark| mark.first.max(mark.given_up + 1));
        let next = marked.max(last + 1).max(self.read + 1);
        if self.accepts_loss { next.saturating_add(UNKNOWN) } else { next }
    }

    fn given_up_from_now(&self, segments: &[Segment]) -> i64 {
        if self.accepts_loss { self.next(segments) - 1 } else { self.given_up() }
    }
}

/// The state of a file.
enum FileState {
    Whole(Segment),
    /// It is shorter than it was created; with the message about it.
    Cut(Segment, String),
    /// There is no whole header of its current use, nor any group.
    Unused,
    Damaged,
}

/// The position that a file is named after.
fn named(path: &Path) -> Option<i64> {
    path.file_stem().and_then(|stem| stem.to_str()?.parse().ok())
}

/// Opens a file; it may be cut if it begins at or below `given_up`.
///
/// # Errors
/// If it cannot be read, or is intact but was written by another version of Mayday.
fn open(path: &Path, given_up: i64) -> Result<FileState> {
    let file = File::options().read(true).write(true).open(path).map_err(Error::storage)?;
    let length = file.metadata().map_err(Error::storage)?.len();
    let mut header = [0; HEADER as usize];
    if length < HEADER {
        return Ok(FileState::Unused);
    }
    file.read_exact_at(&mut header, 0).map_err(Error::storage)?;
    if is_of_another_version(&header) {
        return Err(Error::internal(format!(
            "{} was written by another version of Mayday, and this version cannot read it. Start that version again, let \
             it digest what is waiting, then stop it",
            path.display()
        )));
    }
    match Start::read(&header) {
        Some(start) if named(path) == Some(start.first) => {
            let made = start.capacity;
            let segment = Segment::new(path.to_owned(), file, Start { capacity: made.min(length), ..start });
            if length >= made || start.first <= given_up || sabotage::on("trust_cut_files") {
                return Ok(FileState::Whole(segment));
            }
            let what = format!("{} was cut, it has {length} bytes of {made}", path.display());
            Ok(FileState::Cut(segment, what))
        }
        // A reused file can have its new name and still its old header.
        Some(_) => Ok(FileState::Unused),
        None if holds_groups(&file, length)? => Ok(FileState::Damaged),
        None => Ok(FileState::Unused),
    }
}

/// Scans the whole groups.
fn scan(segment: &Segment) -> Result<()> {
    let (mut offset, mut group) = (HEADER, Vec::new());
    while let Some(head) = segment.group(offset, &mut group).map_err(Error::storage)? {
        if head.first != segment.last() + 1 {
            break;
        }
        offset += head.length();
        segment.advance(offset, head.next());
    }
    Ok(())
}

/// Whether there is a whole group of the file's current use after `offset`, where there is none.
fn has_group_after(segment: &Segment, offset: u64) -> Result<bool> {
    let magic = memchr::memmem::Finder::new(&GROUP_MAGIC);
    let (mut chunk, mut group) = (vec![0; CHUNK], Vec::new());
    let mut at = offset;
    while at < segment.capacity {
        let length = usize::try_from(segment.capacity - at).map_or(CHUNK, |left| left.min(CHUNK));
        segment.file.read_exact_at(&mut chunk[..length], at).map_err(Error::storage)?;
        for found in magic.find_iter(&chunk[..length]) {
            let start = (at + found as u64).checked_sub(8).filter(|start| *start > offset);
            let Some(start) = start else { continue };
            let head = segment.group(start, &mut group).map_err(Error::storage)?;
            if head.is_some_and(|head| head.first > segment.last()) {
                return Ok(true);
            }
        }
        if length < CHUNK {
            break;
        }
        // A group header cut off at the end of a chunk is complete in the next.
        at += (CHUNK - GROUP_MAGIC.len() + 1) as u64;
    }
    Ok(false)
}

/// Whether there are groups in a file whose header is not whole. Until the first group is synced, a new file
/// contains zeros and a reused one its old whole header, so such groups were written after a header that was
/// whole. The seed of their checksums is lost with it, so it has to be enough that they look like groups.
fn holds_groups(file: &File, capacity: u64) -> Result<bool> {
    let mut bytes = vec![0; usize::try_from(capacity).map_err(Error::internal)?];
    file.read_exact_at(&mut bytes, 0).map_err(Error::storage)?;
    let mut starts = memchr::memmem::find_iter(&bytes, &GROUP_MAGIC).filter_map(|at| at.checked_sub(8));
    Ok(starts.any(|start| looks_like_group(&bytes[start..], start as u64, capacity)))
}

fn looks_like_group(bytes: &[u8], offset: u64, capacity: u64) -> bool {
    let head = bytes.get(..GROUP_HEAD).and_then(Head::read);
    // Each record has at least its head.
    let is_likely = |head: &Head| {
        head.records > 0 && head.first > 0 && head.bytes >= RECORD_HEAD as u64 * u64::from(head.records)
    };
    offset >= HEADER && head.filter(is_likely).is_some_and(|head| head.fits(offset, capacity))
}

fn spares(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut spares = Vec::new();
    for path in files(directory, "spare")? {
        let length = fs::metadata(&path).map_err(Error::storage)?.len();
        if length == SEGMENT_BYTES && spares.len() < SPARES {
            spares.push(path);
        } else {
            fs::remove_file(&path).map_err(Error::storage)?;
        }
    }
    Ok(spares)
}

fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(Error::storage)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::storage));
    paths
        .filter(|path| path.as_ref().map_or(true, |path| path.extension().is_some_and(|e| e == extension)))
        .collect()
}
