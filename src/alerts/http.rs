//! `/api/v1/projects/{project_id}/alert-…`: rules, their channels, and the messages sent.

pub mod channels;
pub mod rules;

use super::service::Teller;
use super::{AlertDelivery, service};
use crate::access::{Access, Administer, Read};
use crate::accounts::people::People;
use crate::audit::{self, Act, Actor};
use crate::delivery::hook::Hooks;
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::{Paging, Query};
use crate::logs::store::LogStore;
use crate::outbound::Policy;
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// What the handlers share.
#[derive(Clone)]
pub struct AlertsState {
    pub main: Main,
    pub people: Arc<People>,
    pub logs: LogStore,
    pub teller: Teller,
    pub hooks: Arc<Hooks>,
    /// Which addresses channels may have.
    pub policy: Policy,
}

/// Writes to the audit log of the project's organization.
struct Note {
    actor: Actor,
    act: &'static str,
    organization: crate::ids::OrganizationId,
    project: crate::ids::ProjectId,
}

impl Note {
    fn new(access: &Access<Administer>, client: &Client, act: &'static str) -> Result<Self> {
        let user = access.user().ok_or_else(Error::signed_out)?;
        let actor = Actor::person(user, client.address);
        Ok(Self { actor, act, organization: access.project.organization, project: access.project.id })
    }

    fn write(&self, tx: &Transaction<'_>, name: &str, now: Timestamp) -> Result<()> {
        let act: Act = self.actor.did(self.act, name).within(self.organization);
        audit::sql::add(tx, &act.with(json!({ "project_id": self.project })), now)
    }
}

#[derive(Serialize, ToSchema)]
pub struct AlertDeliveries {
    pub deliveries: Vec<AlertDelivery>,
    pub total: i64,
}

/// Lists what was sent to a project's channels in 30 days, newest first, with the reason of each failure.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/alert-deliveries", tag = "alerts",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Paging), responses((status = 200, body = AlertDeliveries)))]
pub async fn list_alert_deliveries(
    State(main): State<Main>,
    access: Access<Read>,
    Query(paging): Query<Paging>,
) -> Result<Answer<AlertDeliveries>> {
    let page = paging.page(50, 100)?;
    let (deliveries, total) = main.read(move |c| service::sent(c, access.project.id, page)).await?;
    Ok(Answer(AlertDeliveries { deliveries, total }))
}
