//! Which waiting events come next: in the order of their acceptance, but once many wait, those of projects with few do not
//! wait for those of projects with many.
//!
//! Each step takes two rounds then. One goes on in order. The other looks ahead of it, window by window, and takes what
//! belongs to projects with few events there. A project whose events it left out once is not served ahead again before the
//! order has passed them, so that the events of each project stay in their order. How far each project was served ahead is
//! stored with the events ([`Reach::Ahead`]): the order passes over those.

use super::apply::Reach;
use super::{BATCH_BYTES, BATCH_EVENTS, sql};
use crate::error::Result;
use crate::ids::ProjectId;
use crate::intake::store::{Pending, Store};
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// So many events have to wait before anybody is served ahead. (Tests use less.)
const WAITING: i64 = if cfg!(test) { 64 } else { 4 * BATCH_EVENTS as i64 };
/// Events and bytes (compressed) of one look ahead.
const WINDOW_EVENTS: usize = 4 * BATCH_EVENTS;
const WINDOW_BYTES: usize = 4 * BATCH_BYTES;
/// A project with more events than this in a window has many.
const FEW: usize = WINDOW_EVENTS / 8;

/// Events that come next.
pub(super) struct Round {
    pub(super) events: Vec<Pending>,
    /// The positions after which and up to which the journal was read for them.
    from: i64,
    end: i64,
    /// Of a look ahead: the events that it left out, by project and position.
    left: Option<Vec<(ProjectId, i64)>>,
}

/// Who was served how far.
#[derive(Default)]
pub(super) struct Turns {
    /// By project, the position up to which its events are digested, if that is ahead of the others'.
    ahead: HashMap<ProjectId, i64>,
    /// By project, the position of the last event that a look ahead left out.
    left: HashMap<ProjectId, i64>,
    /// The position up to which was looked ahead.
    looked: i64,
}

impl Turns {
    /// # Errors
    /// If it cannot be read.
    pub(super) fn load(c: &Connection) -> Result<Self> {
        Ok(Self { ahead: sql::ahead(c)?, ..Self::default() })
    }

    /// The next events in order, after `position`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn in_order(&self, intake: &Store, position: i64) -> Result<Round> {
        let mut events = intake.after(position, BATCH_EVENTS, BATCH_BYTES)?;
        let end = events.last().map_or(position, |event| event.position);
        events.retain(|event| !self.is_served(event));
        Ok(Round { events, from: position, end, left: None })
    }

    /// Events of projects with few, if many wait after `position`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn ahead(&mut self, intake: &Store, position: i64) -> Result<Option<Round>> {
        if intake.newest() - position <= WAITING {
            return Ok(None);
        }
        self.left.retain(|_, last| *last > position);
        let from = self.looked.max(position);
        let window = intake.look_ahead(from, WINDOW_EVENTS, WINDOW_BYTES)?;
        let mut round = Round { events: Vec::new(), from, end: from, left: Some(Vec::new()) };
        let many = many(&window);
        for event in window {
            if round.events.len() >= BATCH_EVENTS {
                break;
            }
            round.end = event.position;
            if self.left.contains_key(&event.project) || many.contains(&event.project) {
                round.left.get_or_insert_default().push((event.project, event.position));
            } else if !self.is_served(&event) {
                round.events.push(event);
            }
        }
        if round.events.is_empty() {
            self.serve(&round, round.end);
            return Ok(None);
        }
        Ok(Some(round))
    }

    fn is_served(&self, event: &Pending) -> bool {
        self.ahead.get(&event.project).is_some_and(|served| event.position <= *served)
    }

    /// Notes that the first `count` events of a round, which are at these places, are being stored, and returns how far that
    /// brings the digest; `None`: nowhere.
    pub(super) fn reach(
        &mut self,
        round: &Round,
        places: &[(ProjectId, i64)],
        count: usize,
    ) -> Option<Reach> {
        let stored = &places[..count];
        let end = if count == places.len() { round.end } else { stored.last()?.1 };
        if round.left.is_some() {
            self.serve(round, end);
            let projects: HashSet<ProjectId> = stored.iter().map(|(project, _)| *project).collect();
            let ahead: Vec<_> = projects.into_iter().map(|project| (project, end)).collect();
            self.ahead.extend(ahead.iter().copied());
            return Some(Reach::Ahead(ahead));
        }
        self.ahead.retain(|_, served| *served > end);
        (end > round.from).then_some(Reach::UpTo(end))
    }

    /// Notes what a look ahead has seen up to a position.
    fn serve(&mut self, round: &Round, end: i64) {
        self.looked = end;
        let left = round.left.iter().flatten().filter(|(_, position)| *position <= end);
        left.for_each(|(project, position)| drop(self.left.insert(*project, *position)));
    }
}

/// The projects with many events in a window.
fn many(window: &[Pending]) -> HashSet<ProjectId> {
    let mut counts: HashMap<ProjectId, usize> = HashMap::new();
    window.iter().for_each(|event| *counts.entry(event.project).or_default() += 1);
    counts.into_iter().filter(|(_, count)| *count > FEW).map(|(project, _)| project).collect()
}
