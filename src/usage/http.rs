//! `/api/v1/instance/usage` and `/api/v1/projects/{id}/usage`.

use super::service::{Meter, count_facets, history};
use super::{DayUsage, FacetUsage, InstanceUsage, ProjectUsage};
use crate::access::{Access, Administrator, Read};
use crate::error::Result;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// What a project holds, and how it grew.
#[derive(Serialize, ToSchema)]
pub struct ProjectUsageHistory {
    pub measured_at: Timestamp,
    #[serde(flatten)]
    pub usage: ProjectUsage,
    pub facets: FacetUsage,
    /// The last days with figures, the oldest first.
    pub history: Vec<DayUsage>,
}

/// Shows what the data directory holds, by project and kind, and how it grows.
#[utoipa::path(get, path = "/api/v1/instance/usage", tag = "instance",
    extensions(("x-access" = json!(Administrator::needs()))), responses((status = 200, body = InstanceUsage)))]
pub async fn get_instance_usage(
    State(meter): State<Arc<Meter>>,
    _: Administrator,
) -> Result<Answer<InstanceUsage>> {
    let latest = meter.latest().await?;
    Ok(Answer(InstanceUsage::clone(&latest)))
}

/// Shows what a project holds on the disk, and how it grows.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/usage", tag = "projects",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path)), responses((status = 200, body = ProjectUsageHistory)))]
pub async fn get_project_usage(
    State(meter): State<Arc<Meter>>,
    access: Access<Read>,
) -> Result<Answer<ProjectUsageHistory>> {
    let id = access.project.id;
    let (now, usage) = meter.project(id).await?;
    let read = meter.main.read(move |c| Ok((count_facets(c, id)?, history(c, Some(id), now)?)));
    let (facets, history) = read.await?;
    Ok(Answer(ProjectUsageHistory { measured_at: now, usage, facets, history }))
}
