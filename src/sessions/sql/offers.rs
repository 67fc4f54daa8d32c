//! Which waiting sessions a runner takes.

use crate::error::Result;
use crate::ids::{OrganizationId, RunnerId, SessionId};
use crate::time::{DAY, HOUR, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::json;

/// How long a session waits for a runner that could take it, in milliseconds.
pub const PATIENCE: i64 = DAY;
/// A runner that called within this time, in milliseconds, may still take a waiting session.
const AROUND: i64 = HOUR;
/// Sessions looked at in one transaction, so that others can write in between.
const AT_ONCE: i64 = 500;

/// What a runner offers.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The runner itself, because only it can push the work that it holds back.
    pub runner: RunnerId,
    pub labels: Vec<String>,
    /// None: any.
    pub agents: Vec<String>,
    /// Whether it refuses sessions whose cause anybody may have written,
    pub refuses_public: bool,
    /// and the caps that it cannot enforce.
    pub uncounted: Vec<String>,
}

/// The waiting session of the organization that the runner can take, or whose work it holds back, and that is not
/// postponed; the one that has waited longest.
const NEXT: &str = "select id from sessions
    where organization_id = ?1 and status in ('starting', 'suspended') and coalesce(not_before, 0) <= ?4
        and case when is_releasing or is_resuming and held_by is not null then held_by = ?5
            else (?3 = '[]' or agent_type in (select value from json_each(?3)))
                and not exists (select 1 from json_each(sessions.labels) l
                    where l.value not in (select value from json_each(?2)))
                and not (is_public and ?6)
                and not exists (select 1 from json_each(sessions.caps) c
                    where c.type <> 'null' and c.key in (select value from json_each(?7))) end
    order by number limit 1";

/// The session that a runner would be given.
pub fn next(
    c: &Connection,
    organization: OrganizationId,
    offer: &Offer,
    now: Timestamp,
) -> Result<Option<SessionId>> {
    let mut statement = c.prepare_cached(NEXT)?;
    let (labels, agents) = (json!(offer.labels).to_string(), json!(offer.agents).to_string());
    let uncounted = json!(offer.uncounted).to_string();
    let given =
        params![organization.0, labels, agents, now.millis(), offer.runner, offer.refuses_public, uncounted];
    Ok(statement.query_row(given, |row| row.get(0)).optional()?)
}

/// Some of the sessions that no runner took for too long, and that no recently seen runner could take.
pub fn forlorn(c: &Connection, now: Timestamp) -> Result<Vec<SessionId>> {
    let mut statement = c.prepare_cached(
        "select id from sessions where status in ('starting', 'suspended') and last_activity_at <= ?1
             and not exists (
                 select 1 from runners r where r.organization_id = sessions.organization_id and r.last_seen_at >= ?2
                     and case when is_releasing or is_resuming and held_by is not null then r.id = held_by
                         else (r.agents = '[]' or sessions.agent_type in (select value from json_each(r.agents)))
                             and not exists (select 1 from json_each(sessions.labels) l
                                 where l.value not in (select value from json_each(r.labels)))
                             and not (is_public and r.refuses_public)
                             and not exists (select 1 from json_each(sessions.caps) c
                                 where c.type <> 'null' and c.key in (select value from json_each(r.uncounted))) end)
         limit ?3",
    )?;
    let given = [now.plus(-PATIENCE).millis(), now.plus(-AROUND).millis(), AT_ONCE];
    let rows = statement.query_map(given, |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
