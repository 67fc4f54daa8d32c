//! `/api/automations`.

pub mod inbound;
pub mod run;
pub mod triggers;

use super::service::unknown;
use super::sql::{self, AutomationSettings, events};
use super::{
    AGENT_MAX, Automation, AutomationEvent, AutomationWithTriggers, DEFAULT_AGENT, DESCRIPTION_MAX, Gates,
    ListedAutomation, MODEL_MAX, TIME_LIMIT, UNTITLED, check_instructions, check_time_limit, check_word,
};
use crate::access::{ManageAutomations, Platform, ReadPlatform};
use crate::accounts::check_name;
use crate::accounts::people::People;
use crate::audit;
use crate::error::{Error, Result};
use crate::http::extract::{MaybeJson, Paging, Query, given};
use crate::ids::{AutomationId, OrganizationId, PrebuildId};
use crate::runners::check_labels;
use crate::sessions::Origin;
use crate::sessions::caps::Caps;
use crate::sessions::sql::defaults;
use crate::store::Connection;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct Automations {
    pub automations: Vec<ListedAutomation>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedAutomation {
    pub automation: ListedAutomation,
}

#[derive(Serialize, ToSchema)]
pub struct OneAutomation {
    pub automation: AutomationWithTriggers,
}

#[derive(Serialize, ToSchema)]
pub struct ChangedAutomation {
    pub automation: Automation,
}

#[derive(Serialize, ToSchema)]
pub struct Success {
    /// Always true.
    pub success: bool,
}

#[derive(Serialize, ToSchema)]
pub struct AutomationEvents {
    pub events: Vec<AutomationEvent>,
    pub total: i64,
}

/// The fields of an automation; what is missing stays as it is, or as it is usual.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomationFields {
    /// 1 to 128 characters. Default: `Untitled Automation`.
    pub name: Option<String>,
    /// At most 2,000 characters.
    pub description: Option<String>,
    /// Default: true.
    pub enabled: Option<bool>,
    /// What the agent is asked to do, at most 64 KiB.
    #[serde(alias = "agent_instructions")]
    pub agent_instructions: Option<String>,
    /// The mirror whose repository it works in; `null`: that of the project.
    #[serde(default, alias = "default_prebuild_id", deserialize_with = "given")]
    #[schema(value_type = Option<PrebuildId>)]
    pub default_prebuild_id: Option<Option<PrebuildId>>,
    /// Default: false.
    #[serde(alias = "allow_agentic_repo_selection")]
    pub allow_agentic_repo_selection: Option<bool>,
    /// Whether its sessions may push and open pull requests, no matter who started them. Default: false, so that only
    /// those may that a signed-in person starts. Only a signed-in person can set it; keys and tokens cannot.
    #[serde(alias = "may_open_pull_requests")]
    pub may_open_pull_requests: Option<bool>,
    /// Up to 64 characters. Default: `claude-code`.
    #[serde(alias = "agent_type")]
    pub agent_type: Option<String>,
    /// Up to 128 characters; `null`: the agent's own. Default: `SERVICE_DEFAULT_MODEL_ID`.
    #[serde(default, alias = "model_id", deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub model_id: Option<Option<String>>,
    /// Replaces all of them.
    pub gates: Option<Gates>,
    /// What a runner must have to be given its sessions: at most 20.
    #[serde(alias = "runner_labels")]
    pub runner_labels: Option<Vec<String>>,
    /// Minutes that a session may take, 1 to 1,440. Default: 60.
    #[serde(alias = "time_limit_minutes")]
    pub time_limit_minutes: Option<i64>,
    /// What a session may use at most; replaces all of them. Default: what the organization's sessions may, which is also the
    /// most that a key or a token can say.
    pub caps: Option<Caps>,
}

impl AutomationFields {
    /// # Errors
    /// 422 naming what does not fit.
    fn over(self, before: AutomationSettings) -> Result<AutomationSettings> {
        let name = self.name.map(|name| check_name("name", &name)).transpose()?;
        let instructions = self.agent_instructions.map(|text| check_instructions("agentInstructions", text));
        let agent = self.agent_type.map(|word| check_word("agentType", &word, AGENT_MAX)).transpose()?;
        let model =
            self.model_id.map(|model| model.map(|word| check_word("modelId", &word, MODEL_MAX)).transpose());
        let labels = self.runner_labels.map(|labels| check_labels("runnerLabels", labels)).transpose()?;
        if let Some(gates) = &self.gates {
            gates.check()?;
        }
        Ok(AutomationSettings {
            name: name.unwrap_or(before.name),
            description: self.description.map(check_description).transpose()?.unwrap_or(before.description),
            enabled: self.enabled.unwrap_or(before.enabled),
            agent_instructions: instructions.transpose()?.unwrap_or(before.agent_instructions),
            default_prebuild: self.default_prebuild_id.unwrap_or(before.default_prebuild),
            allow_agentic_repo_selection: self
                .allow_agentic_repo_selection
                .unwrap_or(before.allow_agentic_repo_selection),
            may_open_pull_requests: self.may_open_pull_requests.unwrap_or(before.may_open_pull_requests),
            agent_type: agent.unwrap_or(before.agent_type),
            model_id: model.transpose()?.unwrap_or(before.model_id),
            gates: self.gates.unwrap_or(before.gates),
            runner_labels: labels.unwrap_or(before.runner_labels),
            time_limit_minutes: match self.time_limit_minutes {
                Some(minutes) => check_time_limit(minutes)?,
                None => before.time_limit_minutes,
            },
            caps: self.caps.unwrap_or(before.caps).check()?,
        })
    }
}

/// The default settings of a new automation.
fn usual(people: &People) -> AutomationSettings {
    AutomationSettings {
        name: UNTITLED.to_owned(),
        description: String::new(),
        enabled: true,
        agent_instructions: String::new(),
        default_prebuild: None,
        allow_agentic_repo_selection: false,
        may_open_pull_requests: false,
        agent_type: DEFAULT_AGENT.to_owned(),
        model_id: people.config.automation.default_model.clone(),
        gates: Gates::default(),
        runner_labels: Vec::new(),
        time_limit_minutes: TIME_LIMIT,
        caps: Caps::default(),
    }
}

/// Only a signed-in person may let an automation push: agents may have a key or a token.
fn check_lift(access: &Platform<ManageAutomations>, body: &AutomationFields) -> Result<()> {
    if body.may_open_pull_requests == Some(true) && access.origin() != Origin::Web {
        return Err(Error::forbidden(
            "mayOpenPullRequests: only a person who is signed in may allow that, no key and no token",
        ));
    }
    Ok(())
}

/// The same for an automation that already may push: a key or a token may only rename it and turn it off.
fn check_task(origin: Origin, before: &AutomationSettings, new: &AutomationSettings) -> Result<()> {
    let AutomationSettings { name, description, enabled, .. } = new.clone();
    let enabled = enabled && before.enabled;
    let same = AutomationSettings { name, description, enabled, ..before.clone() };
    if before.may_open_pull_requests && new.may_open_pull_requests && same != *new && origin != Origin::Web {
        return Err(Error::forbidden(
            "This automation may open pull requests: only a person who is signed in may change what it does, no key and no token",
        ));
    }
    Ok(())
}

/// The caps that the caller may give an automation: a key or a token no more than the organization's.
fn allowed(c: &Connection, organization: OrganizationId, origin: Origin, caps: Caps) -> Result<Caps> {
    match origin {
        Origin::Web => Ok(caps),
        _ => Ok(caps.within(defaults::get(c, organization)?)),
    }
}

fn check_description(text: String) -> Result<String> {
    let length = text.chars().count();
    if length <= DESCRIPTION_MAX && !text.contains('\0') {
        return Ok(text);
    }
    Err(Error::invalid(format!("description: expected at most {DESCRIPTION_MAX} characters, got {length}")))
}

/// Lists the organization's automations, newest first.
#[utoipa::path(get, path = "/api/automations", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    responses((status = 200, body = Automations)))]
pub async fn list_automations(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
) -> Result<Answer<Automations>> {
    let automations = people.main.read(move |c| sql::list(c, access.organization)).await?;
    Ok(Answer(Automations { automations }))
}

/// Creates an automation.
#[utoipa::path(post, path = "/api/automations", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    request_body = AutomationFields,
    responses((status = 200, body = CreatedAutomation), (status = 409, description = "Too many automations")))]
pub async fn create_automation(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    MaybeJson(body): MaybeJson<AutomationFields>,
) -> Result<Answer<CreatedAutomation>> {
    check_lift(&access, &body)?;
    let mut new = body.over(usual(&people))?;
    let (standing, actor, creator, organization, origin) =
        (access.standing(), access.actor(), access.creator(), access.organization, access.origin());
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        new.caps = allowed(tx, organization, origin, new.caps)?;
        let automation = sql::create(tx, organization, &new, creator, now)?;
        let act = actor.did("automation.created", &automation.name).within(organization);
        audit::sql::add(tx, &act.with(json!({ "automation_id": automation.id })), now)?;
        sql::listed(tx, automation)
    });
    Ok(Answer(CreatedAutomation { automation: write.await? }))
}

/// Shows an automation with its triggers.
#[utoipa::path(get, path = "/api/automations/{automation_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("automation_id" = String, Path)), responses((status = 200, body = OneAutomation)))]
pub async fn get_automation(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Answer<OneAutomation>> {
    let id = automation_id(&id)?;
    let read = people.main.read(move |c| {
        let automation = sql::get(c, access.organization, id)?.ok_or_else(unknown)?;
        Ok(AutomationWithTriggers { automation, triggers: sql::triggers::list(c, id)? })
    });
    let mut automation = read.await?;
    automation.triggers.iter_mut().for_each(|trigger| trigger.complete(&people.addresses));
    Ok(Answer(OneAutomation { automation }))
}

/// Changes an automation.
#[utoipa::path(patch, path = "/api/automations/{automation_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    params(("automation_id" = String, Path)), request_body = AutomationFields,
    responses((status = 200, body = ChangedAutomation)))]
pub async fn update_automation(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Path(id): Path<String>,
    MaybeJson(body): MaybeJson<AutomationFields>,
) -> Result<Answer<ChangedAutomation>> {
    let id = automation_id(&id)?;
    check_lift(&access, &body)?;
    let (standing, actor, organization, origin) =
        (access.standing(), access.actor(), access.organization, access.origin());
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let before: AutomationSettings = sql::get(tx, organization, id)?.ok_or_else(unknown)?.into();
        let mut new = body.over(before.clone())?;
        if new.caps != before.caps {
            new.caps = allowed(tx, organization, origin, new.caps)?;
        }
        check_task(origin, &before, &new)?;
        let automation = sql::update(tx, organization, id, &new, now)?.ok_or_else(unknown)?;
        if new != before {
            let act = actor.did("automation.updated", &automation.name).within(organization);
            audit::sql::add(tx, &act.with(json!({ "automation_id": id })), now)?;
        }
        Ok(automation)
    });
    Ok(Answer(ChangedAutomation { automation: write.await? }))
}

/// Deletes an automation with its triggers and events. Its sessions stay.
#[utoipa::path(delete, path = "/api/automations/{automation_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ManageAutomations>::needs()))),
    params(("automation_id" = String, Path)), responses((status = 200, body = Success)))]
pub async fn delete_automation(
    State(people): State<Arc<People>>,
    access: Platform<ManageAutomations>,
    Path(id): Path<String>,
) -> Result<Answer<Success>> {
    let id = automation_id(&id)?;
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let name = sql::delete(tx, organization, id)?.ok_or_else(unknown)?;
        let act = actor.did("automation.deleted", name).within(organization);
        audit::sql::add(tx, &act.with(json!({ "automation_id": id })), Timestamp::now())
    });
    write.await?;
    Ok(Answer(Success { success: true }))
}

/// Lists what called an automation and what became of it, newest first, at most 200 at once.
#[utoipa::path(get, path = "/api/automations/{automation_id}/events", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("automation_id" = String, Path), Paging), responses((status = 200, body = AutomationEvents)))]
pub async fn list_automation_events(
    State(people): State<Arc<People>>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Answer<AutomationEvents>> {
    let id = automation_id(&id)?;
    let page = paging.page(50, 200)?;
    let read = people.main.read(move |c| {
        sql::get(c, access.organization, id)?.ok_or_else(unknown)?;
        events::list(c, id, page)
    });
    let (events, total) = read.await?;
    Ok(Answer(AutomationEvents { events, total }))
}

fn automation_id(text: &str) -> Result<AutomationId> {
    AutomationId::parse(text).ok_or_else(unknown)
}
