//! Resolves the issues of a release again, some at a time.

use super::sql::{self, LateRelease};
use crate::digest::prepare::PreparedEvent;
use crate::digest::resolve::Resolver;
use crate::error::Result;
use crate::events;
use crate::ids::IssueId;
use crate::issues::sql::counts;
use crate::issues::texts::Texts;
use crate::jobs::Stopping;
use crate::live::{Changes, Hub};
use crate::releases::service::Maps;
use crate::store::{Connection, Main, Transaction};
use crate::time::{DAY, Timestamp};
use std::collections::HashSet;
use std::sync::Arc;

/// How long to wait for further single uploads, in milliseconds.
const SETTLED: i64 = 2_000;
/// Events further in the past than this are left as they are.
const PAST: i64 = 30 * DAY;
/// Issues per transaction.
const AT_ONCE: i64 = 20;
/// Events of an issue that are looked at, the newest first. More are mostly of the same stacks.
const EVENTS: i64 = 200;

/// What resolving again needs.
#[derive(Clone)]
pub struct LateMaps {
    pub main: Main,
    pub maps: Arc<Maps>,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
}

/// An issue by its original frames.
struct Renewal {
    issue: IssueId,
    /// The newest event of each fingerprint, the newest of all first.
    events: Vec<PreparedEvent>,
    /// Whether the first is the issue's newest event, which names it.
    is_newest: bool,
}

impl LateMaps {
    /// Works until no requests are left. An upload in between starts its release again.
    pub async fn run(&self, stopping: &Stopping) -> Result<()> {
        while !stopping.is_on() {
            let until = Timestamp::now().plus(-SETTLED);
            let Some(late) = self.main.read(move |c| sql::next(c, until)).await? else { break };
            self.step(late).await?;
        }
        Ok(())
    }

    async fn step(&self, late: LateRelease) -> Result<()> {
        let (maps, asked) = (self.maps.clone(), late.clone());
        let look = self.main.read(move |c| {
            let (issues, count) = sql::issues(c, &asked, AT_ONCE)?;
            let renewals = look(c, &mut Resolver::new(maps), &asked, &issues)?;
            Ok((issues, count, renewals))
        });
        let (issues, count, renewals) = look.await?;
        let changes = Changes::of_issues(renewals.iter().map(|renewal| renewal.issue));
        let (project, is_changing) = (late.project, !renewals.is_empty());
        let write = self.main.write(move |tx| {
            let now = Timestamp::now();
            let Some((last, _)) = issues.last() else { return sql::finish(tx, &late, now) };
            let mut changed = 0;
            for renewal in &renewals {
                changed += i64::from(apply(tx, &late, renewal, now)?);
            }
            sql::advance(tx, &late, (*last, issues.len() as i64, changed), count)
        });
        write.await?;
        if is_changing {
            self.texts.forget(project);
            self.live.publish(project, &changes);
        }
        Ok(())
    }
}

fn look(
    c: &Connection,
    resolver: &mut Resolver,
    late: &LateRelease,
    issues: &[(IssueId, Timestamp)],
) -> Result<Vec<Renewal>> {
    let since = Timestamp::now().plus(-PAST);
    let mut renewals = Vec::new();
    for (issue, last) in issues.iter().filter(|(_, last)| *last >= since) {
        let mut renewal = Renewal { issue: *issue, events: Vec::new(), is_newest: false };
        let mut known = HashSet::new();
        let newest = events::sql::last_seen(c, *issue)?;
        let arrived = sql::arrived(c, *issue, late.id)?;
        events::sql::each_until(c, *issue, *last, EVENTS, |stored| {
            let event = stored.accepted()?;
            if event.timestamp < since.millis() {
                return Ok(false);
            }
            let is_own = event.release.as_deref() == Some(late.version.as_str());
            if !is_own && !event.debug_images.iter().any(|image| arrived.contains(&image.debug_id)) {
                return Ok(true);
            }
            let timestamp = event.timestamp;
            if let Some(new) = PreparedEvent::again(c, resolver, late.project, event, &stored.frames)?
                && known.insert(new.fingerprint)
            {
                renewal.is_newest |= renewal.events.is_empty() && newest == Some(timestamp);
                renewal.events.push(new);
            }
            Ok(true)
        })?;
        if !renewal.events.is_empty() {
            renewals.push(renewal);
        }
    }
    Ok(renewals)
}

fn apply(tx: &Transaction<'_>, late: &LateRelease, renewal: &Renewal, now: Timestamp) -> Result<bool> {
    let mut is_changed = false;
    for event in &renewal.events {
        let key = (late.project, event.fingerprint_version, event.fingerprint);
        is_changed |= sql::add_fingerprint(tx, renewal.issue, key, now)?;
    }
    if let Some(newest) = renewal.events.first().filter(|_| renewal.is_newest) {
        is_changed |= counts::name(tx, late.project, renewal.issue, &newest.naming())?;
    }
    Ok(is_changed)
}
