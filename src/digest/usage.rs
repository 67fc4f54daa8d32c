//! Sums up what a batch adds to the counters of releases, source maps and stored events.

use super::prepare::PreparedEvent;
use crate::error::Result;
use crate::events;
use crate::ids::{IssueId, ProjectId, SourceMapId};
use crate::releases;
use crate::releases::sql::environments::{self, IssueEvents, Part};
use crate::releases::sql::{ReleaseCounts, Used};
use crate::store::Transaction;
use crate::time::{HOUR, Timestamp};
use crate::usage::DataAmount;
use std::collections::{BTreeMap, BTreeSet};

/// Sums that [`Usage::write`] has yet to write.
#[derive(Default)]
pub(super) struct Usage<'a> {
    maps: BTreeMap<SourceMapId, Used>,
    releases: BTreeMap<(ProjectId, &'a str), ReleaseCounts>,
    within: BTreeMap<(ProjectId, &'a str), Within>,
    /// By release and environment.
    parts: BTreeMap<(ProjectId, &'a str, &'a str), Part>,
    /// Facets and values that issues do not accept.
    refused: BTreeSet<(i64, &'a str, &'a str)>,
    /// What is stored, by the day of its receipt.
    events: BTreeMap<(ProjectId, i64), DataAmount>,
}

/// What a batch adds to a release.
#[derive(Default)]
struct Within {
    /// Events, by the hour in which they happened.
    hours: BTreeMap<i64, i64>,
    /// Keys of the users to whom they happened.
    users: BTreeSet<i64>,
}

impl<'a> Usage<'a> {
    /// Counts an event for the maps that resolved its frames.
    pub(super) fn maps(&mut self, new: &PreparedEvent) {
        for map in &new.stack.maps {
            let used = self.maps.entry(*map).or_insert(Used { count: 0, last: new.timestamp });
            used.count += 1;
            used.last = used.last.max(new.timestamp);
        }
    }

    /// Counts an event of an issue in its release, and there in its environment.
    pub(super) fn event(&mut self, (project, issue): (ProjectId, IssueId), new: &'a PreparedEvent) {
        let Some(release) = new.release.as_deref().filter(|release| !release.is_empty()) else { return };
        let within = self.within.entry((project, release)).or_default();
        *within.hours.entry(new.timestamp / HOUR).or_default() += 1;
        let user = facet_of(new, "user").map(releases::user_key);
        within.users.extend(user);
        let Some(environment) = facet_of(new, "environment") else { return };
        let part = self.parts.entry((project, release, environment)).or_default();
        let nothing = IssueEvents { count: 0, first: new.timestamp, last: new.timestamp };
        let events = part.issues.entry(issue.0).or_insert(nothing);
        events.count += 1;
        events.first = events.first.min(new.timestamp);
        events.last = events.last.max(new.timestamp);
        *part.hours.entry(new.timestamp / HOUR).or_default() += 1;
        part.users.extend(user);
    }

    /// Leaves out the issue's events with a value that it does not accept, wherever they would be counted by issue.
    pub(super) fn refuse(&mut self, issue: IssueId, facet: &'a str, value: &'a str) {
        if matches!(facet, "release" | "environment") {
            self.refused.insert((issue.0, facet, value));
        }
    }

    /// Counts an issue's events in a release, and the issue if it is new to the release.
    pub(super) fn release(
        &mut self,
        project: ProjectId,
        version: &'a str,
        (events, new_issue): (i64, bool),
        (first, last): (i64, i64),
    ) {
        let nothing = ReleaseCounts { events: 0, issues: 0, first, last };
        let sum = self.releases.entry((project, version)).or_insert(nothing);
        sum.events += events;
        sum.issues += i64::from(new_issue);
        sum.first = sum.first.min(first);
        sum.last = sum.last.max(last);
    }

    /// Counts a stored event with the bytes of its payload.
    pub(super) fn stored(&mut self, project: ProjectId, received_at: Timestamp, bytes: usize) {
        let sum = self.events.entry((project, received_at.day())).or_default();
        sum.add(DataAmount { count: 1, bytes: bytes as i64 });
    }

    /// Writes all sums and starts over.
    pub(super) fn write(&mut self, tx: &Transaction<'_>) -> Result<()> {
        for (map, used) in std::mem::take(&mut self.maps) {
            releases::sql::use_map(tx, map, used)?;
        }
        let mut named = BTreeSet::new();
        for ((project, version), seen) in std::mem::take(&mut self.releases) {
            if releases::sql::count(tx, project, version, seen)? {
                named.insert(project);
            }
        }
        // After their counts, which are what they refer to.
        for ((project, version), within) in std::mem::take(&mut self.within) {
            releases::sql::count_within(tx, project, version, &within.hours, &within.users)?;
        }
        self.write_parts(tx)?;
        for project in named {
            // What is left after that is for a job.
            releases::sql::forget_seen(tx, project, releases::SEEN_MAX, releases::DELETE_AT_ONCE)?;
        }
        for ((project, day), stored) in std::mem::take(&mut self.events) {
            events::sql::DAYS.add(tx, project, day, stored)?;
        }
        Ok(())
    }

    fn write_parts(&mut self, tx: &Transaction<'_>) -> Result<()> {
        let refused = std::mem::take(&mut self.refused);
        for ((project, version, environment), mut part) in std::mem::take(&mut self.parts) {
            if !refused.is_empty() {
                part.issues.retain(|issue, _| {
                    !refused.contains(&(*issue, "release", version))
                        && !refused.contains(&(*issue, "environment", environment))
                });
            }
            environments::count(tx, (project, version), environment, &part)?;
        }
        Ok(())
    }
}

/// An event's value of a facet.
fn facet_of<'a>(new: &'a PreparedEvent, name: &str) -> Option<&'a str> {
    new.facets.iter().find(|(facet, _)| facet == name).map(|(_, value)| value.as_str())
}
