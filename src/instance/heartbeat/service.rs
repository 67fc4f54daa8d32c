//! Sends the heartbeat. Nothing else depends on its outcome.

use super::{Heartbeat, sql};
use crate::accounts::sql::install_uuid;
use crate::config::{Config, TelemetryMode};
use crate::error::{Error, Result};
use crate::outbound::{Client, Policy, Request};
use crate::store::Main;
use crate::time::Timestamp;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time limit of an attempt.
const DEADLINE: Duration = Duration::from_secs(5);
/// Attempts per heartbeat.
const TRIES: u32 = 2;

pub struct HeartbeatService {
    main: Main,
    client: Client,
    endpoint: String,
    mode: TelemetryMode,
    /// Whether this process has sent one.
    has_begun: AtomicBool,
}

impl HeartbeatService {
    /// `None` if none is to be sent.
    pub fn new(main: &Main, outbound: &Client, config: &Config) -> Option<Self> {
        let endpoint = config.anonymous_telemetry.destination()?.to_owned();
        let (main, client) = (main.clone(), outbound.within(DEADLINE));
        Some(Self { main, client, endpoint, mode: config.telemetry_mode, has_begun: AtomicBool::new(false) })
    }

    /// Sends a heartbeat if one is due: at the start, unless one was attempted in the last hour, and then daily.
    /// Attempts count, so an endpoint that is down gets no more requests than one that is up.
    ///
    /// # Errors
    /// Storage trouble; not a failed delivery.
    pub async fn send_if_due(&self) -> Result<()> {
        let now = Timestamp::now();
        let read = self.main.read(|c| Ok((sql::sendings(c)?, install_uuid(c)?)));
        let (sendings, install_uuid) = read.await?;
        if !sendings.is_due(!self.has_begun.load(Ordering::Relaxed), now) {
            return Ok(());
        }
        self.main.write(move |tx| sql::try_now(tx, now)).await?;
        self.has_begun.store(true, Ordering::Relaxed);
        let heartbeat = Heartbeat::new(install_uuid, self.mode);
        let document = serde_json::to_value(&heartbeat).map_err(Error::internal)?;
        for _ in 0..TRIES {
            match self.post(&document).await {
                Ok(()) => return self.main.write(move |tx| sql::sent(tx, now)).await,
                Err(error) => tracing::debug!(%error, "the anonymous heartbeat did not arrive"),
            }
        }
        Ok(())
    }

    async fn post(&self, document: &serde_json::Value) -> std::result::Result<(), String> {
        // The operator names the endpoint, and there is nothing secret in the body: any address, also with plain http.
        let answer = self.client.fetch(Request::post_json(&self.endpoint, document), Policy::Open).await;
        let status = answer.map_err(|error| error.to_string())?.status;
        if status.is_success() { Ok(()) } else { Err(format!("the endpoint answered {status}")) }
    }
}
