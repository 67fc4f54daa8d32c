//! Opening what an earlier process left.

use super::segment::{GROUP_HEAD, GROUP_MAGIC, HEADER, Head, Segment, Start, damaged};
use super::{SEGMENT_BYTES, SPARES};
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that are looked through at once: a file is large, and mostly zeros. (Tests make do with less.)
const CHUNK: usize = if cfg!(test) { 64 } else { 256 << 10 };

/// What was found.
pub(super) struct Recovered {
    /// Those with records that were not read yet.
    pub(super) segments: VecDeque<Arc<Segment>>,
    pub(super) spares: Vec<PathBuf>,
    /// The position of the newest record; at least what was read.
    pub(super) last: i64,
}

/// Reads all segments up to their last whole group and removes those that were read.
///
/// # Errors
/// When records are missing or unreadable that were not read yet.
pub(super) fn recover(directory: &Path, read: i64) -> Result<Recovered> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(Error::storage)?;
    let mut found = Recovered { segments: VecDeque::new(), spares: spares(directory)?, last: read };
    let mut files = files(directory, "journal")?;
    files.sort();
    let mut opened: Vec<Segment> = Vec::new();
    for (at, path) in files.iter().enumerate() {
        match open(path)? {
            Some(segment) => opened.push(segment),
            // A header is synced with the first group: nothing in it was ever answered.
            None if at + 1 == files.len() => fs::remove_file(path).map_err(Error::storage)?,
            None => return Err(damaged(path, "at its start")),
        }
    }
    if let Some(first) = opened.first().filter(|first| first.first > read + 1) {
        let (from, to) = (read + 1, first.first - 1);
        tracing::warn!(from, to, "events that were accepted before the oldest journal file are missing");
    }
    let mut opened = opened.into_iter().peekable();
    while let Some(segment) = opened.next() {
        keep(&mut found, segment, opened.peek(), read)?;
    }
    Ok(found)
}

/// Scans a segment and keeps it when something of it was not read.
fn keep(found: &mut Recovered, segment: Segment, following: Option<&Segment>, read: i64) -> Result<()> {
    let offset = scan(&segment)?;
    let last = segment.last();
    let is_damaged = match following {
        Some(next) if last + 1 >= next.first || next.first <= read + 1 => false,
        Some(next) if next.before == segment.first => true,
        Some(next) => {
            let (from, to) = (last + 1, next.first - 1);
            tracing::warn!(from, to, "accepted events are missing: a journal file was taken away");
            false
        }
        None => has_group_after(&segment, offset)?,
    };
    if is_damaged {
        return Err(segment.damaged(offset));
    }
    found.last = found.last.max(last);
    if last <= read || segment.is_empty() {
        fs::remove_file(&segment.path).map_err(Error::storage)?;
    } else {
        found.segments.push_back(Arc::new(segment));
    }
    Ok(())
}

/// Opens a segment; `None` when its header is not whole.
fn open(path: &Path) -> Result<Option<Segment>> {
    let file = File::options().read(true).write(true).open(path).map_err(Error::storage)?;
    let capacity = file.metadata().map_err(Error::storage)?.len();
    let mut header = [0; HEADER as usize];
    if capacity < HEADER {
        return Ok(None);
    }
    file.read_exact_at(&mut header, 0).map_err(Error::storage)?;
    let named = path.file_stem().and_then(|stem| stem.to_str()?.parse::<i64>().ok());
    match Start::read(&header) {
        Some(start) if named == Some(start.first) => {
            Ok(Some(Segment::new(path.to_owned(), file, capacity, start)))
        }
        // A file that was used again has the name of now and the header of before.
        Some(_) => Ok(None),
        None if holds_groups(&file, capacity)? => Err(damaged(path, "at its start")),
        None => Ok(None),
    }
}

/// Goes over the whole groups; where they end.
fn scan(segment: &Segment) -> Result<u64> {
    let (mut offset, mut group) = (HEADER, Vec::new());
    while let Some(head) = segment.group(offset, &mut group).map_err(Error::storage)? {
        if head.first != segment.last() + 1 {
            break;
        }
        offset += head.length();
        segment.advance(offset, head.next());
    }
    Ok(offset)
}

/// Whether a whole group of this use of the file lies behind `offset`, where none is.
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
        // One that begins at the end of a chunk is whole in the next.
        at += (CHUNK - GROUP_MAGIC.len() + 1) as u64;
    }
    Ok(false)
}

/// Whether groups lie in a file whose header is not whole. A new file holds zeros and one that is used
/// again a whole header until the first group is synced, so these were written behind a header that was
/// whole. What seeds their checksums is lost with it: that they look like groups must do.
fn holds_groups(file: &File, capacity: u64) -> Result<bool> {
    let mut bytes = vec![0; usize::try_from(capacity).map_err(Error::internal)?];
    file.read_exact_at(&mut bytes, 0).map_err(Error::storage)?;
    let mut starts = memchr::memmem::find_iter(&bytes, &GROUP_MAGIC).filter_map(|at| at.checked_sub(8));
    Ok(starts.any(|start| looks_like_group(&bytes[start..], start as u64, capacity)))
}

fn looks_like_group(bytes: &[u8], offset: u64, capacity: u64) -> bool {
    let head = bytes.get(..GROUP_HEAD).and_then(Head::read);
    // Each record has at least its length.
    let is_likely =
        |head: &Head| head.records > 0 && head.first > 0 && head.bytes >= 4 * u64::from(head.records);
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
