//! Reads what a person did and saw around a moment from the files of a recording.
//!
//! What is on the page is followed from the picture before the first step on. If there is too much of that, from the
//! last picture before the moment on; and where that is too much, too, the rest is read without it: the steps still
//! reach the moment, but what was clicked has no name, and no text appears. So it is after a part that is missing, up
//! to the next picture.

use super::files::Files;
use crate::error::Result;
use crate::event::replay::FileName;
use crate::replays::sequence::{GapReason, Part, drawn_from};
use crate::replays::steps::{AFTER, BEFORE, Event, Events, Step, Walk};
use crate::time::SECOND;
use std::io::Read;

/// How much is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of events for what is on the page.
    pub(super) drawn: usize,
    /// Bytes of all events.
    pub(super) all: u64,
    pub(super) files: usize,
}

pub(super) const LIMITS: Limits = Limits { drawn: 16 << 20, all: 128 << 20, files: 2_000 };
/// Bytes of an event that is read without what is on the page: pictures are longer.
const PLAIN_MAX: usize = 1 << 20;

const TOO_LARGE: &str = "The recording is too large to be read whole: \
    steps may be missing, and not all that was clicked is named.";
const UNREAD: &str = "Parts of the recording are missing, or damaged on the server's disk: \
    steps may be missing, and not all that was clicked is named.";

/// What was read around a moment.
pub(super) struct Around {
    pub(super) steps: Vec<Step>,
    /// The files that were found damaged, of which that was not known.
    pub(super) damaged: Vec<FileName>,
}

/// The steps around a moment by the browser's clock. Files that are missing or damaged are left out.
///
/// # Errors
/// Storage trouble.
pub(super) fn steps_around(files: &Files, parts: &[Part], moment: i64, limits: Limits) -> Result<Around> {
    let begun = parts.iter().find_map(|part| part.first_at).unwrap_or(moment);
    let [early, late] = [BEFORE, 0].map(|before| drawn_from(parts, moment - before - begun));
    let mut reading = Reading::of(files, parts, early, moment, limits)?;
    let mut damaged = std::mem::take(&mut reading.damaged);
    if !reading.is_whole && late > early {
        reading = Reading::of(files, parts, late, moment, limits)?;
        damaged.append(&mut reading.damaged);
    }
    if !reading.is_whole {
        reading.walk.remark(TOO_LARGE);
    }
    if reading.lacks_parts {
        reading.walk.remark(UNREAD);
    }
    if let Some(end) = parts.iter().rev().find_map(|part| part.last_at).filter(|end| *end < moment + AFTER) {
        reading.walk.remark(&ending(moment - end));
    }
    Ok(Around { steps: reading.walk.steps(), damaged })
}

/// Says how many milliseconds before the error the recording ends; the page may have sent more since.
fn ending(before: i64) -> String {
    match before / SECOND {
        ..=0 => "The recording that has arrived ends at the error.".to_owned(),
        seconds => format!("The recording that has arrived ends {seconds} s before the error."),
    }
}

struct Reading {
    walk: Walk,
    left: Limits,
    /// Whether all was read, with what was on the page.
    is_whole: bool,
    /// Whether some never arrived, or have files that cannot be read.
    lacks_parts: bool,
    damaged: Vec<FileName>,
}

impl Reading {
    fn new(moment: i64, limits: Limits) -> Self {
        let walk = Walk::new(moment);
        Self { walk, left: limits, is_whole: true, lacks_parts: false, damaged: Vec::new() }
    }

    /// Reads up to a moment: from a chunk on with what is on the page, and all of the time before the moment.
    fn of(files: &Files, parts: &[Part], from: i64, moment: i64, limits: Limits) -> Result<Self> {
        let (parts, from) = wanted(parts, from, moment, limits.files);
        let mut reading = Self::new(moment, limits);
        let (mut next, mut is_lost) = (None, false);
        for part in parts {
            is_lost |= next.replace(part.after()).is_some_and(|next| next != (part.place, part.piece));
            let Some(file) = &part.file else { continue };
            if std::mem::take(&mut is_lost) {
                reading.lose();
            }
            let is_drawn = part.place >= from && reading.left.drawn > 0;
            let is_near = is_near(part, moment);
            reading.draw(is_drawn);
            if !is_drawn && !is_near {
                continue;
            }
            match files.read(file)? {
                Ok(stored) => reading.read(stored, is_drawn, is_near),
                Err(why) => {
                    reading.lose();
                    if why == GapReason::FileDamaged && !part.is_damaged {
                        reading.damaged.push(*file);
                    }
                }
            }
            if reading.left.all == 0 {
                reading.is_whole = false;
                break;
            }
        }
        reading.is_whole &= !reading.walk.is_cut();
        Ok(reading)
    }

    /// Reads a file: as long as what is on the page can be followed, and all of it if it is near the moment.
    fn read(&mut self, stored: impl Read, mut is_drawn: bool, is_near: bool) {
        let mut events = Events::new(stored.take(self.left.all));
        while is_drawn || is_near {
            let most = if is_drawn { self.left.drawn.max(PLAIN_MAX) } else { PLAIN_MAX };
            let Ok(event) = events.read(most) else {
                self.lose();
                break;
            };
            let Some(event) = event else { break };
            if is_drawn && !self.spend(&event) {
                is_drawn = false;
                self.draw(false);
            }
            if let Event::Whole(event) = event {
                self.walk.take(event);
            }
        }
        self.left.all = self.left.all.saturating_sub(events.used());
    }

    /// Takes off what an event costs if it is drawn; `false` if there is too much of it, from here on.
    fn spend(&mut self, event: &Event) -> bool {
        let left = match event {
            Event::Whole(event) => self.left.drawn.checked_sub(event.len()),
            Event::TooLong => None,
        };
        self.left.drawn = left.unwrap_or(0);
        left.is_some()
    }

    /// Passes over a part that is missing.
    fn lose(&mut self) {
        self.lacks_parts = true;
        self.walk.forget();
    }

    fn draw(&mut self, is_drawn: bool) {
        self.walk.set_drawn(is_drawn);
        self.is_whole &= is_drawn;
    }
}

/// The parts up to a moment, from a chunk on or near the moment, and from which chunk on they are drawn; and those
/// without files, so that they are not taken for missing. If there are too many files, they are the last ones near the
/// moment, and none is drawn.
fn wanted(parts: &[Part], from: i64, moment: i64, most: usize) -> (Vec<&Part>, i64) {
    let is_soon = |part: &Part| part.first_at.is_some_and(|at| at <= moment + AFTER);
    let of = |from: i64| -> Vec<&Part> {
        let is_wanted = |part: &Part| is_soon(part) && (part.place >= from || is_near(part, moment));
        parts.iter().filter(|part| part.file.is_none() || is_wanted(part)).collect()
    };
    let all = of(from);
    if all.iter().filter(|part| part.file.is_some()).count() > most {
        return (last_files(of(i64::MAX), most), i64::MAX);
    }
    (last_files(all, most), from)
}

/// Parts from the first of the last files on.
fn last_files(mut parts: Vec<&Part>, most: usize) -> Vec<&Part> {
    let files = parts.iter().enumerate().rev().filter(|(_, part)| part.file.is_some());
    let first = files.take(most).last().map_or(parts.len(), |(at, _)| at);
    parts.split_off(first)
}

/// Whether a part has something of the time before a moment in which steps are told.
fn is_near(part: &Part, moment: i64) -> bool {
    part.last_at.is_some_and(|at| at >= moment - BEFORE)
}

#[cfg(test)]
mod tests;
