//! Every statement on flows and on reports of test sign-ins.

use super::{Flow, LIFETIME, OPEN_MAX, Purpose};
use crate::accounts::me::ProviderKind;
use crate::accounts::provision::Refusal;
use crate::error::Result;
use crate::ids::{SignInId, UserId};
use crate::time::{DAY, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

pub fn add(
    tx: &Transaction<'_>,
    flow: &Flow,
    state_hash: &[u8; 32],
    browser_hash: &[u8; 32],
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into sign_in_flows (state_hash, browser_hash, provider, purpose, user_id, sign_in_id,
            organization_name, setup_token_hash, redirect_to, created_at, expires_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            state_hash,
            browser_hash,
            flow.provider.as_str(),
            flow.purpose.as_str(),
            flow.user.map(|(user, _)| user.0),
            flow.user.map(|(_, sign_in)| sign_in.0),
            flow.organization_name,
            flow.setup_token_hash,
            flow.redirect_to,
            now.millis(),
            now.plus(LIFETIME).millis()
        ],
    )?;
    let newest = tx.last_insert_rowid();
    tx.execute("delete from sign_in_flows where id <= ?1", [newest - OPEN_MAX])?;
    Ok(())
}

/// Takes a flow, which can be done once. A flow of another browser is left for that browser.
pub fn take(
    tx: &Transaction<'_>,
    provider: ProviderKind,
    state_hash: &[u8; 32],
    browser_hash: &[u8; 32],
    now: Timestamp,
) -> Result<std::result::Result<Flow, Refusal>> {
    let found = tx.query_row(
        "select id, browser_hash, purpose, user_id, sign_in_id, organization_name, setup_token_hash, redirect_to
         from sign_in_flows where state_hash = ?1 and provider = ?2 and expires_at > ?3",
        params![state_hash, provider.as_str(), now.millis()],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, [u8; 32]>(1)?, flow(row, provider)?)),
    );
    let Some((id, of_browser, flow)) = found.optional()? else { return Ok(Err(Refusal::FlowExpired)) };
    // Hashes are compared, so the time it takes reveals nothing about the cookie.
    if of_browser != *browser_hash {
        return Ok(Err(Refusal::WrongBrowser));
    }
    tx.execute("delete from sign_in_flows where id = ?1", [id])?;
    Ok(Ok(flow))
}

fn flow(row: &Row<'_>, provider: ProviderKind) -> rusqlite::Result<Flow> {
    Ok(Flow {
        provider,
        purpose: Purpose::parse(row.get_ref(2)?.as_str()?),
        user: row.get::<_, Option<i64>>(3)?.zip(row.get(4)?).map(|(user, id)| (UserId(user), SignInId(id))),
        organization_name: row.get(5)?,
        setup_token_hash: row.get(6)?,
        redirect_to: row.get(7)?,
    })
}

/// Stores the report of a test for a day; returns its id.
pub fn add_report(tx: &Transaction<'_>, user: UserId, report: &str, now: Timestamp) -> Result<i64> {
    tx.execute(
        "insert into sign_in_tests (user_id, report, created_at) values (?1, ?2, ?3)",
        params![user.0, report, now.millis()],
    )?;
    Ok(tx.last_insert_rowid())
}

/// The report of a test that this person made.
pub fn report(c: &Connection, user: UserId, id: i64) -> Result<Option<String>> {
    let report = c.query_row(
        "select report from sign_in_tests where id = ?1 and user_id = ?2",
        params![id, user.0],
        |row| row.get(0),
    );
    Ok(report.optional()?)
}

/// Deletes expired flows, and reports older than a day.
pub fn sweep(tx: &Transaction<'_>, now: Timestamp) -> Result<()> {
    tx.execute("delete from sign_in_flows where expires_at <= ?1", [now.millis()])?;
    tx.execute("delete from sign_in_tests where created_at < ?1", [now.plus(-DAY).millis()])?;
    Ok(())
}
