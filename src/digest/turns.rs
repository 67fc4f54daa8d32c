//! Decides which waiting events come next: in the order of acceptance. But when many wait, the events of projects
//! with few do not wait behind those of projects with many.
//!
//! While many wait, each step takes two rounds. One continues in order. The other looks ahead window by window, and
//! takes the events of projects that have few there. Once a look ahead has left out events of a project, that project
//! is not served ahead again before the order has passed them, so each project's events stay in order. How far each
//! project was served ahead is stored with its events ([`Reach::Ahead`]), and the order skips those.
//!
//! Few and many are counted in work, since an event with a hundred new tags costs as much as a dozen without: what the
//! events of a project cost is known from those that were prepared last.

use super::apply::Reach;
use super::{BATCH_BYTES, BATCH_EVENTS, sql};
use crate::error::Result;
use crate::ids::ProjectId;
use crate::intake::store::{Pending, Store};
use crate::sabotage;
use crate::store::Connection;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The work that waits, in events with few values, from which projects are served ahead. (Tests use less.)
const WAITING: i64 = if cfg!(test) { 64 } else { 4 * BATCH_EVENTS as i64 };
/// Events and bytes (compressed) of a window.
const WINDOW_EVENTS: usize = 4 * BATCH_EVENTS;
const WINDOW_BYTES: usize = 4 * BATCH_BYTES;
/// A project has many in a window if its work there is more than both this and this share of all, or its bytes more.
const FEW_WORK: usize = WINDOW_EVENTS / SHARE;
const SHARE: usize = 8;
const FEW_BYTES: usize = WINDOW_BYTES / SHARE;
/// The most windows in a round, so that it soon reaches the newest event.
const WINDOWS: usize = 8;
/// How often to look at everything again, for projects that no longer have many.
const ANEW: Duration = Duration::from_secs(5);

/// The events to digest next.
pub(super) struct Round {
    pub(super) events: Vec<Pending>,
    /// The range of journal positions that was read for them.
    from: i64,
    end: i64,
    /// In a look ahead: the events that it left out, by project and position.
    left: Option<Vec<(ProjectId, i64)>>,
}

impl Round {
    /// Whether it only skips events that were served ahead.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.end > self.from
    }
}

/// How far each project was served.
#[derive(Default)]
pub(super) struct Turns {
    /// By project, the position up to which its events are digested, if that is ahead of the others'.
    ahead: HashMap<ProjectId, i64>,
    /// By project, the position of the last event that looks ahead left out.
    left: HashMap<ProjectId, i64>,
    /// The position up to which looks ahead have read.
    looked: i64,
    /// The newest position when the current look began.
    newest: i64,
    /// When the current look began.
    begun: Option<Instant>,
    /// By project, the work of one of its events, if that is more than 1.
    works: HashMap<ProjectId, usize>,
    /// The work of one of the last events in order; 0 if there were none.
    work: usize,
    /// Up to this position no project has many, so there is no need to look ahead before the order has passed it.
    even: i64,
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

    /// Events of projects with few, if many events wait after `position`.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn ahead(&mut self, intake: &Store, position: i64) -> Result<Option<Round>> {
        let newest = intake.newest();
        if (newest - position) * self.work.max(1) as i64 <= WAITING || sabotage::on("digest_in_order") {
            intake.end_look_ahead();
            return Ok(None);
        }
        if self.even > position {
            return Ok(None);
        }
        self.left.retain(|_, last| *last > position);
        self.begin_anew();
        self.newest = newest;
        let round = self.look(intake, self.looked.max(position))?;
        if round.events.is_empty() {
            self.note(&round, round.end);
            return Ok(None);
        }
        Ok(Some(round))
    }

    /// Starts a new look when everything was looked at, because projects that had many may have few by now.
    fn begin_anew(&mut self) {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        if begun.elapsed() >= ANEW && self.looked >= self.newest && self.left.len() > 1 {
            self.left.clear();
            self.looked = 0;
            self.begun = Some(Instant::now());
        }
    }

    fn look(&mut self, intake: &Store, from: i64) -> Result<Round> {
        let (mut end, mut events, mut left) = (from, Vec::<Pending>::new(), Vec::new());
        let mut barred: HashSet<ProjectId> = self.left.keys().copied().collect();
        let mut bytes = 0;
        'windows: for _ in 0..WINDOWS {
            let window = intake.look_ahead(end, WINDOW_EVENTS, WINDOW_BYTES)?;
            let many = self.many(&window);
            // A project is served up to the end of this look, so none of its events may be left out before that.
            if events.iter().any(|event| many.contains(&event.project)) {
                break;
            }
            barred.extend(many);
            // If no project has many, the order is as good.
            if barred.is_empty() {
                self.even = window.last().map_or(0, |event| event.position);
                break;
            }
            for event in window {
                if events.len() >= BATCH_EVENTS || bytes >= BATCH_BYTES {
                    break 'windows;
                }
                end = event.position;
                if self.is_served(&event) {
                    continue;
                }
                if barred.contains(&event.project) {
                    left.push((event.project, event.position));
                } else {
                    bytes += event.payload.len();
                    events.push(event);
                }
            }
        }
        Ok(Round { events, from, end, left: Some(left) })
    }

    /// The projects with many events in a window, apart from those already served.
    fn many(&self, window: &[Pending]) -> Vec<ProjectId> {
        let mut sums: HashMap<ProjectId, (usize, usize)> = HashMap::new();
        for event in window.iter().filter(|event| !self.is_served(event)) {
            let (work, bytes) = sums.entry(event.project).or_default();
            *work += self.works.get(&event.project).copied().unwrap_or(1);
            *bytes += event.payload.len();
        }
        let few = FEW_WORK.max(sums.values().map(|(work, _)| work).sum::<usize>() / SHARE);
        let is_many = |(work, bytes): (usize, usize)| work > few || bytes > FEW_BYTES;
        sums.into_iter().filter(|(_, sum)| is_many(*sum)).map(|(project, _)| project).collect()
    }

    fn is_served(&self, event: &Pending) -> bool {
        self.ahead.get(&event.project).is_some_and(|served| event.position <= *served)
    }

    /// Notes what the events of a round cost, each by its project, for those that come next.
    pub(super) fn weigh(&mut self, round: &Round, works: impl Iterator<Item = (ProjectId, usize)>) {
        let mut sums: HashMap<ProjectId, (usize, usize)> = HashMap::new();
        let mut all = (0, 0);
        for (project, work) in works {
            for (events, sum) in [sums.entry(project).or_default(), &mut all] {
                *events += 1;
                *sum += work;
            }
        }
        if round.left.is_none() && all.0 > 0 {
            self.work = all.1 / all.0;
        }
        for (project, (events, work)) in sums {
            match work / events {
                0 | 1 => self.works.remove(&project),
                work => self.works.insert(project, work),
            };
        }
    }

    /// Records that the first `count` events of a round are being stored, and returns how far that advances the
    /// digest, if at all.
    pub(super) fn reach(
        &mut self,
        round: &Round,
        places: &[(ProjectId, i64)],
        count: usize,
    ) -> Option<Reach> {
        let stored = &places[..count];
        let end = if count == places.len() { round.end } else { stored.last()?.1 };
        if round.left.is_some() {
            self.note(round, end);
            let projects: HashSet<ProjectId> = stored.iter().map(|(project, _)| *project).collect();
            let ahead: Vec<_> = projects.into_iter().map(|project| (project, end)).collect();
            self.ahead.extend(ahead.iter().copied());
            return Some(Reach::Ahead(ahead));
        }
        self.ahead.retain(|_, served| *served > end);
        (end > round.from).then_some(Reach::UpTo(end))
    }

    /// Records what a look ahead has seen up to a position.
    fn note(&mut self, round: &Round, end: i64) {
        self.looked = end;
        for (project, position) in round.left.iter().flatten().filter(|(_, position)| *position <= end) {
            self.left.insert(*project, *position);
        }
    }
}
