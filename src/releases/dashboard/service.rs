//! What the last events of a release failed to resolve, and what would fix it.

use crate::digest::resolve::Resolver;
use crate::error::Result;
use crate::event::frame::Frame;
use crate::events::service::Explainer;
use crate::events::{self, Nearest};
use crate::ids::{IssueId, ProjectId};
use crate::releases::{Rule, sql};
use crate::store::Connection;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// The number of issues whose events are examined: those most recently seen with the release.
const ISSUES: usize = 20;
/// The number of events examined, with at least [`EVENTS_OF_ISSUE`] for each issue.
const EVENTS: usize = 50;
const EVENTS_OF_ISSUE: usize = 3;
/// Rows read for each event, because an issue's events of this release may be mixed with those of others.
const ROWS_FOR_EVENT: i64 = 4;
/// The most rows of the answer.
const SHOWN: usize = 100;

/// What the last events of a release failed to resolve.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnresolvedFrames {
    pub checked_events: usize,
    pub checked_issues: usize,
    /// Frames of these events that source maps resolve, or should. 0: nothing there needs source maps.
    pub mappable_frames: usize,
    /// Most frequent first, at most 100.
    pub unresolved: Vec<UnresolvedUrl>,
    /// Number of distinct pairs of rule and url.
    pub total: usize,
}

/// Frames with one address that fail one rule.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UnresolvedUrl {
    /// As written in the stacks.
    pub url: String,
    /// `prefix`, `url` or `position`.
    pub rule: Rule,
    /// The detail of the newest of these frames.
    pub detail: String,
    /// Source maps that the frames may have meant, the likeliest first.
    pub nearest: Vec<Nearest>,
    /// What to run where the build's files are, in a shell; `null` if that cannot be said.
    pub command: Option<String>,
    pub frame_count: usize,
    pub event_count: usize,
    pub last_event_id: String,
    pub last_issue_id: IssueId,
    pub last_seen: Timestamp,
}

/// Explains the frames of the last events of a release that has source maps or expects them.
pub(super) fn of_release(
    c: &Connection,
    resolver: &mut Resolver,
    project: ProjectId,
    version: &str,
) -> Result<UnresolvedFrames> {
    let issues = sql::issues_seen(c, project, version, ISSUES)?;
    let mut explainer = Explainer::new(c, resolver, project, Some(version), 0)?;
    let mut groups = Groups::default();
    let share = EVENTS.div_ceil(issues.len().max(1)).max(EVENTS_OF_ISSUE);
    for (issue, last) in &issues {
        let wanted = EVENTS.min(groups.events + share);
        let rows = i64::try_from(wanted - groups.events).unwrap_or(0) * ROWS_FOR_EVENT;
        events::sql::each_until(c, *issue, *last, rows, |stored| {
            let event = stored.accepted()?;
            if event.release.as_deref() == Some(version) {
                groups.add(&mut explainer, &event.event_id, event.timestamp, &stored)?;
            }
            Ok(groups.events < wanted)
        })?;
    }
    groups.finish(&mut explainer, issues.len())
}

/// Unresolved frames, by rule and address.
#[derive(Default)]
struct Groups {
    events: usize,
    mappable: usize,
    found: HashMap<(Rule, String), UnresolvedUrl>,
}

impl Groups {
    fn add(
        &mut self,
        explainer: &mut Explainer<'_>,
        event_id: &str,
        timestamp: i64,
        stored: &events::EventRow,
    ) -> Result<()> {
        self.events += 1;
        let at = Timestamp::from_millis(timestamp);
        let mut met = HashSet::new();
        let (mappable, open) = explainer.open_frames(&stored.frames)?;
        self.mappable += mappable;
        for frame in open {
            let (rule, detail) = explainer.cause(&frame)?;
            let key = (rule, frame.url.clone().unwrap_or_default());
            let first_of_event = met.insert(key.clone());
            let group = self.found.entry(key).or_insert_with(|| group(rule, &frame, stored.issue_id));
            group.frame_count += 1;
            group.event_count += usize::from(first_of_event);
            if group.last_event_id.is_empty() || at > group.last_seen {
                group.detail = detail;
                event_id.clone_into(&mut group.last_event_id);
                (group.last_issue_id, group.last_seen) = (stored.issue_id, at);
            }
        }
        Ok(())
    }

    fn finish(self, explainer: &mut Explainer<'_>, checked_issues: usize) -> Result<UnresolvedFrames> {
        let Self { events: checked_events, mappable: mappable_frames, found } = self;
        let mut unresolved: Vec<UnresolvedUrl> = found.into_values().collect();
        unresolved.sort_by(|a, b| {
            (b.frame_count, b.event_count, &a.url, a.rule).cmp(&(
                a.frame_count,
                a.event_count,
                &b.url,
                b.rule,
            ))
        });
        let total = unresolved.len();
        unresolved.truncate(SHOWN);
        for row in &mut unresolved {
            if row.rule != Rule::Position {
                row.nearest = explainer.nearest(&row.url)?;
            }
            row.command = explainer.command(row.rule, &row.url, &row.nearest);
        }
        Ok(UnresolvedFrames { checked_events, checked_issues, mappable_frames, unresolved, total })
    }
}

fn group(rule: Rule, frame: &Frame, issue: IssueId) -> UnresolvedUrl {
    UnresolvedUrl {
        url: frame.url.clone().unwrap_or_default(),
        rule,
        detail: String::new(),
        nearest: Vec::new(),
        command: None,
        frame_count: 0,
        event_count: 0,
        last_event_id: String::new(),
        last_issue_id: issue,
        last_seen: Timestamp::from_millis(0),
    }
}
