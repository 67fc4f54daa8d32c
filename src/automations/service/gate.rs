//! Whether a call may start a session.

use super::{Call, Skip};
use crate::automations::sql::gates;
use crate::automations::{Automation, Gates};
use crate::error::Result;
use crate::sessions::sql::USD;
use crate::store::Connection;
use crate::time::{DAY, MINUTE, Timestamp};

/// The reason of the first closed gate.
pub(super) fn check(
    c: &Connection,
    automation: &Automation,
    call: &Call<'_>,
    now: Timestamp,
) -> Result<Option<Skip>> {
    let (gates, id) = (&automation.gates, automation.id);
    let budget = || budget(c, automation, now);
    if call.is_manual {
        return budget();
    }
    if !automation.enabled {
        return Ok(Some(Skip::AutomationDisabled));
    }
    if let Some(skip) = issue(c, automation, call, now)? {
        return Ok(Some(skip));
    }
    if let Some(minutes) = gates.cooldown_minutes
        && let Some(last) = gates::last_start(c, id, call.issue)?
        // A start in the future, from before the clock was set back, does not count.
        && (0..minutes * MINUTE).contains(&(now.millis() - last.millis()))
    {
        return Ok(Some(Skip::Cooldown));
    }
    if let Some(most) = gates.max_runs_per_hour
        && gates::started_lately(c, id, now)? >= most
    {
        return Ok(Some(Skip::RateLimited));
    }
    budget()
}

/// Checks the gates that are about the issue.
fn issue(c: &Connection, automation: &Automation, call: &Call<'_>, now: Timestamp) -> Result<Option<Skip>> {
    let Some(issue) = call.issue else { return Ok(None) };
    let Gates { one_per_issue, min_events, seen_within_days, .. } = automation.gates;
    let Some((events, last_seen)) = gates::issue(c, issue)? else { return Ok(Some(Skip::Filter)) };
    if min_events.is_some_and(|least| events < least) {
        return Ok(Some(Skip::MinEvents));
    }
    if seen_within_days.is_some_and(|days| now.millis() - last_seen.millis() > days * DAY) {
        return Ok(Some(Skip::SeenWithin));
    }
    if one_per_issue && gates::is_running(c, automation.id, issue, now)? {
        return Ok(Some(Skip::AlreadyRunning));
    }
    Ok(None)
}

fn budget(c: &Connection, automation: &Automation, now: Timestamp) -> Result<Option<Skip>> {
    let Gates { monthly_budget_usd, monthly_minutes, .. } = automation.gates;
    if monthly_budget_usd.is_none() && monthly_minutes.is_none() {
        return Ok(None);
    }
    let spent = gates::spent(c, automation.id, now)?;
    if monthly_budget_usd.is_some_and(|usd| spent.cost as f64 >= usd * USD) {
        return Ok(Some(Skip::BudgetUsd));
    }
    if monthly_minutes.is_some_and(|minutes| spent.active >= minutes * MINUTE) {
        return Ok(Some(Skip::BudgetMinutes));
    }
    Ok(None)
}
