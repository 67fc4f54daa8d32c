//! Channels. Their targets are sealed, bound to a random name of the row.

use crate::alerts::{CHANNELS_MAX, Channel, ChannelKind, Target};
use crate::crypto::seal::{Seal, SealContext};
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::ids::{AlertChannelId, AlertRuleId, DeliveryId, ProjectId};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const CHANNEL: &str =
    "c.id, c.project_id, c.name, c.kind, c.host, c.enabled, c.off_reason, c.off_at, c.created_at,
    c.updated_at, c.place, c.target, c.issue_quiet_minutes";

/// A channel, and its sealed target.
pub struct SealedChannel {
    pub channel: Channel,
    place: String,
    target: Vec<u8>,
}

impl SealedChannel {
    /// # Errors
    /// Internal if it was sealed with another `CLOUD_SECRET_KEY`.
    pub fn open(&self, seal: &Seal) -> Result<Target> {
        let opened = seal.open(&context(&self.place), &self.target)?;
        serde_json::from_slice(&opened).map_err(Error::internal)
    }
}

fn context(place: &str) -> SealContext<'_> {
    SealContext { table: "alert_channels", column: "target", row: place }
}

fn sealed(seal: &Seal, place: &str, target: &Target) -> Result<Vec<u8>> {
    seal.seal(&context(place), &serde_json::to_vec(target).map_err(Error::internal)?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<SealedChannel> {
    let time = |index| row.get::<_, Option<i64>>(index).map(|at| at.map(Timestamp::from_millis));
    let channel = Channel {
        id: AlertChannelId(row.get(0)?),
        project_id: ProjectId(row.get(1)?),
        name: row.get(2)?,
        // The schema allows no other.
        kind: ChannelKind::parse(row.get_ref(3)?.as_str()?).unwrap_or(ChannelKind::Webhook),
        host: row.get(4)?,
        enabled: row.get(5)?,
        off_reason: row.get(6)?,
        off_at: time(7)?,
        issue_quiet_minutes: row.get(12)?,
        created_at: Timestamp::from_millis(row.get(8)?),
        updated_at: Timestamp::from_millis(row.get(9)?),
    };
    Ok(SealedChannel { channel, place: row.get(10)?, target: row.get(11)? })
}

pub fn list(c: &Connection, project: ProjectId) -> Result<Vec<Channel>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CHANNEL} from alert_channels c where c.project_id = ?1 order by c.id"
    ))?;
    let rows = statement.query_map([project.0], |row| stored(row).map(|found| found.channel))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(c: &Connection, project: ProjectId, id: AlertChannelId) -> Result<Option<SealedChannel>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CHANNEL} from alert_channels c where c.project_id = ?1 and c.id = ?2"
    ))?;
    Ok(statement.query_row([project.0, id.0], stored).optional()?)
}

/// The enabled channels of a rule.
pub fn of_rule(c: &Connection, rule: AlertRuleId) -> Result<Vec<SealedChannel>> {
    let mut statement = c.prepare_cached(&format!(
        "select {CHANNEL} from alert_rule_channels r join alert_channels c on c.id = r.channel_id
         where r.rule_id = ?1 and c.enabled order by c.id"
    ))?;
    let rows = statement.query_map([rule.0], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// # Errors
/// Conflict if the project has the maximum number.
pub fn create(
    tx: &Transaction<'_>,
    seal: &Seal,
    project: ProjectId,
    (name, kind, target, issue_quiet_minutes): (&str, ChannelKind, &Target, i64),
    now: Timestamp,
) -> Result<Channel> {
    let count: i64 =
        tx.query_row("select count(*) from alert_channels where project_id = ?1", [project.0], |row| {
            row.get(0)
        })?;
    if count >= CHANNELS_MAX {
        return Err(Error::conflict(format!(
            "A project has at most {CHANNELS_MAX} channels: delete one first"
        )));
    }
    let place = token::uuid();
    tx.execute(
        "insert into alert_channels (project_id, name, kind, host, place, target, enabled, issue_quiet_minutes, created_at,
             updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8, ?8)",
        params![
            project.0,
            name,
            kind.as_str(),
            target.host(),
            place,
            sealed(seal, &place, target)?,
            issue_quiet_minutes,
            now.millis()
        ],
    )?;
    let made = get(tx, project, AlertChannelId(tx.last_insert_rowid()))?;
    made.map(|made| made.channel)
        .ok_or_else(|| Error::internal("a channel that was just created does not exist"))
}

/// Stores a channel's name, target and state. Enabling it clears the reason why it was switched off.
pub fn update(
    tx: &Transaction<'_>,
    seal: &Seal,
    changed: &SealedChannel,
    target: &Target,
    now: Timestamp,
) -> Result<()> {
    let channel = &changed.channel;
    tx.execute(
        "update alert_channels set name = ?2, host = ?3, target = ?4, enabled = ?5, updated_at = ?6,
             issue_quiet_minutes = ?7, off_reason = case when ?5 then null else off_reason end,
             off_at = case when ?5 then null else off_at end
         where id = ?1",
        params![
            channel.id.0,
            channel.name,
            target.host(),
            sealed(seal, &changed.place, target)?,
            channel.enabled,
            now.millis(),
            channel.issue_quiet_minutes
        ],
    )?;
    if !channel.enabled {
        withdraw(tx, channel.id)?;
    }
    Ok(())
}

/// Deletes a channel and its pending messages; returns its name.
pub fn delete(tx: &Transaction<'_>, project: ProjectId, id: AlertChannelId) -> Result<Option<String>> {
    withdraw(tx, id)?;
    let name = tx.query_row(
        "delete from alert_channels where project_id = ?1 and id = ?2 returning name",
        [project.0, id.0],
        |row| row.get(0),
    );
    Ok(name.optional()?)
}

/// Switches off the channel of a delivery whose receiver no longer accepts messages. Returns its name, kind and
/// project; `None` if it was off already.
pub fn switch_off(
    tx: &Transaction<'_>,
    delivery: DeliveryId,
    reason: &str,
    now: Timestamp,
) -> Result<Option<(String, String, ProjectId)>> {
    let found = tx
        .prepare_cached(
            "update alert_channels set enabled = 0, off_reason = ?2, off_at = ?3
             where id = (select channel_id from alert_deliveries where delivery_id = ?1) and enabled
             returning id, name, kind, project_id",
        )?
        .query_row(params![delivery.0, reason, now.millis()], |row| {
            Ok((AlertChannelId(row.get(0)?), (row.get(1)?, row.get(2)?, ProjectId(row.get(3)?))))
        })
        .optional()?;
    let Some((id, told)) = found else { return Ok(None) };
    withdraw(tx, id)?;
    Ok(Some(told))
}

/// Withdraws a channel's pending messages.
fn withdraw(tx: &Transaction<'_>, id: AlertChannelId) -> Result<()> {
    tx.execute(
        "update deliveries set status = 'withdrawn', payload = null, next_attempt_at = null
         where status = 'pending' and id in (select delivery_id from alert_deliveries where channel_id = ?1)",
        [id.0],
    )?;
    Ok(())
}
