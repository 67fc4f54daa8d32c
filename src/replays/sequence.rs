//! The parts of a replay in the order in which they are played. One that is missing is a gap, and the rest plays.

use crate::event::replay::{DURATION_MAX, FileName};
use crate::replays::Replay;
use crate::time::Timestamp;
use serde::Serialize;

/// How long a part of a live replay is waited for once a later one has arrived, in milliseconds. Clients send one after
/// the other, so what was overtaken is a beacon that is still on its way, or was given up.
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

/// A part that has arrived. Times are milliseconds since the epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub place: i64,
    /// `None` if it has no events.
    pub file: Option<FileName>,
    /// Of its first and last event, by the client's clock.
    pub first_at: Option<i64>,
    pub last_at: Option<i64>,
    /// Of the first of its full snapshots, by the client's clock.
    pub snapshot_at: Option<i64>,
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
    /// It arrived, and is no longer on the disk.
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
    /// What is in its place if its file is missing.
    pub fn gap(&self) -> Gap {
        let at = self.first_at.unwrap_or(self.received_at);
        Gap { from_chunk: self.place, to_chunk: self.place, why: Why::FileMissing, at }
    }
}

/// What is played of a replay from a part on, and which part comes after that. A live one ends before the first that may
/// still come.
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

/// The number of the part from which on the moment can be drawn: the latest with a full snapshot from before it. `at` is
/// in milliseconds after the first event. The first part, if none has one. Once the browser's clock was set, its times are
/// not compared any more.
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
    parts.iter().take_while(goes_on).filter(is_before).last().map_or(0, |part| part.place)
}

/// How many parts are played of a live replay: up to the last one that has waited long enough for those before it, and
/// those that follow it without a hole.
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
