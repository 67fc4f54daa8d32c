//! All statements on the networks of keys.

use super::{Holder, NETWORKS_MAX, QUIET, Use};
use crate::error::Result;
use crate::ids::{OrganizationId, UserId};
use crate::signals::{self, NewSignal};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::json;

/// Stores a use, and writes a signal if the key was used before, but never from this network. Returns whether it
/// wrote one.
pub fn note(tx: &Transaction<'_>, one: &Use, now: Timestamp) -> Result<bool> {
    let holder = one.holder.as_str();
    let (networks, is_known, told): (i64, bool, bool) = tx
        .prepare_cached(
            "select count(*), coalesce(max(network = ?3), 0), coalesce(max(told_at > ?4), 0) from key_networks
             where holder = ?1 and key_id = ?2",
        )?
        .query_row(params![holder, one.key, one.network, now.plus(-QUIET).millis()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    if is_known || networks >= NETWORKS_MAX {
        return Ok(false);
    }
    let is_news = networks > 0 && !told;
    tx.prepare_cached(
        "insert into key_networks (holder, key_id, network, first_used_at, told_at) values (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![holder, one.key, one.network, now.millis(), is_news.then_some(now.millis())])?;
    if !is_news {
        return Ok(false);
    }
    let Some(signal) = signal(tx, one)? else { return Ok(false) };
    signals::sql::add(tx, &signal, now)?;
    Ok(true)
}

/// `None` if the key is gone.
fn signal(c: &Connection, one: &Use) -> Result<Option<NewSignal>> {
    let query = match one.holder {
        Holder::Personal => "select name, null, user_id, null from personal_tokens where id = ?1",
        Holder::Organization => "select name, organization_id, null, null from organization_keys where id = ?1",
        Holder::Project => {
            "select k.name, p.organization_id, null, p.id from project_keys k join projects p on p.id = k.project_id
             where k.id = ?1"
        }
    };
    let found = c.prepare_cached(query)?.query_row([one.key], |row| {
        let (name, project): (String, Option<i64>) = (row.get(0)?, row.get(3)?);
        let payload =
            json!({ "kind": one.holder.as_str(), "name": name, "network": one.network, "project": project });
        let id = |index| row.get::<_, Option<i64>>(index);
        Ok(NewSignal::of_key(id(1)?.map(OrganizationId), id(2)?.map(UserId), payload))
    });
    Ok(found.optional()?)
}
