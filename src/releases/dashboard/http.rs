//! Releases and source maps, as read and deleted by the dashboard.

pub mod explain;

use crate::access::{Access, ManageReleases, Read, ReadReleases};
use crate::digest::resolve::Resolver;
use crate::error::Result;
use crate::http::extract::{Paging, Query, chosen};
use crate::ids::ProjectId;
use crate::issues::Trend;
use crate::issues::http::TrendWithinParams;
use crate::issues::within::Period;
use crate::releases::dashboard::service::{self, UnresolvedFrames};
use crate::releases::http::{not_created, not_found};
use crate::releases::late::{self, LateProgress};
use crate::releases::service::Maps;
use crate::releases::sql::{self, MapSort, ReleaseFilter};
use crate::releases::{MAPS_PAGE_MAX, PAGE_MAX, Release, ReleaseHealth, SourceMap};
use crate::store::Main;
use crate::store::Transaction;
use crate::time::{HOUR, Timestamp};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
pub struct Releases {
    pub releases: Vec<ReleaseHealth>,
    pub total: i64,
    pub has_more: bool,
}

/// A release on its page.
#[derive(Serialize, ToSchema)]
pub struct ShownRelease {
    #[serde(flatten)]
    pub release: ReleaseHealth,
    /// How far events are resolved again that came before its source maps; `null` if there were none.
    pub late: Option<LateProgress>,
}

/// The filters of a list of releases.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReleaseParams {
    /// A part of the version.
    query: Option<String>,
    /// Releases with events in the last hours, days or weeks: `24h`, `7d`, `2w`, up to `30d`. Whole hours, the current
    /// one among them; `events_within` counts their events.
    period: Option<String>,
    /// Releases with events in this environment, and within the `period` if there is one. Events, issues, users and the times
    /// of the first and the last event are those of the environment; new issues and regressions are of all of them.
    environment: Option<String>,
    /// 1 to 100, default 50.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

/// Lists a project's releases, newest first: those that were created, and those that only events name.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ReleaseParams), responses((status = 200, body = Releases)))]
pub async fn list_releases(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Query(params): Query<ReleaseParams>,
) -> Result<Answer<Releases>> {
    let page = Paging { limit: params.limit, offset: params.offset }.page(50, PAGE_MAX)?;
    let period = params.period.as_deref().filter(|text| !text.is_empty()).map(Period::parse).transpose()?;
    let now = Timestamp::now();
    let hours = period.map(|period| (period.first_hour(now), now.hour()));
    let environment = chosen(params.environment);
    let filter = ReleaseFilter { part: params.query.unwrap_or_default(), environment, hours };
    let (releases, total) = main.read(move |c| sql::list(c, access.project.id, &filter, page)).await?;
    Ok(Answer(Releases { has_more: page.has_more(releases.len(), total), releases, total }))
}

/// Where a release is looked at.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ShownParams {
    /// Events, issues, users and the times of the first and the last event are those of this environment, which may
    /// have none; new issues and regressions are of all of them.
    environment: Option<String>,
}

/// Shows a release.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path), ShownParams),
    responses((status = 200, body = ShownRelease), (status = 404)))]
pub async fn get_release(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Path((_, version)): Path<(String, String)>,
    Query(params): Query<ShownParams>,
) -> Result<Answer<ShownRelease>> {
    let (project, wanted, environment) = (access.project.id, version.clone(), chosen(params.environment));
    let read = main.read(move |c| {
        let found = sql::get_health(c, project, &wanted, environment.as_deref())?;
        let Some(release) = found else { return Ok(None) };
        let late = release.id.map(|id| late::sql::progress(c, id)).transpose()?.flatten();
        Ok(Some(ShownRelease { release, late }))
    });
    let found = read.await?;
    found.map(Answer).ok_or_else(|| not_found(&version))
}

#[derive(Serialize, ToSchema)]
pub struct SourceMaps {
    pub source_maps: Vec<SourceMap>,
    pub total: i64,
    pub has_more: bool,
}

/// The filters and orders of a list of source maps.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MapParams {
    /// A part of the url.
    query: Option<String>,
    /// `url` (default), `size` or `uses`; the latter two in descending order.
    sort: Option<String>,
    /// 1 to 1,000, default 100.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
}

/// Lists a release's source maps, and how often they were used.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}/sourcemaps", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path), MapParams),
    responses((status = 200, body = SourceMaps), (status = 404)))]
pub async fn list_source_maps(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Path((_, version)): Path<(String, String)>,
    Query(params): Query<MapParams>,
) -> Result<Answer<SourceMaps>> {
    let page = Paging { limit: params.limit, offset: params.offset }.page(100, MAPS_PAGE_MAX)?;
    let (sort, part) = (MapSort::parse(params.sort.as_deref())?, params.query.unwrap_or_default());
    let release = seen(&main, access.project.id, version).await?;
    let read = main.read(move |c| match release.id {
        Some(id) => sql::list_maps(c, id, &part, sort, page),
        None => Ok((Vec::new(), 0)),
    });
    let (source_maps, total) = read.await?;
    Ok(Answer(SourceMaps { has_more: page.has_more(source_maps.len(), total), source_maps, total }))
}

/// Lists what the last events of a release failed to resolve, most frequent first: up to 50 events of the 20
/// issues most recently seen with it, resolved with the current source maps.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}/unresolved", tag = "releases",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path)),
    responses((status = 200, body = UnresolvedFrames), (status = 404)))]
pub async fn list_unresolved_frames(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    access: Access<Read>,
    Path((_, version)): Path<(String, String)>,
) -> Result<Answer<UnresolvedFrames>> {
    let release = seen(&main, access.project.id, version).await?;
    let read = main
        .read(move |c| service::of_release(c, &mut Resolver::new(maps), access.project.id, &release.version));
    Ok(Answer(read.await?))
}

/// Deletes a release and its source maps. This cannot be undone.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/releases/{version}", tag = "releases",
    extensions(("x-access" = json!(Access::<ManageReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path)), responses((status = 204), (status = 404)))]
pub async fn delete_release(
    State(main): State<Main>,
    State(maps): State<Arc<Maps>>,
    access: Access<ManageReleases>,
    Path((_, version)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (project, wanted) = (access.project.id, version.clone());
    let write = move |tx: &Transaction<'_>| {
        let unused = sql::delete(tx, project, &wanted)?;
        Ok((unused.is_some(), unused.unwrap_or_default()))
    };
    if !maps.change(&main, write).await? {
        return Err(not_found(&version));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Shows how many events of a release there were in each of the last hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/releases/{version}/trend", tag = "releases",
    extensions(("x-access" = json!(Access::<ReadReleases>::needs()))),
    params(("project_id" = i64, Path), ("version" = String, Path), TrendWithinParams),
    responses((status = 200, body = Trend), (status = 404)))]
pub async fn get_release_trend(
    State(main): State<Main>,
    access: Access<ReadReleases>,
    Path((_, version)): Path<(String, String)>,
    Query(params): Query<TrendWithinParams>,
) -> Result<Answer<Trend>> {
    let (project, (hours, environment)) = (access.project.id, params.read()?);
    let release = seen(&main, project, version).await?;
    let last = Timestamp::now().hour();
    let first = last - hours.cast_signed() + 1;
    let read = main
        .read(move |c| sql::hours_of(c, (project, &release.version), environment.as_deref(), (first, last)));
    Ok(Answer(Trend { start: Timestamp::from_millis(first * HOUR), counts: read.await? }))
}

/// A release that was created, or that events name.
pub(in crate::releases) async fn seen(
    main: &Main,
    project: ProjectId,
    version: String,
) -> Result<ReleaseHealth> {
    let wanted = version.clone();
    let found = main.read(move |c| sql::get_health(c, project, &wanted, None)).await?;
    found.ok_or_else(|| not_found(&version))
}

/// One that was created.
pub(in crate::releases) async fn find(main: &Main, project: ProjectId, version: String) -> Result<Release> {
    let wanted = version.clone();
    match main.read(move |c| sql::get(c, project, &wanted)).await? {
        Some(release) => Ok(release),
        None => Err(not_created(main, project, &version).await),
    }
}
