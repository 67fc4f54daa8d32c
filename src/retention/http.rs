//! `/api/v1/instance/retention` and `/api/v1/projects/{id}/retention`: the limits in force, and what they would remove.
//! A project's own limits are among its settings.

use super::service::{ProjectPolicy, Removals, RetentionService, policies};
use super::{Removal, RetentionPolicy, RetentionRule, RetentionSettings};
use crate::access::{Access, Administrator, Read};
use crate::error::{Error, Result};
use crate::http::extract::Query;
use crate::ids::ProjectId;
use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// RetentionLimits to try. Missing ones are as the instance has them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TriedLimits {
    /// 0 to 3650; 0: unlimited.
    #[param(value_type = Option<u64>)]
    pub events_days: Option<String>,
    #[param(value_type = Option<u64>)]
    pub events_count: Option<String>,
    /// MiB.
    #[param(value_type = Option<u64>)]
    pub events_megabytes: Option<String>,
    #[param(value_type = Option<u64>)]
    pub logs_days: Option<String>,
    #[param(value_type = Option<u64>)]
    pub logs_count: Option<String>,
    /// MiB.
    #[param(value_type = Option<u64>)]
    pub logs_megabytes: Option<String>,
    #[param(value_type = Option<u64>)]
    pub replays_days: Option<String>,
    #[param(value_type = Option<u64>)]
    pub replays_count: Option<String>,
    /// MiB.
    #[param(value_type = Option<u64>)]
    pub replays_megabytes: Option<String>,
}

impl TriedLimits {
    fn rules(&self) -> Result<RetentionSettings> {
        let number = |name: &str, text: &Option<String>| match text.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => {
                let wrong = |_| Error::invalid(format!("{name}: expected a whole number"));
                text.parse().map(Some).map_err(wrong)
            }
        };
        let tried = RetentionSettings {
            events: RetentionRule {
                days: number("events_days", &self.events_days)?,
                count: number("events_count", &self.events_count)?,
                megabytes: number("events_megabytes", &self.events_megabytes)?,
            },
            logs: RetentionRule {
                days: number("logs_days", &self.logs_days)?,
                count: number("logs_count", &self.logs_count)?,
                megabytes: number("logs_megabytes", &self.logs_megabytes)?,
            },
            replays: RetentionRule {
                days: number("replays_days", &self.replays_days)?,
                count: number("replays_count", &self.replays_count)?,
                megabytes: number("replays_megabytes", &self.replays_megabytes)?,
            },
        };
        tried.check()?;
        Ok(tried)
    }
}

/// The retention of a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectRetention {
    pub project_id: ProjectId,
    pub name: String,
    /// What the project's settings say.
    pub settings: RetentionSettings,
    /// What applies if they say nothing.
    pub defaults: RetentionPolicy,
    /// The limits in force, or those that are tried.
    pub policy: RetentionPolicy,
    /// Events that these limits would remove now. Exact for days; an estimate for numbers and sizes.
    pub events: Removal,
    /// Log entries that they would remove.
    pub logs: Removal,
    /// Session replays that they would remove.
    pub replays: Removal,
}

impl ProjectRetention {
    fn new(project: ProjectPolicy, removals: Removals, defaults: RetentionPolicy) -> Self {
        let ProjectPolicy { id, name, settings, policy } = project;
        let Removals { events, logs, replays } = removals;
        Self { project_id: id, name, settings, defaults, policy, events, logs, replays }
    }
}

/// The retention of every project.
#[derive(Debug, Serialize, ToSchema)]
pub struct InstanceRetention {
    /// What applies to projects whose settings say nothing: `SERVICE_RETENTION_…`, or what is tried.
    pub defaults: RetentionPolicy,
    pub projects: Vec<ProjectRetention>,
}

impl RetentionService {
    /// All projects, with these defaults.
    async fn of_instance(&self, defaults: RetentionPolicy) -> Result<InstanceRetention> {
        let projects = self.main.read(move |c| policies(c, defaults)).await?;
        let asked = projects.iter().map(|project| (project.id, project.policy)).collect();
        let removals = self.preview(asked).await?;
        let projects = projects.into_iter().zip(removals);
        let projects =
            projects.map(|(project, removals)| ProjectRetention::new(project, removals, defaults)).collect();
        Ok(InstanceRetention { defaults, projects })
    }

    /// One project, with its own settings or others.
    async fn of_project(&self, id: ProjectId, tried: Option<RetentionSettings>) -> Result<ProjectRetention> {
        let defaults = self.defaults;
        let all = self.main.read(move |c| policies(c, defaults)).await?;
        let project =
            all.into_iter().find(|project| project.id == id).ok_or_else(Error::no_project_access)?;
        let policy = tried.map_or(project.policy, |tried| defaults.overridden(&tried));
        let removals = self.preview(vec![(id, policy)]).await?.into_iter().next().unwrap_or_default();
        Ok(ProjectRetention::new(ProjectPolicy { policy, ..project }, removals, defaults))
    }
}

/// Shows the limits of every project, and what they would remove now.
#[utoipa::path(get, path = "/api/v1/instance/retention", tag = "instance",
    extensions(("x-access" = json!(Administrator::needs()))), responses((status = 200, body = InstanceRetention)))]
pub async fn get_instance_retention(
    State(retention): State<RetentionService>,
    _: Administrator,
) -> Result<Answer<InstanceRetention>> {
    retention.of_instance(retention.defaults).await.map(Answer)
}

/// A dry run of `SERVICE_RETENTION_…`: shows what other limits for all projects would remove. Nothing is changed.
#[utoipa::path(get, path = "/api/v1/instance/retention/preview", tag = "instance",
    extensions(("x-access" = json!(Administrator::needs()))), params(TriedLimits),
    responses((status = 200, body = InstanceRetention)))]
pub async fn preview_instance_retention(
    State(retention): State<RetentionService>,
    _: Administrator,
    Query(tried): Query<TriedLimits>,
) -> Result<Answer<InstanceRetention>> {
    retention.of_instance(retention.defaults.overridden(&tried.rules()?)).await.map(Answer)
}

/// Shows the limits of a project, and what they would remove now.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/retention", tag = "projects",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = ProjectRetention)))]
pub async fn get_project_retention(
    State(retention): State<RetentionService>,
    access: Access<Read>,
) -> Result<Answer<ProjectRetention>> {
    retention.of_project(access.project.id, None).await.map(Answer)
}

/// A dry run of a project's settings: shows what other limits would remove. Nothing is changed.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/retention/preview", tag = "projects",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), TriedLimits), responses((status = 200, body = ProjectRetention)))]
pub async fn preview_project_retention(
    State(retention): State<RetentionService>,
    access: Access<Read>,
    Query(tried): Query<TriedLimits>,
) -> Result<Answer<ProjectRetention>> {
    retention.of_project(access.project.id, Some(tried.rules()?)).await.map(Answer)
}
