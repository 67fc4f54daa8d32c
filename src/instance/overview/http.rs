//! `/api/v1/instance`.

use super::{GatewayStatus, HeartbeatStatus, JobStatus, MailStatus, Overview, Update};
use crate::access::Administrator;
use crate::accounts::people::People;
use crate::accounts::sql::install_uuid;
use crate::deliveries::{self, Channel};
use crate::error::Result;
use crate::instance::VERSION;
use crate::instance::heartbeat::{self, Heartbeat};
use crate::instance::updates;
use crate::jobs::Reports;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use std::sync::Arc;

/// What the overview is made from.
#[derive(Clone)]
pub struct InstanceState {
    pub people: Arc<People>,
    pub started_at: Timestamp,
    pub jobs: Reports,
}

/// Shows the instance to its administrators: its version, whether there is a newer one, what it sends to others, and
/// what its jobs do. With several organizations, these are the people whose confirmed address is in `ADMIN_EMAILS`.
#[utoipa::path(get, path = "/api/v1/instance", tag = "server",
    extensions(("x-access" = json!(Administrator::needs()))),
    responses((status = 200, body = Overview)))]
pub async fn get_instance(
    State(running): State<InstanceState>,
    _: Administrator,
) -> Result<Answer<Overview>> {
    let config = &running.people.config;
    let read = |c: &_| {
        let stuck = deliveries::sql::stuck(c, Channel::Mail)?;
        Ok((install_uuid(c)?, heartbeat::sql::sendings(c)?, updates::sql::knowledge(c)?, stuck))
    };
    let (install_uuid, sendings, known, stuck) = running.people.main.read(read).await?;
    let payload = Heartbeat::new(install_uuid, config.telemetry_mode);
    let jobs = running.jobs.all().into_iter().map(|(name, report)| JobStatus::new(name, report));
    Ok(Answer(Overview {
        version: VERSION,
        started_at: running.started_at,
        telemetry_mode: config.telemetry_mode,
        update: Update::new(config.update_feed_url.is_some(), known),
        heartbeat: HeartbeatStatus::new(&config.anonymous_telemetry, sendings, payload),
        mail: MailStatus::new(config.mail.is_some(), stuck),
        gateway: GatewayStatus { enabled: config.gateway.is_some() },
        jobs: jobs.collect(),
    }))
}
