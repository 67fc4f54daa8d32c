//! When rules fired, so that they stay quiet for a while.

use crate::alerts::{COUNTED, HOURLY_MAX, QUIET_MINUTES_MAX};
use crate::error::Result;
use crate::ids::{AlertRuleId, IssueId};
use crate::time::{MINUTE, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Claims the right to send a message about an issue (`None`: about logs) and makes the rule quiet about it. `Some`
/// has the number of messages left out before. At its hourly limit, the rule stays quiet until the hour is over and
/// may fire about the same issue then.
pub fn take(
    tx: &Transaction<'_>,
    rule: AlertRuleId,
    issue: Option<IssueId>,
    quiet_minutes: i64,
    now: Timestamp,
) -> Result<Option<i64>> {
    if is_quiet(tx, rule, issue, quiet_minutes, now)? {
        return Ok(None);
    }
    let within_limit = within_limit(tx, rule, now)?;
    let fired_at = within_limit.map_or_else(|until| until.plus(-quiet_minutes * MINUTE).min(now), |_| now);
    tx.prepare_cached(
        "insert into alert_firings (rule_id, issue_id, fired_at) values (?1, ?2, ?3)
         on conflict do update set fired_at = ?3",
    )?
    .execute(params![rule.0, issue.map_or(0, |issue| issue.0), fired_at.millis()])?;
    Ok(within_limit.ok())
}

/// Whether a rule fired about an issue so recently that it is still quiet. A firing in the future, from before the
/// clock was set back, does not count.
pub fn is_quiet(
    c: &Connection,
    rule: AlertRuleId,
    issue: Option<IssueId>,
    quiet_minutes: i64,
    now: Timestamp,
) -> Result<bool> {
    let issue = issue.map_or(0, |issue| issue.0);
    let last: Option<i64> = c
        .prepare_cached("select fired_at from alert_firings where rule_id = ?1 and issue_id = ?2")?
        .query_row([rule.0, issue], |row| row.get(0))
        .optional()?;
    let quiet_since = now.plus(-quiet_minutes * MINUTE).millis();
    Ok(last.is_some_and(|last| last > quiet_since && last <= now.millis()))
}

/// Counts a message and returns how many were left out before it; or counts it as left out and returns until when
/// they are.
fn within_limit(
    tx: &Transaction<'_>,
    rule: AlertRuleId,
    now: Timestamp,
) -> Result<std::result::Result<i64, Timestamp>> {
    let (began, count, suppressed): (i64, i64, i64) = tx
        .prepare_cached("select counted_since, counted, suppressed from alert_rules where id = ?1")?
        .query_row([rule.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let is_over = began > now.plus(-COUNTED).millis() && began <= now.millis();
    let (began, count) = if is_over { (began, count) } else { (now.millis(), 0) };
    if count >= HOURLY_MAX {
        tx.prepare_cached("update alert_rules set suppressed = suppressed + 1 where id = ?1")?
            .execute([rule.0])?;
        return Ok(Err(Timestamp::from_millis(began + COUNTED)));
    }
    tx.prepare_cached(
        "update alert_rules set counted_since = ?2, counted = ?3, suppressed = 0, last_fired_at = ?4 where id = ?1",
    )?
    .execute(params![rule.0, began, count + 1, now.millis()])?;
    Ok(Ok(suppressed))
}

/// Deletes firings older than the longest quiet time.
pub fn forget(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    let before = now.plus(-QUIET_MINUTES_MAX * MINUTE).millis();
    tx.execute("delete from alert_firings where fired_at < ?1", [before])?;
    Ok(())
}
