//! Reads behind the writer: groups in order, each checked again.

use super::segment::{GROUP_HEAD, HEADER, RECORD_HEAD, Segment};
use super::{Form, Record, Shared};
use crate::error::{Error, Result};
use std::sync::Arc;

/// A larger group is not kept between two calls.
const KEPT_BYTES: usize = 1 << 20;

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
}

impl Cursor {
    fn new(segment: Arc<Segment>) -> Self {
        let next = segment.first;
        Self { segment, offset: HEADER, group: Vec::new(), at: 0, next }
    }

    /// The next record of this segment.
    fn record(&mut self) -> Result<Option<(i64, Form, &[u8])>> {
        while self.at >= self.group.len() {
            if self.offset >= self.segment.end() {
                return Ok(None);
            }
            let head = self.segment.group(self.offset, &mut self.group).map_err(Error::storage)?;
            let head = head.ok_or_else(|| self.segment.damaged(self.offset))?;
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
    let mut cursor = match kept.take().filter(|cursor| cursor.next == position + 1) {
        Some(cursor) => cursor,
        None => match segment_with(shared, position + 1) {
            Some(segment) => Cursor::new(segment),
            None => return Ok(Vec::new()),
        },
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
