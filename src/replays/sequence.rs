//! The parts of a replay in the order in which they are played: by chunk, and of a chunk that came in several requests by
//! piece, never by time. What is missing is a gap, and the rest plays.

use crate::event::replay::{DURATION_MAX, FileName};
use crate::replays::Replay;
use crate::time::Timestamp;
use serde::Serialize;

/// How long to wait for a segment of a live replay after a later one has arrived, in milliseconds. Clients send them
/// one after the other, so a segment that was overtaken is a beacon in flight, or was abandoned.
const WAITED: i64 = 15_000;
/// By how much a part may begin before the end of the one before it, in milliseconds, unless the clock was set back.
const BACK_MAX: i64 = 60_000;

/// How far a replay goes.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub is_live: bool,
    /// Parts, where that is known.
    pub total: Option<i64>,
    pub started_at: i64,
}

/// A part that has arrived: a chunk, or a piece of one. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The number of its chunk.
    pub place: i64,
    /// Which of the pieces of its chunk it is, from 0, and how many they are.
    pub piece: i64,
    pub pieces: i64,
    /// `None` if it has no events.
    pub file: Option<FileName>,
    /// Of its first and last event, by the client's clock.
    pub first_at: Option<i64>,
    pub last_at: Option<i64>,
    /// Of the first of its full snapshots, by the client's clock.
    pub snapshot_at: Option<i64>,
    pub received_at: i64,
    /// Whether its file was found damaged when it was last read.
    pub is_damaged: bool,
}

/// Chunks in a row that are missing, or pieces of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub from_chunk: i64,
    pub to_chunk: i64,
    /// Where others of its chunk are there.
    #[serde(flatten)]
    pub pieces: Option<Pieces>,
    pub why: GapReason,
    /// By the client's clock: when the events before it end, or its own began.
    #[serde(skip)]
    pub at: i64,
}

/// The first and the last, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pieces {
    pub from_part: i64,
    pub to_part: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GapReason {
    NeverArrived,
    /// It arrived, but its file is gone.
    FileMissing,
    /// Its file is there, but not as it was written.
    FileDamaged,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Part(Part),
    Gap(Gap),
}

impl From<&Replay> for Extent {
    fn from(replay: &Replay) -> Self {
        Self { is_live: replay.is_live, total: replay.total_chunks, started_at: replay.start_timestamp }
    }
}

impl Part {
    /// The number of the chunk that comes next, and of its piece.
    pub fn after(&self) -> (i64, i64) {
        let is_last = self.piece + 1 >= self.pieces;
        if is_last { (self.place + 1, 0) } else { (self.place, self.piece + 1) }
    }

    /// The gap that replaces it if its file cannot be read.
    pub fn gap(&self, why: GapReason) -> Gap {
        let at = self.first_at.unwrap_or(self.received_at);
        let pieces = Pieces { from_part: self.piece, to_part: self.piece };
        let pieces = (self.pieces > 1).then_some(pieces);
        Gap { from_chunk: self.place, to_chunk: self.place, pieces, why, at }
    }
}

/// What is played of a replay from a chunk on, and which chunk comes after that. A live one ends before the first that may
/// still come.
pub fn sequence(replay: Extent, parts: Vec<Part>, from: i64, now: Timestamp) -> (Vec<Item>, i64) {
    let count = if replay.is_live { settled(&parts, from, now) } else { parts.len() };
    let first_at = parts.iter().find_map(|part| part.first_at);
    let mut walk = Walk {
        items: Vec::with_capacity(count),
        chunk: from,
        piece: 0,
        pieces: 1,
        at: first_at.unwrap_or(replay.started_at),
    };
    for part in parts.into_iter().take(count) {
        walk.take(part);
    }
    // The rest of a chunk that is played does not come any more.
    let next = walk.chunk + i64::from(walk.piece > 0);
    walk.reach(replay.total.filter(|_| !replay.is_live).map_or(next, |total| total.max(next)), 0);
    (walk.items, walk.chunk)
}

/// What was gone through, and what comes next.
struct Walk {
    items: Vec<Item>,
    chunk: i64,
    piece: i64,
    /// Of that chunk, if some of it was there.
    pieces: i64,
    /// When the events so far end.
    at: i64,
}

impl Walk {
    fn take(&mut self, part: Part) {
        self.reach(part.place, part.piece);
        self.at = part.last_at.unwrap_or(self.at);
        self.pieces = part.pieces;
        (self.chunk, self.piece) = part.after();
        self.items.push(Item::Part(part));
    }

    /// Goes on to a piece of a chunk; what lies before it is missing.
    fn reach(&mut self, chunk: i64, piece: i64) {
        if chunk > self.chunk && self.piece > 0 {
            self.miss(self.chunk, Some(self.pieces));
            (self.chunk, self.piece) = (self.chunk + 1, 0);
        }
        if chunk > self.chunk {
            self.miss(chunk - 1, None);
            self.chunk = chunk;
        }
        if piece > self.piece {
            self.miss(chunk, Some(piece));
            self.piece = piece;
        }
    }

    /// All up to a chunk is missing; of a chunk that is there in part, all before a piece.
    fn miss(&mut self, to_chunk: i64, before: Option<i64>) {
        let pieces = before.map(|before| Pieces { from_part: self.piece, to_part: before - 1 });
        let gap = Gap { from_chunk: self.chunk, to_chunk, pieces, why: GapReason::NeverArrived, at: self.at };
        self.items.push(Item::Gap(gap));
    }
}

/// The number of the chunk from which on the moment can be drawn: the latest with a full snapshot from before it. `at` is
/// in milliseconds after the first event. The first one, if none has one. Chunks that lack pieces are passed over: their
/// picture is not whole. Once the browser's clock was set, its times are not compared any more.
pub fn drawn_from(parts: &[Part], at: i64) -> i64 {
    let mut before = parts.iter().find_map(|part| part.first_at).unwrap_or(0);
    let begun = before;
    let goes_on = |part: &&Part| {
        let first_at = part.first_at.unwrap_or(before);
        let is_near = (before - BACK_MAX..=before + DURATION_MAX).contains(&first_at);
        before = part.last_at.unwrap_or(before);
        is_near
    };
    let is_before = |part: &&Part| part.snapshot_at.is_some_and(|taken| taken - begun <= at);
    let is_there = |part: &&Part| {
        let first = parts.partition_point(|other| other.place < part.place);
        is_whole(&parts[first..parts.partition_point(|other| other.place <= part.place)])
    };
    let pictures = parts.iter().take_while(goes_on).filter(is_before).filter(is_there);
    pictures.last().map_or(0, |part| part.place)
}

/// How many parts are played of a live replay: up to the last chunk that has waited long enough for those before it, and
/// those that follow it without a hole. One that lacks pieces is waited for, too.
fn settled(parts: &[Part], from: i64, now: Timestamp) -> usize {
    let waited = parts.iter().rposition(|part| now.millis() - part.received_at >= WAITED);
    let (mut count, mut next) = (0, from);
    for chunk in parts.chunk_by(|one, other| one.place == other.place) {
        let end = count + chunk.len();
        let is_overtaken = waited.is_some_and(|last| last >= end);
        let has_waited = waited.is_some_and(|last| last >= count);
        let is_next = is_whole(chunk) && (has_waited || chunk[0].place == next);
        if !is_overtaken && !is_next {
            break;
        }
        (count, next) = (end, chunk[0].place + 1);
    }
    count
}

/// Whether the parts of a chunk are all of its pieces.
fn is_whole(chunk: &[Part]) -> bool {
    chunk.len() as i64 == chunk[0].pieces
}

/// The first numbers of those chunks that are missing, or not there as a whole, at most `most`: before the last part, or of
/// all if that is known.
pub fn missing(
    replay: Extent,
    parts: &[Part],
    is_there: impl Fn(&FileName) -> bool,
    most: usize,
) -> Vec<i64> {
    let end = replay.total.or(parts.last().map(|part| part.place + 1)).unwrap_or(0);
    let is_readable = |part: &Part| part.file.as_ref().is_none_or(|file| !part.is_damaged && is_there(file));
    let has_files = |chunk: &&[Part]| chunk.iter().all(is_readable);
    let chunks = parts.chunk_by(|one, other| one.place == other.place);
    let mut there =
        chunks.filter(|chunk| is_whole(chunk)).filter(has_files).map(|chunk| chunk[0].place).peekable();
    (0..end).filter(|place| there.next_if_eq(place).is_none()).take(most).collect()
}

#[cfg(test)]
mod tests;
