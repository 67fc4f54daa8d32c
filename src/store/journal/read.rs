//! Reads behind the writer: groups in order, each checked again.

use super::segment::{GROUP_HEAD, HEADER, RECORD_HEAD, Segment};
use super::{Form, Record, SEGMENT_BYTES, Shared};
use crate::error::{Error, Result};
use std::sync::Arc;

/// A larger group is not kept between two calls.
const KEPT_BYTES: usize = 1 << 20;
/// The fewest bytes between two groups that a reader remembers, so that going back reads little more than that again.
const REMEMBERED_BYTES: u64 = SEGMENT_BYTES / 256;

/// The reader's position, within a group that it holds.
pub(super) struct Cursor {
    segment: Arc<Segment>,
    /// The offset of the next group.
    offset: u64,
    group: Vec<u8>,
    /// The offset within the group.
    at: usize,
    /// The position of the record at `at`.
    next: i64,
    /// Some of the groups that were read, by the position of their first record, with their offsets.
    read: Vec<(i64, u64)>,
}

impl Cursor {
    fn new(segment: Arc<Segment>) -> Self {
        let next = segment.first;
        Self { segment, offset: HEADER, group: Vec::new(), at: 0, next, read: Vec::new() }
    }

    /// The cursor at the record at `position` or a little before it, without reading the segment from its start again;
    /// `None` if that record is in another segment.
    fn turned_to(mut self, segment: &Arc<Segment>, position: i64) -> Option<Self> {
        if !Arc::ptr_eq(&self.segment, segment) {
            return None;
        }
        // What lies between is passed over.
        if position >= self.next {
            return Some(self);
        }
        let at = self.read.partition_point(|(first, _)| *first <= position).checked_sub(1)?;
        (self.next, self.offset) = self.read[at];
        self.read.truncate(at);
        self.group.clear();
        self.at = 0;
        Some(self)
    }

    fn remember(&mut self, first: i64) {
        if self.read.last().is_none_or(|(_, last)| self.offset - last >= REMEMBERED_BYTES) {
            self.read.push((first, self.offset));
        }
    }

    /// The next record of this segment.
    fn record(&mut self) -> Result<Option<(i64, Form, &[u8])>> {
        while self.at >= self.group.len() {
            if self.offset >= self.segment.end() {
                return Ok(None);
            }
            let head = self.segment.group(self.offset, &mut self.group).map_err(Error::storage)?;
            let head = head.ok_or_else(|| self.segment.damaged(self.offset))?;
            self.remember(head.first);
            self.offset += head.length();
            (self.at, self.next) = (GROUP_HEAD, head.first);
        }
        let (head, rest) = self.group[self.at..].split_at_checked(RECORD_HEAD).ok_or_else(|| self.odd())?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let form = Form { kind: head[4], version: head[5] };
        let record = rest.get(..length).ok_or_else(|| self.odd())?;
        self.at += RECORD_HEAD + length;
        self.next += 1;
        Ok(Some((self.next - 1, form, record)))
    }

    fn odd(&self) -> Error {
        self.segment.damaged(self.offset)
    }
}

/// See [`super::Journal::after`].
pub(super) fn after(
    shared: &Shared,
    kept: &mut Option<Cursor>,
    position: i64,
    records: usize,
    bytes: usize,
) -> Result<Vec<Record>> {
    let mut cursor = match kept.take() {
        Some(cursor) if cursor.next == position + 1 => cursor,
        other => {
            let Some(segment) = segment_with(shared, position + 1) else { return Ok(Vec::new()) };
            let turned = other.and_then(|cursor| cursor.turned_to(&segment, position + 1));
            turned.unwrap_or_else(|| Cursor::new(segment))
        }
    };
    let (mut found, mut size) = (Vec::new(), 0);
    while found.len() < records && size < bytes {
        match cursor.record()? {
            Some((at, ..)) if at <= position => {}
            Some((position, form, record)) => {
                size += record.len();
                found.push(Record { position, form, bytes: record.to_vec() });
            }
            None => match following(shared, &cursor) {
                Some(segment) => cursor = Cursor::new(segment),
                None => break,
            },
        }
    }
    if cursor.at >= cursor.group.len() && cursor.group.capacity() > KEPT_BYTES {
        cursor.group = Vec::new();
        cursor.at = 0;
    }
    *kept = Some(cursor);
    Ok(found)
}

/// The segment where the record at `position` is, or will be.
fn segment_with(shared: &Shared, position: i64) -> Option<Arc<Segment>> {
    let segments = shared.segments();
    let at = segments.partition_point(|segment| segment.first <= position);
    segments.get(at.saturating_sub(1)).cloned()
}

/// The segment after the cursor's, once that is finished.
fn following(shared: &Shared, cursor: &Cursor) -> Option<Arc<Segment>> {
    let segments = shared.segments();
    let next = segments.iter().find(|segment| segment.first > cursor.segment.first)?;
    // A segment that is followed by another is no longer written to, but it may have grown since it was last
    // read.
    (cursor.offset >= cursor.segment.end()).then(|| next.clone())
}
