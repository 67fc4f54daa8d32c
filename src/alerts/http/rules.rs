//! `/api/v1/projects/{project_id}/alert-rules`.

use super::{AlertsState, Note};
use crate::access::{Access, Administer, Read};
use crate::alerts::service::{self, preview};
use crate::alerts::sql::rules;
use crate::alerts::{Condition, NewRule, PREVIEWED, Preview, Rule, RuleFilters};
use crate::error::{Error, Result};
use crate::http::client::Client;
use crate::http::extract::Json;
use crate::ids::{AlertChannelId, AlertRuleId, ProjectId};
use crate::issues::sql::Filter;
use crate::issues::views::service as views;
use crate::logs::search::Filters;
use crate::search::Scope;
use crate::store::Connection;
use crate::time::{MINUTE, Timestamp};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct AlertRules {
    pub rules: Vec<Rule>,
    pub total: usize,
}

/// Lists a project's alert rules.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/alert-rules", tag = "alerts",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = AlertRules)))]
pub async fn list_alert_rules(
    State(alerts): State<AlertsState>,
    access: Access<Read>,
) -> Result<Answer<AlertRules>> {
    let read = alerts.main.read(move |c| {
        let mut rules = rules::list(c, access.project.id)?;
        for rule in &mut rules {
            rule.problem = service::problem(c, &rule.rule, rule.project_id)?.or(rule.problem.take());
        }
        Ok(rules)
    });
    let rules = read.await?;
    Ok(Answer(AlertRules { total: rules.len(), rules }))
}

/// Creates an alert rule.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/alert-rules", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), request_body = NewRule,
    responses((status = 201, body = Rule), (status = 409, description = "Too many rules")))]
pub async fn create_alert_rule(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Json(body): Json<NewRule>,
) -> Result<(StatusCode, Answer<Rule>)> {
    let (standing, project) = (access.standing()?, access.project.id);
    let note = Note::new(&access, &client, "alert_rule.created")?;
    let new = checked(body, project)?;
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        check_view(tx, project, &new)?;
        let now = Timestamp::now();
        let rule = rules::create(tx, project, &new, now)?;
        note.write(tx, &rule.rule.name, now)?;
        Ok(rule)
    });
    Ok((StatusCode::CREATED, Answer(write.await?)))
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateAlertRule {
    pub name: Option<String>,
    pub condition: Option<Condition>,
    /// Replaces all of them.
    pub filters: Option<RuleFilters>,
    /// Replaces all of them.
    pub channels: Option<Vec<AlertChannelId>>,
    pub quiet_minutes: Option<i64>,
    pub enabled: Option<bool>,
}

impl UpdateAlertRule {
    fn over(self, rule: NewRule) -> NewRule {
        NewRule {
            name: self.name.unwrap_or(rule.name),
            condition: self.condition.unwrap_or(rule.condition),
            filters: self.filters.unwrap_or(rule.filters),
            channels: self.channels.unwrap_or(rule.channels),
            quiet_minutes: self.quiet_minutes.unwrap_or(rule.quiet_minutes),
            enabled: self.enabled.unwrap_or(rule.enabled),
        }
    }
}

/// Changes an alert rule.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}/alert-rules/{rule_id}", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("rule_id" = i64, Path)), request_body = UpdateAlertRule,
    responses((status = 200, body = Rule), (status = 404, description = "No such rule")))]
pub async fn update_alert_rule(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<UpdateAlertRule>,
) -> Result<Answer<Rule>> {
    let (standing, project, id) = (access.standing()?, access.project.id, rule_id(&id)?);
    let note = Note::new(&access, &client, "alert_rule.updated")?;
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        let now = Timestamp::now();
        let before = rules::get(tx, project, id)?.ok_or_else(unknown)?;
        let view = before.rule.filters.view_id;
        let new = checked(body.over(before.rule), project)?;
        // One that was named before may have become what no rule can ask, which keeps nobody from changing the rest.
        if new.filters.view_id != view {
            check_view(tx, project, &new)?;
        }
        let rule = rules::update(tx, project, id, &new, now)?.ok_or_else(unknown)?;
        note.write(tx, &rule.rule.name, now)?;
        Ok(rule)
    });
    write.await.map(Answer)
}

/// Deletes an alert rule.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/alert-rules/{rule_id}", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("rule_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such rule")))]
pub async fn delete_alert_rule(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    client: Client,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (standing, project, id) = (access.standing()?, access.project.id, rule_id(&id)?);
    let note = Note::new(&access, &client, "alert_rule.deleted")?;
    let write = alerts.main.write(move |tx| {
        standing.check(tx)?;
        let name = rules::delete(tx, project, id)?.ok_or_else(unknown)?;
        note.write(tx, &name, Timestamp::now())
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Says how often a rule would have fired in the last seven days, within its limit of messages; queries and views are held
/// against issues as they are now.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/alert-rules/preview", tag = "alerts",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path)), request_body = NewRule, responses((status = 200, body = Preview)))]
pub async fn preview_alert_rule(
    State(alerts): State<AlertsState>,
    access: Access<Administer>,
    Json(body): Json<NewRule>,
) -> Result<Answer<Preview>> {
    let (project, now) = (access.project.id, Timestamp::now());
    let rule = checked(body, project)?;
    let Condition::Logs { search, count, minutes } = &rule.condition else {
        let read = alerts.main.read(move |c| {
            check_view(c, project, &rule)?;
            preview::of_issues(c, project, &rule, now)
        });
        return read.await.map(Answer);
    };
    let query = Filters { search: Some(search.clone()), ..Filters::default() }.query()?;
    let steps = (PREVIEWED + minutes * MINUTE) / preview::STEP;
    let starts: Vec<Timestamp> = (0..steps).map(|step| now.plus((step - steps) * preview::STEP)).collect();
    let scope = Scope { project, start: starts[0], end: now, query };
    let found = alerts.logs.index.search(move |view| view.histogram(&scope, &starts)).await?;
    let counts: Vec<u64> = found.into_iter().map(|levels| levels.iter().sum()).collect();
    Ok(Answer(preview::of_logs(&counts, (*count, *minutes), rule.quiet_minutes, now)))
}

/// # Errors
/// 422 naming what does not fit.
fn checked(rule: NewRule, project: ProjectId) -> Result<NewRule> {
    let rule = rule.checked()?;
    if let Some(query) = &rule.filters.query {
        let filter = Filter::of_project(project).query(query, None);
        filter.map_err(|error| Error::invalid(format!("filters.{error}")))?;
    }
    if let Condition::Logs { search, .. } = &rule.condition {
        let query = Filters { search: Some(search.clone()), ..Filters::default() }.query();
        query.map_err(|error| Error::invalid(format!("condition.{error}")))?;
    }
    Ok(rule)
}

/// # Errors
/// 422 for a view that the project does not share, or that no rule can ask.
fn check_view(c: &Connection, project: ProjectId, rule: &NewRule) -> Result<()> {
    match rule.filters.view_id {
        Some(id) => views::check_named(c, project, id, "filters.view_id"),
        None => Ok(()),
    }
}

fn unknown() -> Error {
    Error::not_found("This project has no such rule")
}

fn rule_id(text: &str) -> Result<AlertRuleId> {
    text.parse().map(AlertRuleId).map_err(|_| unknown())
}
