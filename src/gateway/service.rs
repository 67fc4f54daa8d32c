//! Creates keys for sessions, and deletes them afterwards.
//!
//! The person's budget belongs to a gateway user. The organization's belongs to a team, and the key belongs to the
//! team only if there is such a budget: for a team's key, LiteLLM checks the user's budget only if configured
//! (`apply_user_budget_to_team_keys`, which `deploy/gateway.yaml` sets), and for any other key always.

use super::client::{Admin, Fault, Holder, KeyRef, NewKey};
use super::sql;
use super::{Owner, REMEMBERED, RetiredKey, State};
use crate::config::Gateway;
use crate::crypto::token;
use crate::error::{Error, Result};
use crate::live::Hub;
use crate::outbound::Client;
use crate::runners::protocol::GatewayAccess;
use crate::sessions::sql::USD;
use crate::sessions::sql::leases::{self, SessionLease};
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The time limit for creating a key: the runner waits, and considers a server dead that is silent for half a minute.
const MINT_MAX: Duration = Duration::from_secs(20);
/// The most keys in one run, and the most failures.
const AT_ONCE: i64 = 100;
const FAULTS_MAX: u32 = 3;
/// Pauses between attempts to delete a key, in milliseconds: the first, and the longest.
const PAUSE: i64 = 2_000;
const PAUSE_MAX: i64 = 10 * 60_000;
/// The most that a session can plausibly have spent, in US dollars.
const SPEND_MAX: f64 = 1_000_000.0;

/// The model gateway, as sessions use it. Cheap to clone.
#[derive(Clone)]
pub struct GatewayService {
    main: Main,
    live: Arc<Hub>,
    admin: Admin,
    config: Arc<Gateway>,
}

impl GatewayService {
    /// `None` if no gateway is configured.
    pub fn of(config: Option<&Gateway>, main: &Main, live: &Arc<Hub>, client: &Client) -> Option<Self> {
        let config = config?;
        let (main, live, admin) = (main.clone(), live.clone(), Admin::new(config, client));
        Some(Self { main, live, admin, config: Arc::new(config.clone()) })
    }

    /// Creates the key of a session that was just claimed, within a time limit. The inner error is the gateway's, for
    /// people to read.
    ///
    /// # Errors
    /// Storage trouble; not found if the session was deleted in the meantime.
    pub async fn mint(
        &self,
        held: &SessionLease,
        within: Duration,
    ) -> Result<std::result::Result<GatewayAccess, Fault>> {
        let alias = format!("mayday-{}-{}", held.id, token::random_hex(4));
        let (held, name) = (held.clone(), alias.clone());
        let asked = held.clone();
        let write = self.main.write(move |tx| {
            let owner =
                sql::owner(tx, asked.id)?.ok_or_else(|| Error::not_found("The session was deleted"))?;
            sql::add(tx, (&name, None), (asked.id, &asked.lease), owner.lasts, Timestamp::now())?;
            Ok(owner)
        });
        let owner = write.await?;
        let limit = self.config.timeout.min(MINT_MAX).min(within);
        let late = || Fault(format!("The model gateway did not answer within {} s", limit.as_secs()));
        let made = timeout(limit, self.mint_for(&owner, &alias, &held)).await;
        let key = match made.unwrap_or_else(|_| Err(late())) {
            Ok(key) => key,
            Err(fault) => return Ok(Err(fault)),
        };
        let hash = token::hex(&Sha256::digest(key.bytes()));
        let write = self.main.write(move |tx| {
            sql::add(tx, (&alias, Some(&hash)), (held.id, &held.lease), owner.lasts, Timestamp::now())?;
            leases::went_well(tx, held.id)
        });
        write.await?;
        let base_url = self.config.public_url.clone();
        Ok(Ok(GatewayAccess { base_url, api_key: key.as_str().to_owned() }))
    }

    async fn mint_for(
        &self,
        owner: &Owner,
        alias: &str,
        held: &SessionLease,
    ) -> std::result::Result<crate::crypto::secret::Secret, Fault> {
        let instance = &*self.main.instance;
        let ((user, name), (team, team_name)) = (owner.user(instance), owner.team(instance));
        self.admin.ensure(Holder::User, (&user, &name), dollars(self.config.user_budget_cents)).await?;
        let cap = self.config.organization_budget_cents;
        if let Some(cap) = cap {
            self.admin.ensure(Holder::Team, (&team, &team_name), dollars(cap)).await?;
        }
        let team = cap.map(|_| team.as_str());
        let session = held.id.to_string();
        let (lasts, budget) = (owner.lasts, owner.budget);
        self.admin.mint(&NewKey { alias, user: &user, team, lasts, budget, session }).await
    }

    /// Takes the next step for each key that is over. Returns when nothing is due.
    ///
    /// # Errors
    /// Storage trouble. What the gateway refuses is retried later.
    pub async fn tidy(&self) -> Result<()> {
        let now = Timestamp::now();
        let (over, has_deleted) =
            self.main.read(move |c| Ok((sql::over(c, now, AT_ONCE)?, sql::has_deleted(c)?))).await?;
        let mut faults = 0;
        for key in over {
            faults += u32::from(!self.step(&key, now).await?);
            // The remaining keys come first the next time.
            if faults >= FAULTS_MAX {
                break;
            }
        }
        if has_deleted {
            self.main.write(sql::forget_deleted).await?;
        }
        Ok(())
    }

    /// Returns whether the step succeeded.
    async fn step(&self, key: &RetiredKey, now: Timestamp) -> Result<bool> {
        let done = self.end(key, now).await?;
        let Err(Fault(reason)) = done else { return Ok(true) };
        if key.attempts == 0 {
            tracing::warn!(session = %key.session, reason, "a key of the model gateway was not deleted yet");
        }
        let is_forgotten = now.millis() - key.ends_at.millis() > REMEMBERED;
        let alias = key.alias.clone();
        let wait = (PAUSE << key.attempts.clamp(0, 20)).min(PAUSE_MAX);
        let write = move |tx: &Transaction<'_>| match is_forgotten {
            true => sql::forget(tx, &alias),
            false => sql::put_off(tx, &alias, &reason, Timestamp::now().plus(wait)),
        };
        self.main.write(write).await.map(|()| false)
    }

    /// Blocks a key, or counts its spending and deletes it once that is recorded.
    async fn end(&self, key: &RetiredKey, now: Timestamp) -> Result<std::result::Result<(), Fault>> {
        if let (State::Minted, Some(hash)) = (key.state, &key.hash) {
            if let Err(fault) = self.admin.block(hash).await {
                return Ok(Err(fault));
            }
            let settle = i64::try_from(self.config.settle.as_millis()).unwrap_or(i64::MAX);
            let alias = key.alias.clone();
            self.main.write(move |tx| sql::advance(tx, &alias, State::Blocked, now.plus(settle))).await?;
            if settle > 0 {
                return Ok(Ok(()));
            }
        }
        if let Some(hash) = &key.hash {
            let spent = match self.admin.spend(hash).await {
                Ok(spent) => spent.filter(|spent| (0.0..=SPEND_MAX).contains(spent)).unwrap_or(0.0),
                Err(fault) => return Ok(Err(fault)),
            };
            let (alias, cost) = (key.alias.clone(), (spent * USD).round() as i64);
            self.main.write(move |tx| sql::count(tx, &alias, cost)).await?;
            self.live.session_changed(key.session);
        }
        let named = key.hash.as_deref().map_or(KeyRef::Alias(&key.alias), KeyRef::Hash);
        if let Err(fault) = self.admin.delete(named).await {
            return Ok(Err(fault));
        }
        let alias = key.alias.clone();
        self.main.write(move |tx| sql::advance(tx, &alias, State::Deleted, now)).await?;
        Ok(Ok(()))
    }
}

fn dollars(cents: u64) -> f64 {
    cents as f64 / 100.0
}
