//! How often a rule would have fired: replays the past with the rule's quiet time and its limit of messages.

use super::AskedIssues;
use crate::alerts::sql::events::{self, Cause};
use crate::alerts::sql::preview;
use crate::alerts::{COUNTED, Condition, HOURLY_MAX, NewRule, PREVIEWED, Preview, PreviewExample, Threshold};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::notifications::sql::facts;
use crate::signals::Kind;
use crate::store::Connection;
use crate::time::{MINUTE, SECOND, Timestamp};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The most examples in a preview.
const EXAMPLES: usize = 10;
/// The interval of the counting job.
pub const STEP: i64 = 10 * SECOND;

/// A period in which a condition held: start, end, and the issue.
type HeldPeriod = (Timestamp, Timestamp, Option<IssueId>);

/// How often a rule about issues would have fired in the days before `now`.
///
/// # Errors
/// 422 for an invalid query; storage trouble.
pub fn of_issues(c: &Connection, project: ProjectId, rule: &NewRule, now: Timestamp) -> Result<Preview> {
    let (held, since) = match rule.condition {
        Condition::Events { count, minutes, users } => {
            held_by_events(c, project, rule, (Threshold { count, minutes, users }, now))?
        }
        _ => match rule.condition.signal() {
            Some(kind) => held_by_signals(c, project, rule, (kind, now))?,
            None => (Vec::new(), now.plus(-PREVIEWED)),
        },
    };
    let mut replay = Replay::new(rule.quiet_minutes);
    replay.play(held);
    let mut preview = replay.preview(since);
    for example in &mut preview.examples {
        let found = example.issue_id.map(|id| facts::issue(c, id)).transpose()?.flatten();
        example.title = found.map(|found| found.title).unwrap_or_default();
    }
    Ok(preview)
}

fn held_by_signals(
    c: &Connection,
    project: ProjectId,
    rule: &NewRule,
    (kind, now): (Kind, Timestamp),
) -> Result<(Vec<HeldPeriod>, Timestamp)> {
    let asked = AskedIssues::read(c, project, &rule.filters)?;
    let (signals, since) = preview::signals(c, project, kind, now.plus(-PREVIEWED))?;
    let mut fits = HashMap::new();
    let mut held = Vec::new();
    for preview::PastSignal { at, issue, event_id } in signals {
        let is_wanted = match fits.get(&issue) {
            Some(known) => *known,
            None => {
                let found = facts::issue(c, issue)?.is_some() && asked.have(c, issue)?;
                fits.insert(issue, found);
                found
            }
        };
        let cause = Cause { kind, at, event_id: event_id.as_deref() };
        if is_wanted && events::cause_meets(c, (project, issue), &cause, &rule.filters)? {
            held.push((at, at.plus(1), Some(issue)));
        }
    }
    Ok((held, since))
}

fn held_by_events(
    c: &Connection,
    project: ProjectId,
    rule: &NewRule,
    (over, now): (Threshold, Timestamp),
) -> Result<(Vec<HeldPeriod>, Timestamp)> {
    let length = over.minutes * MINUTE;
    let asked = AskedIssues::read(c, project, &rule.filters)?;
    let wants = |issue| asked.have(c, issue);
    let start = now.plus(-PREVIEWED - length);
    let (seen, start) = preview::events(c, (project, &rule.filters), over, start, wants)?;
    let since = start.plus(length).min(now);
    let mut held = Vec::new();
    for (issue, seen) in seen {
        let spans = events::exceeded(&seen, over).into_iter();
        held.extend(spans.map(|(from, until)| (from.max(since), until.min(now), Some(issue))));
    }
    Ok((held, since))
}

/// How often a log search would have found more than `count` entries in `minutes`. `steps` has the number of entries
/// in each [`STEP`], the last of which ends now; the first `minutes` only fill the window.
pub fn of_logs(steps: &[u64], (count, minutes): (i64, i64), quiet_minutes: i64, now: Timestamp) -> Preview {
    let width = usize::try_from(minutes * MINUTE / STEP).unwrap_or(usize::MAX);
    let most = u64::try_from(count).unwrap_or(0);
    let ends = |step: usize| now.plus(-((steps.len() - step - 1) as i64) * STEP);
    let (mut sum, mut held) = (0, Vec::<HeldPeriod>::new());
    for (step, found) in steps.iter().enumerate() {
        sum += found;
        if let Some(gone) = step.checked_sub(width) {
            sum -= steps[gone];
        }
        if sum > most && step >= width {
            let (from, until) = (ends(step), ends(step).plus(STEP));
            match held.last_mut().filter(|last| last.1 == from) {
                Some(last) => last.1 = until,
                None => held.push((from, until, None)),
            }
        }
    }
    let mut replay = Replay::new(quiet_minutes);
    replay.play(held);
    replay.preview(now.plus(-PREVIEWED))
}

/// Replays when a rule fires while its condition holds.
struct Replay {
    quiet: i64,
    /// When the current hour of messages began, and how many it has.
    counted: Option<(Timestamp, i64)>,
    quiet_until: HashMap<Option<IssueId>, Timestamp>,
    fired: Vec<(Timestamp, Option<IssueId>)>,
    suppressed: usize,
}

impl Replay {
    fn new(quiet_minutes: i64) -> Self {
        Self {
            quiet: quiet_minutes * MINUTE,
            counted: None,
            quiet_until: HashMap::new(),
            fired: Vec::new(),
            suppressed: 0,
        }
    }

    fn play(&mut self, held: Vec<HeldPeriod>) {
        let turns = held.into_iter().filter(|(from, until, _)| from < until);
        let mut turns: BinaryHeap<_> =
            turns.map(|(from, until, issue)| Reverse((from, issue, until))).collect();
        while let Some(Reverse((at, issue, until))) = turns.pop() {
            let is_quiet_until = self.quiet_until.get(&issue).copied().filter(|end| *end > at);
            let next = is_quiet_until.unwrap_or_else(|| self.fire(at, issue));
            if next < until {
                turns.push(Reverse((next, issue, until)));
            }
        }
    }

    /// Returns the time until which the rule is quiet about the issue.
    fn fire(&mut self, at: Timestamp, issue: Option<IssueId>) -> Timestamp {
        let running = self.counted.filter(|(began, _)| at < began.plus(COUNTED));
        let (began, count) = running.unwrap_or((at, 0));
        let mut end = at.plus(self.quiet);
        if count < HOURLY_MAX {
            self.counted = Some((began, count + 1));
            self.fired.push((at, issue));
        } else {
            self.suppressed += 1;
            end = end.min(began.plus(COUNTED));
        }
        self.quiet_until.insert(issue, end);
        end
    }

    fn preview(self, since: Timestamp) -> Preview {
        let examples = self.fired.iter().rev().take(EXAMPLES).map(|(at, issue)| PreviewExample {
            at: *at,
            issue_id: *issue,
            title: String::new(),
        });
        Preview {
            count: self.fired.len(),
            suppressed: self.suppressed,
            examples: examples.collect(),
            since: Some(since),
        }
    }
}

#[cfg(test)]
mod tests;
