//! `/api/automations/{id}/triggers`.

use super::{automation_id, unknown};
use crate::access::{ManageAutomations, Platform, ReadPlatform};
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::automations::config::{ScheduleConfig, TriggerConfig, is_type_of};
use crate::automations::sql::{self, triggers};
use crate::automations::{Automation, Provider, Trigger, TriggerType};
use crate::crypto::seal::Seal;
use crate::crypto::token;
use crate::delivery::hook;
use crate::error::{Error, Result};
use crate::http::extract::{Json, Query, given};
use crate::ids::{AutomationId, ConnectionId, OrganizationId, ProjectId, TriggerId, ViewId};
use crate::issues::sql::Filter;
use crate::issues::views::service as views;
use crate::repositories::http::Deleted;
use crate::sessions::Origin;
use crate::store::Connection;
use crate::time::Timestamp;
use crate::{audit, connections, organizations};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Random characters of an inbound address, 71 bits.
const PATH_LENGTH: usize = 12;
/// Times of a schedule that are returned.
const SHOWN: usize = 5;

#[derive(Serialize, ToSchema)]
pub struct OneTrigger {
    pub trigger: Trigger,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateTrigger {
    pub provider: Provider,
    /// Default: the usual one of the provider.
    #[serde(alias = "trigger_type")]
    pub trigger_type: Option<TriggerType>,
    /// 1 to 128 characters. Default: the provider.
    pub name: Option<String>,
    /// Default: true.
    pub enabled: Option<bool>,
    /// By provider, at most 64 KiB. `errors`: `{events, projectIds?, environments?, levels?, query?, viewId?, ruleIds?}`, where
    /// `viewId` is a view that the only project of `projectIds` shares; `schedule`: `{cron, timezone?}`; `github`: `{events?,
    /// phrase?, branches?, repositories?, fromAnybody?}`; others: anything.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub config: Value,
    /// The connection that its calls come by.
    #[serde(alias = "integration_id")]
    pub integration_id: Option<ConnectionId>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateTrigger {
    pub name: Option<String>,
    pub enabled: Option<bool>,
    /// Replaces all of it.
    #[schema(value_type = Option<Object>)]
    pub config: Option<Value>,
    /// `null` removes it.
    #[serde(default, alias = "integration_id", deserialize_with = "given")]
    #[schema(value_type = Option<ConnectionId>)]
    pub integration_id: Option<Option<ConnectionId>>,
}

/// Creates a trigger. If it has an inbound address, its secret is shown, only this once.
#[utoipa::path(post, path = "/api/automations/{automation_id}/triggers", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    params(("automation_id" = String, Path)), request_body = CreateTrigger,
    responses((status = 201, body = OneTrigger), (status = 409, description = "Too many triggers")))]
pub async fn create_trigger(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Path(id): Path<String>,
    Json(body): Json<CreateTrigger>,
) -> Result<(StatusCode, Answer<OneTrigger>)> {
    let automation = automation_id(&id)?;
    let (new, secret) = body.checked(automation, &people)?;
    let (standing, actor, organization, origin) =
        (access.standing(), access.actor(), access.organization, access.origin());
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let automation = sql::get(tx, organization, automation)?.ok_or_else(unknown)?;
        check_trigger(origin, &automation)?;
        check_connection(tx, organization, new.connection)?;
        check_view(tx, organization, view_in(new.provider, &new.config)?)?;
        let trigger = triggers::create(tx, &new, now)?;
        let detail = json!({ "automation_id": automation.id, "provider": trigger.provider });
        let act = actor.did("trigger.created", &trigger.name).within(organization).with(detail);
        audit::sql::add(tx, &act, now)?;
        Ok(trigger)
    });
    let mut trigger = write.await?;
    trigger.complete(&people.addresses);
    trigger.webhook_secret = secret;
    Ok((StatusCode::CREATED, Answer(OneTrigger { trigger })))
}

/// A key or a token, which an agent may have, must not choose what starts sessions that may push.
fn check_trigger(origin: Origin, automation: &Automation) -> Result<()> {
    if automation.may_open_pull_requests && origin != Origin::Web {
        return Err(Error::forbidden(
            "This automation may open pull requests: only a person who is signed in may add and change its triggers, no key and no token",
        ));
    }
    Ok(())
}

/// # Errors
/// 422 if the organization has no such connection.
fn check_connection(c: &Connection, organization: OrganizationId, id: Option<ConnectionId>) -> Result<()> {
    match id {
        Some(id) if !connections::sql::has(c, organization, id)? => {
            Err(Error::invalid(format!("integrationId: this organization has no connection {id}")))
        }
        _ => Ok(()),
    }
}

/// The view that a configuration names, and its project.
///
/// # Errors
/// 422 for a configuration that cannot be read.
fn view_in(provider: Provider, config: &Value) -> Result<Option<(ProjectId, ViewId)>> {
    let TriggerConfig::Errors(config) = TriggerConfig::read(provider, config)? else { return Ok(None) };
    Ok(config.project_ids.first().copied().zip(config.view_id))
}

fn view_of(trigger: &Trigger) -> Result<Option<(ProjectId, ViewId)>> {
    view_in(trigger.provider, &trigger.config)
}

/// # Errors
/// 422 for a view that no project of the organization shares, or that no trigger can ask.
fn check_view(c: &Connection, organization: OrganizationId, view: Option<(ProjectId, ViewId)>) -> Result<()> {
    let field = "config.viewId";
    let Some((project, id)) = view else { return Ok(()) };
    if organizations::sql::of_project(c, project)? != Some(organization) {
        return Err(views::not_shared(field));
    }
    views::check_named(c, project, id, field)
}

impl CreateTrigger {
    /// The trigger to create, and its secret.
    ///
    /// # Errors
    /// 422 naming what does not fit.
    fn checked(
        self,
        automation: crate::ids::AutomationId,
        people: &People,
    ) -> Result<(triggers::NewTrigger, Option<String>)> {
        let provider = self.provider;
        if !provider.is_callable() {
            return Err(Error::invalid(format!(
                "provider: {} signs its calls with a secret of its own, which Mayday cannot check yet; expected webhook, \
                 errors, schedule, github or custom",
                provider.as_str()
            )));
        }
        let trigger_type = self.trigger_type.unwrap_or(provider.usual_type());
        if !is_type_of(provider, trigger_type) {
            return Err(Error::invalid(format!(
                "triggerType: expected {} for the provider {}",
                provider.usual_type().as_str(),
                provider.as_str()
            )));
        }
        let config = read_config(provider, &self.config)?;
        let enabled = self.enabled.unwrap_or(true);
        let id = TriggerId::new();
        let secret = provider.is_inbound().then(hook::new_secret);
        let inbound = secret.as_ref().map(|secret| {
            let sealed =
                Seal::new(&people.secrets.cloud).seal(&triggers::context(&id.to_string()), secret.as_bytes());
            sealed.map(|sealed| (format!("t_{}", token::random_base62(PATH_LENGTH)), sealed))
        });
        let new = triggers::NewTrigger {
            id,
            automation,
            provider,
            trigger_type,
            name: check_name("name", self.name.as_deref().unwrap_or(provider.as_str()))?,
            enabled,
            next_run_at: next_run(&config, enabled)?,
            config: config.value(),
            inbound: inbound.transpose()?,
            connection: self.integration_id,
        };
        Ok((new, secret))
    }
}

/// Changes a trigger.
#[utoipa::path(patch, path = "/api/automations/{automation_id}/triggers/{trigger_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    params(("automation_id" = String, Path), ("trigger_id" = String, Path)), request_body = UpdateTrigger,
    responses((status = 200, body = OneTrigger)))]
pub async fn update_trigger(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Path((automation, id)): Path<(String, String)>,
    Json(body): Json<UpdateTrigger>,
) -> Result<Answer<OneTrigger>> {
    let place = place(&automation, &id)?;
    let (standing, actor, organization, origin) =
        (access.standing(), access.actor(), access.organization, access.origin());
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let mut trigger = triggers::get(tx, organization, place)?.ok_or_else(unknown_trigger)?;
        check_trigger(origin, &sql::get(tx, organization, place.0)?.ok_or_else(unknown_trigger)?)?;
        check_connection(tx, organization, body.integration_id.flatten())?;
        let (before, is_reconfigured) = (view_of(&trigger).ok().flatten(), body.config.is_some());
        body.apply(&mut trigger)?;
        if is_reconfigured {
            // One that was named before may be gone with its project, which keeps nobody from changing the rest.
            let view = view_of(&trigger)?.filter(|view| Some(*view) != before);
            check_view(tx, organization, view)?;
        }
        triggers::update(tx, &trigger, now)?;
        let trigger = triggers::get(tx, organization, place)?.ok_or_else(unknown_trigger)?;
        let act = actor.did("trigger.updated", &trigger.name).within(organization);
        audit::sql::add(tx, &act.with(json!({ "automation_id": place.0 })), now)?;
        Ok(trigger)
    });
    let mut trigger = write.await?;
    trigger.complete(&people.addresses);
    Ok(Answer(OneTrigger { trigger }))
}

impl UpdateTrigger {
    fn apply(self, trigger: &mut Trigger) -> Result<()> {
        if let Some(name) = &self.name {
            trigger.name = check_name("name", name)?;
        }
        let was_enabled = trigger.enabled;
        trigger.enabled = self.enabled.unwrap_or(trigger.enabled);
        trigger.integration_id = self.integration_id.unwrap_or(trigger.integration_id);
        let is_new = self.config.is_some();
        if let Some(config) = &self.config {
            trigger.config = read_config(trigger.provider, config)?.value();
        }
        if is_new || trigger.enabled != was_enabled {
            let config = TriggerConfig::read(trigger.provider, &trigger.config)?;
            trigger.next_run_at = next_run(&config, trigger.enabled)?;
        }
        Ok(())
    }
}

/// Deletes a trigger: its inbound address is no longer there. What it called stays.
#[utoipa::path(delete, path = "/api/automations/{automation_id}/triggers/{trigger_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    params(("automation_id" = String, Path), ("trigger_id" = String, Path)),
    responses((status = 200, body = Deleted)))]
pub async fn delete_trigger(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Path((automation, id)): Path<(String, String)>,
) -> Result<Answer<Deleted>> {
    let place = place(&automation, &id)?;
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let trigger = triggers::get(tx, organization, place)?.ok_or_else(unknown_trigger)?;
        triggers::delete(tx, trigger.id)?;
        let act = actor.did("trigger.deleted", trigger.name).within(organization);
        audit::sql::add(tx, &act.with(json!({ "automation_id": place.0 })), Timestamp::now())
    });
    write.await?;
    Ok(Answer(Deleted { deleted: true }))
}

/// The ids of a trigger; malformed ones get the answer for unknown ones.
fn place(automation: &str, id: &str) -> Result<(AutomationId, TriggerId)> {
    Ok((automation_id(automation).map_err(|_| unknown_trigger())?, trigger_id(id)?))
}

/// A schedule that is to be made.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ScheduleQuery {
    /// Five fields, such as `0 3 * * 1-5`.
    pub cron: String,
    /// A name such as `Europe/Berlin`. Default: `UTC`.
    pub timezone: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct NextRuns {
    /// The next five times, or fewer if it has no more.
    pub next: Vec<Timestamp>,
}

/// Says when a schedule would call next.
#[utoipa::path(get, path = "/api/automations/schedule", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(ScheduleQuery), responses((status = 200, body = NextRuns)))]
pub async fn get_next_runs(
    _access: Platform<ReadPlatform>,
    Query(query): Query<ScheduleQuery>,
) -> Result<Answer<NextRuns>> {
    let timezone = query.timezone.unwrap_or_else(|| "UTC".to_owned());
    let schedule = ScheduleConfig { cron: query.cron, timezone };
    let mut next = vec![schedule.next(Timestamp::now())?];
    while let (Some(last), true) = (next.last(), next.len() < SHOWN) {
        match schedule.next(*last) {
            Ok(at) => next.push(at),
            Err(_) => break,
        }
    }
    Ok(Answer(NextRuns { next }))
}

/// # Errors
/// 422 naming what does not fit.
fn read_config(provider: Provider, given: &Value) -> Result<TriggerConfig> {
    let config = TriggerConfig::read(provider, given)?;
    if let TriggerConfig::Errors(errors) = &config
        && let Some(query) = &errors.query
    {
        // Whether the query can be parsed does not depend on the project.
        let filter = Filter::of_project(ProjectId(0)).query(query, None);
        filter.map_err(|error| Error::invalid(format!("config.query: {error}")))?;
    }
    Ok(config)
}

fn next_run(config: &TriggerConfig, enabled: bool) -> Result<Option<Timestamp>> {
    match config {
        TriggerConfig::Schedule(schedule) if enabled => schedule.next(Timestamp::now()).map(Some),
        _ => Ok(None),
    }
}

fn trigger_id(text: &str) -> Result<TriggerId> {
    TriggerId::parse(text).ok_or_else(unknown_trigger)
}

fn unknown_trigger() -> Error {
    Error::not_found("This automation has no such trigger")
}
