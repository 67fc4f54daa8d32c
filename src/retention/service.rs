//! Removes what is beyond the limits, in pieces, and previews what would be removed.

use super::{Excess, Removal, RetentionLimits, RetentionPolicy, RetentionSettings};
use crate::error::Result;
use crate::events;
use crate::ids::ProjectId;
use crate::jobs::Stopping;
use crate::logs;
use crate::logs::store::LogStore;
use crate::projects;
use crate::replays;
use crate::replays::service::files::Files;
use crate::sessions;
use crate::set_aside;
use crate::store::{Connection, Main};
use crate::time::{DAY, Timestamp};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Events per transaction: a few milliseconds.
const EVENTS_AT_ONCE: i64 = 200;
/// Batches of log entries per transaction.
const BATCHES_AT_ONCE: i64 = 100;
/// Replays per transaction. Each may have thousands of segments.
const REPLAYS_AT_ONCE: i64 = 20;
/// The pause after a transaction, as a multiple of its duration, so that others can write,
const REST: u32 = 3;
/// and the least.
const REST_MIN: Duration = Duration::from_millis(5);
/// Transactions in a project's turn.
const TURN: usize = 20;
/// How long removed entries may stay in the index before their batches are deleted.
const UNINDEXED: Duration = Duration::from_secs(10);
/// How often the index is checked.
const LOOK: Duration = Duration::from_millis(50);

/// What retention needs.
#[derive(Clone)]
pub struct RetentionService {
    pub main: Main,
    pub logs: LogStore,
    /// The files of replays.
    pub replays: Files,
    /// The defaults for projects without settings.
    pub defaults: RetentionPolicy,
    /// Days that agent sessions are kept after their end; 0: forever.
    pub sessions_days: u64,
    /// Woken after removals, to return the space to the file system.
    pub free_pages: Arc<Notify>,
}

/// A project with its limits.
#[derive(Debug, Clone)]
pub struct ProjectPolicy {
    pub id: ProjectId,
    pub name: String,
    pub settings: RetentionSettings,
    pub policy: RetentionPolicy,
}

/// What would be removed of a project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removals {
    pub events: Removal,
    pub logs: Removal,
    pub replays: Removal,
}

/// The time before which sessions of agents must have ended to be removed; `None`: all are kept.
fn sessions_cutoff(days: u64, now: Timestamp) -> Option<Timestamp> {
    let days = i64::try_from(days).unwrap_or(i64::MAX / DAY);
    (days > 0).then(|| now.plus(-days * DAY))
}

/// How many sessions of agents would be removed, of the whole instance.
///
/// # Errors
/// Storage trouble.
pub fn sessions_beyond(main: &Connection, days: u64, now: Timestamp) -> Result<i64> {
    sessions_cutoff(days, now).map_or(Ok(0), |before| sessions::sql::count_ended(main, before))
}

/// Every project with its limits.
///
/// # Errors
/// Storage trouble.
pub fn policies(main: &Connection, defaults: RetentionPolicy) -> Result<Vec<ProjectPolicy>> {
    let projects = projects::sql::retention(main)?.into_iter();
    let with_policy =
        |(id, name, settings)| ProjectPolicy { id, name, settings, policy: defaults.overridden(&settings) };
    Ok(projects.map(with_policy).collect())
}

/// What would be removed of a project under some limits, from the sums of its days.
///
/// # Errors
/// Storage trouble.
pub fn events_beyond(
    main: &Connection,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
) -> Result<Removal> {
    let held = events::sql::DAYS.total(main, project)?;
    Ok(Excess::new(limits, held, now).estimate(&events::sql::DAYS.list(main, project)?))
}

/// The same for session replays.
///
/// # Errors
/// Storage trouble.
pub fn replays_beyond(
    main: &Connection,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
) -> Result<Removal> {
    let held = replays::sql::DAYS.total(main, project)?;
    Ok(Excess::new(limits, held, now).estimate(&replays::sql::DAYS.list(main, project)?))
}

/// The same for log entries.
///
/// # Errors
/// Storage trouble.
pub fn logs_beyond(
    logs: &Connection,
    project: ProjectId,
    limits: &RetentionLimits,
    now: Timestamp,
) -> Result<Removal> {
    let held = logs::sql::DAYS.total(logs, project)?;
    Ok(Excess::new(limits, held, now).estimate(&logs::sql::DAYS.list(logs, project)?))
}

impl RetentionService {
    /// What would be removed of projects under their limits.
    ///
    /// # Errors
    /// Storage trouble.
    pub async fn preview(&self, projects: Vec<(ProjectId, RetentionPolicy)>) -> Result<Vec<Removals>> {
        let (now, of_logs) = (Timestamp::now(), projects.clone());
        let of_main = self.main.read(move |c| {
            let beyond = |(id, policy): &(ProjectId, RetentionPolicy)| {
                let events = events_beyond(c, *id, &policy.events, now)?;
                Ok((events, replays_beyond(c, *id, &policy.replays, now)?))
            };
            projects.iter().map(beyond).collect::<Result<Vec<_>>>()
        });
        let of_main = of_main.await?;
        let logs = self.logs.db.read(move |c| {
            of_logs
                .iter()
                .map(|(id, policy)| logs_beyond(c, *id, &policy.logs, now))
                .collect::<Result<Vec<_>>>()
        });
        let logs = logs.await?;
        let both = of_main.into_iter().zip(logs);
        Ok(both.map(|((events, replays), logs)| Removals { events, logs, replays }).collect())
    }

    /// Removes what is beyond the limits of each project. Projects take turns, and other writers get time in between.
    ///
    /// # Errors
    /// Storage trouble; what was removed stays removed, and the next run continues.
    pub async fn run(&self, stopping: &Stopping) -> Result<()> {
        self.remove_sessions(stopping).await?;
        let defaults = self.defaults;
        let mut left = self.main.read(move |c| policies(c, defaults)).await?;
        while !left.is_empty() && !stopping.is_on() {
            let mut more = Vec::new();
            for project in left {
                if self.turn(&project, stopping).await? {
                    more.push(project);
                }
            }
            self.free_pages.notify_one();
            left = more;
        }
        Ok(())
    }

    /// Removes the sessions of agents that ended too long ago, with their transcripts.
    async fn remove_sessions(&self, stopping: &Stopping) -> Result<()> {
        let Some(before) = sessions_cutoff(self.sessions_days, Timestamp::now()) else { return Ok(()) };
        while !stopping.is_on() {
            let start = Instant::now();
            if !self.main.write(move |tx| sessions::sql::remove_some(tx, before)).await? {
                break;
            }
            rest(start).await;
        }
        Ok(())
    }

    /// Whether a project may have more to remove after its turn.
    async fn turn(&self, project: &ProjectPolicy, stopping: &Stopping) -> Result<bool> {
        let mut is_done = [false; 3];
        for _ in 0..TURN {
            if stopping.is_on() {
                return Ok(false);
            }
            is_done[0] = is_done[0] || !self.remove_events(project).await?;
            is_done[1] = is_done[1] || !self.remove_logs(project).await?;
            is_done[2] = is_done[2] || !self.remove_replays(project).await?;
            if is_done == [true; 3] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes some events; `false` once all are within the limits.
    async fn remove_events(&self, project: &ProjectPolicy) -> Result<bool> {
        let (id, limits, now) = (project.id, project.policy.events, Timestamp::now());
        if limits.keeps_all() {
            return Ok(false);
        }
        let start = Instant::now();
        let removed = self.main.write(move |tx| {
            if let Some(cutoff) = limits.cutoff(now) {
                set_aside::sql::remove_before(tx, id, cutoff)?;
            }
            let removed = events::sql::oldest::remove(tx, id, &limits, now, EVENTS_AT_ONCE)?;
            if removed.count == 0 {
                events::sql::DAYS.forget_empty(tx, id)?;
            }
            Ok(removed)
        });
        let removed = removed.await?;
        if removed.count == 0 {
            return Ok(false);
        }
        tracing::debug!(project = id.0, events = removed.count, "removed events by retention");
        rest(start).await;
        Ok(true)
    }

    /// Removes some session replays; `false` once all are within the limits. Their late segments are dropped. The
    /// sweep finds files that a crash leaves behind.
    async fn remove_replays(&self, project: &ProjectPolicy) -> Result<bool> {
        let (id, limits, now) = (project.id, project.policy.replays, Timestamp::now());
        if limits.keeps_all() {
            return Ok(false);
        }
        let start = Instant::now();
        let removed = self.main.write(move |tx| {
            let removed = replays::sql::oldest::remove(tx, id, &limits, now, REPLAYS_AT_ONCE)?;
            if removed.count == 0 {
                replays::sql::DAYS.forget_empty(tx, id)?;
            }
            Ok(removed)
        });
        let removed = removed.await?;
        if removed.count == 0 {
            return Ok(false);
        }
        self.replays.remove(removed.files).await?;
        tracing::debug!(project = id.0, replays = removed.count, "removed session replays by retention");
        rest(start).await;
        Ok(true)
    }

    /// Removes some log entries; `false` once all are within the limits. First finishes what an earlier run began,
    /// whatever the limits are now.
    async fn remove_logs(&self, project: &ProjectPolicy) -> Result<bool> {
        use logs::sql::oldest;
        let (id, limits, now) = (project.id, project.policy.logs, Timestamp::now());
        let start = Instant::now();
        if self.logs.db.read(move |c| oldest::has_removed(c, id)).await? {
            self.logs.db.write(move |tx| oldest::delete_some(tx, id, BATCHES_AT_ONCE)).await?;
            rest(start).await;
            return Ok(true);
        }
        if limits.keeps_all() {
            return Ok(false);
        }
        let Some(cut) = self.logs.db.read(move |c| oldest::find(c, id, &limits, now)).await? else {
            self.logs.db.write(move |tx| logs::sql::DAYS.forget_empty(tx, id)).await?;
            return Ok(false);
        };
        tracing::debug!(project = id.0, entries = cut.held.count, "removing log entries by retention");
        self.logs.db.write(move |tx| oldest::mark(tx, id, cut.last)).await?;
        self.logs.index.look();
        self.until_unindexed(id).await?;
        Ok(true)
    }

    /// Waits until the index no longer has the removed entries, so that searches do not find entries that are about
    /// to be deleted. Does not wait for an index that is far behind or being rebuilt: hits without an entry are left
    /// out.
    async fn until_unindexed(&self, project: ProjectId) -> Result<()> {
        let until = Instant::now() + UNINDEXED;
        while Instant::now() < until
            && self.logs.db.read(move |c| logs::sql::oldest::is_indexed(c, project)).await?
        {
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }
}

async fn rest(start: Instant) {
    tokio::time::sleep((start.elapsed() * REST).max(REST_MIN)).await;
}
