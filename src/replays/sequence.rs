//! The order in which segments of a replay are played. A missing one is a gap, and the rest plays.

use crate::event::replay::FileName;
use crate::replays::Replay;
use crate::time::Timestamp;
use serde::Serialize;

/// How long to wait for a segment of a live replay after a later one has arrived, in milliseconds. Clients send them
/// one after the other, so a segment that was overtaken is a beacon in flight, or was abandoned.
const WAITED: i64 = 15_000;

/// How far a replay goes.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub is_live: bool,
    /// Parts, where that is known.
    pub total: Option<i64>,
    pub started_at: i64,
}

/// A part that has arrived. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub place: i64,
    /// `None` if it has no events.
    pub file: Option<FileName>,
    /// Of its first and last event, by the client's clock.
    pub first_at: Option<i64>,
    pub last_at: Option<i64>,
    pub received_at: i64,
}

/// Parts in a row that are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    pub from_chunk: i64,
    pub to_chunk: i64,
    pub why: Why,
    /// By the client's clock: when the events before it end, or its own began.
    #[serde(skip)]
    pub at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    NeverArrived,
    /// It arrived, but its file is gone.
    FileMissing,
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
    /// The gap that replaces it if its file is missing.
    pub fn gap(&self) -> Gap {
        let at = self.first_at.unwrap_or(self.received_at);
        Gap { from_chunk: self.place, to_chunk: self.place, why: Why::FileMissing, at }
    }
}

/// The segments of a replay to play from one on, and the next one after them. A live replay ends before the first
/// that may still arrive.
pub fn sequence(replay: Extent, parts: Vec<Part>, from: i64, now: Timestamp) -> (Vec<Item>, i64) {
    let count = if replay.is_live { settled(&parts, from, now) } else { parts.len() };
    let (mut items, mut next) = (Vec::with_capacity(count), from);
    let first_at = parts.iter().find_map(|part| part.first_at);
    let mut at = first_at.unwrap_or(replay.started_at);
    let gap = |from_chunk, to: i64, at| Gap { from_chunk, to_chunk: to - 1, why: Why::NeverArrived, at };
    for part in parts.into_iter().take(count) {
        if part.place > next {
            items.push(Item::Gap(gap(next, part.place, at)));
        }
        (next, at) = (part.place + 1, part.last_at.unwrap_or(at));
        items.push(Item::Part(part));
    }
    if let Some(total) = replay.total.filter(|total| !replay.is_live && *total > next) {
        items.push(Item::Gap(gap(next, total, at)));
        next = total;
    }
    (items, next)
}

/// How many segments of a live replay are played: up to the last one that has waited long enough for those before it,
/// and those that follow it without a gap.
fn settled(parts: &[Part], from: i64, now: Timestamp) -> usize {
    let waited = parts.iter().rposition(|part| now.millis() - part.received_at >= WAITED);
    let count = waited.map_or(0, |last| last + 1);
    let next = waited.map_or(from, |last| parts[last].place + 1);
    count + parts[count..].iter().zip(next..).take_while(|(part, expected)| part.place == *expected).count()
}

/// The first numbers of those that are missing, at most `most`: before the last part, or of all if that is known.
pub fn missing(
    replay: Extent,
    parts: &[Part],
    is_there: impl Fn(&FileName) -> bool,
    most: usize,
) -> Vec<i64> {
    let end = replay.total.or(parts.last().map(|part| part.place + 1)).unwrap_or(0);
    let has = |place: i64| {
        let found = parts.binary_search_by_key(&place, |part| part.place);
        found.is_ok_and(|index| parts[index].file.as_ref().is_none_or(&is_there))
    };
    (0..end).filter(|place| !has(*place)).take(most).collect()
}

#[cfg(test)]
mod tests;
