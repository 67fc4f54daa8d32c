//! Copying the journal while it is being written and read.

use super::Shared;
use super::newest::{Mark, Marker};
use super::segment::Segment;
use crate::sabotage;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes copied at once.
const CHUNK: usize = 1 << 20;

/// While this exists, no segment is released, because a reused file would be overwritten during the copy.
pub(super) struct Hold<'a>(&'a AtomicUsize);

impl<'a> Hold<'a> {
    pub(super) fn new(holds: &'a AtomicUsize) -> Self {
        holds.fetch_add(1, Ordering::AcqRel);
        Self(holds)
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A segment, and where its synced groups end.
type SegmentPart = (Arc<Segment>, u64);

/// See [`super::Journal::copy_to`].
pub(super) fn copy(shared: &Shared, into: &Path) -> io::Result<i64> {
    DirBuilder::new().recursive(true).mode(0o700).create(into)?;
    let _hold = Hold::new(&shared.holds);
    // Read first, so that every record up to it lies before the ends read next.
    let last = shared.last.load(Ordering::Acquire);
    if sabotage::on("snapshot_without_journal") {
        drop(Marker::create(into, Mark { first: last + 1, has_records: false, given_up: last })?);
        return Ok(last);
    }
    let segments = written(shared);
    segments.iter().try_for_each(|(segment, end)| copy_segment(segment, *end, into))?;
    // Made for the copy: the journal's own mark may name a segment that came later.
    let newest = segments.last().map(|(segment, _)| segment.first);
    let first = newest.unwrap_or(last + 1);
    drop(Marker::create(into, Mark { first, has_records: newest.is_some(), given_up: shared.given_up })?);
    Ok(last)
}

/// The segments that have records, in order.
fn written(shared: &Shared) -> Vec<SegmentPart> {
    let segments = shared.segments();
    let with_records = segments.iter().filter(|segment| !segment.is_empty());
    with_records.map(|segment| (segment.clone(), segment.end())).collect()
}

/// Copies what was synced. The rest is a hole, so that the file has the length that its header states.
fn copy_segment(segment: &Segment, end: u64, into: &Path) -> io::Result<()> {
    let name = segment.path.file_name().unwrap_or_default();
    let copy = File::options().write(true).create_new(true).mode(0o600).open(into.join(name))?;
    let mut chunk = vec![0; CHUNK.min(usize::try_from(end).unwrap_or(CHUNK))];
    let mut at = 0;
    while at < end {
        let length = usize::try_from(end - at).map_or(CHUNK, |left| left.min(chunk.len()));
        segment.file.read_exact_at(&mut chunk[..length], at)?;
        copy.write_all_at(&chunk[..length], at)?;
        at += length as u64;
    }
    copy.set_len(segment.capacity.max(end))?;
    copy.sync_all()
}
