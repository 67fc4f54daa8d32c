//! `/api/v1/projects/{project_id}/issues`.

pub mod environments;
pub mod events;

use super::sql::{Filter, Sort};
use super::within::{Limits, Period};
use super::{
    BULK_MAX, Change, Issue, PAGE_MAX, ShownIssue, TAG_FILTERS_MAX, TREND_HOURS_DEFAULT, TREND_HOURS_MAX,
    Tag, Trend, sql,
};
use crate::access::{Access, Administer, Read, Work};
use crate::error::{Error, Result};
use crate::http::extract::{Json, Paging, Query, bounded, chosen, fit};
use crate::ids::{IssueId, ProjectId};
use crate::issues::service::IssueService;
use crate::live::Changes;
use crate::releases::sql::suspect_of;
use crate::sabotage;
use crate::sessions::sql::issue_session;
use crate::store::Connection;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// The filters of a list of issues. `tag.<key>=<value>` filters by a tag.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParams {
    /// Free words, and `key:value` for each filter here, `is:`, `has:`, `first_release:`, `priority:`, `type:`,
    /// `contexts.os.name:` and the like (those that `facet` of an issue's events takes), `first_seen:` and
    /// `last_seen:` with `>` or `<` and a time or an age (`last_seen:>24h`: within the last 24 hours;
    /// `first_seen:<2026-11-20`: before that day, in UTC), `-` for not.
    query: Option<String>,
    /// `unresolved`, `resolved`, `ignored`, comma-separated, or `all` (default).
    status: Option<String>,
    /// `debug`, `info`, `warning`, `error`, `fatal`, comma-separated.
    level: Option<String>,
    /// Issues with events in this environment; `within` says how many and when they were, and `sort` goes by these
    /// events, but `sort=users` by the users of all environments.
    environment: Option<String>,
    /// Issues with events in the last hours, days or weeks: `24h`, `7d`, `2w`, up to `30d`. Whole hours, the current
    /// one among them; `within` counts their events, and `sort=events` goes by it.
    period: Option<String>,
    release: Option<String>,
    /// A user id, an e-mail, `me` or `none`.
    assignee: Option<String>,
    /// A user's id, e-mail or name.
    user: Option<String>,
    /// An account's id or name.
    account: Option<String>,
    /// Last seen at or after.
    #[param(value_type = Option<Timestamp>, inline)]
    start_time: Option<String>,
    /// First seen at or before.
    #[param(value_type = Option<Timestamp>, inline)]
    end_time: Option<String>,
    /// Default `last_seen`; always in descending order.
    #[param(value_type = Option<Sort>, inline)]
    sort: Option<String>,
    /// 1 to 100, default 25.
    #[param(value_type = Option<i64>)]
    limit: Option<String>,
    /// 0 to 1,000,000.
    #[param(value_type = Option<i64>)]
    offset: Option<String>,
    #[serde(flatten)]
    #[param(ignore)]
    rest: std::collections::BTreeMap<String, String>,
}

#[derive(Serialize, ToSchema)]
pub struct Issues {
    pub issues: Vec<Issue>,
    pub total: i64,
    pub has_more: bool,
    /// The `last_event_id` for a stream of this project that begins with whatever has changed since this list.
    pub position: String,
}

/// Lists a project's issues.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ListParams), responses((status = 200, body = Issues)))]
pub async fn list_issues(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Query(params): Query<ListParams>,
) -> Result<Answer<Issues>> {
    let page = Paging { limit: params.limit.clone(), offset: params.offset.clone() }.page(25, PAGE_MAX)?;
    let sort = Sort::parse(params.sort.as_deref())?;
    let filter = filter(&access, &params)?;
    let texts = issues.texts.clone();
    // Before the read: a change that the list lacks is always announced, and some that it has may be, too.
    let position = issues.live.position(access.project.id);
    let read = issues.main.read(move |c| {
        if sabotage::on("slow_searches") {
            std::thread::sleep(Duration::from_secs(4));
        }
        sql::list(c, &texts, &filter, (sort, page), Timestamp::now())
    });
    let (issues, total) = read.await?;
    Ok(Answer(Issues { has_more: page.has_more(issues.len(), total), issues, total, position }))
}

fn filter(access: &Access<Read>, params: &ListParams) -> Result<Filter> {
    let caller = access.user().map(|user| user.id);
    let mut filter = Filter::of_project(access.project.id);
    let named = [
        ("status", &params.status),
        ("level", &params.level),
        ("release", &params.release),
        ("assignee", &params.assignee),
        ("user", &params.user),
        ("account", &params.account),
    ];
    let tags: Vec<_> = params.rest.iter().filter(|(key, _)| key.starts_with("tag.")).collect();
    if tags.len() > TAG_FILTERS_MAX {
        return Err(Error::invalid(format!(
            "tag.…: expected at most {TAG_FILTERS_MAX} filters, got {}",
            tags.len()
        )));
    }
    let given = named.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
    for (key, value) in given.chain(tags.into_iter().map(|(key, value)| (key.as_str(), value.as_str()))) {
        if !value.is_empty() {
            filter.field(false, key, value, caller)?;
        }
    }
    filter.limit(limits(params)?);
    filter.query(params.query.as_deref().unwrap_or_default(), caller)?;
    let start = time("start_time", params.start_time.as_deref())?;
    let end = time("end_time", params.end_time.as_deref())?;
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return Err(Error::invalid("end_time: expected a time at or after start_time"));
    }
    filter.range(start, end);
    Ok(filter)
}

/// The environment and the period; an empty one counts as missing.
fn limits(params: &ListParams) -> Result<Option<Limits>> {
    let environment = params.environment.clone().filter(|name| !name.is_empty());
    let period = params.period.as_deref().filter(|text| !text.is_empty());
    Ok(Limits::of(environment, period.map(Period::parse).transpose()?))
}

fn time(name: &str, given: Option<&str>) -> Result<Option<Timestamp>> {
    let Some(given) = given.filter(|given| !given.is_empty()) else { return Ok(None) };
    let got = shown(given, 64);
    let wrong = || {
        Error::invalid(format!("{name}: expected an ISO 8601 time such as 2026-11-21T10:00:00Z, got `{got}`"))
    };
    Timestamp::parse(given).map(Some).ok_or_else(wrong)
}

/// An issue with the further details of its page.
fn shown_issue(
    c: &Connection,
    project: ProjectId,
    id: IssueId,
    now: Timestamp,
) -> Result<Option<ShownIssue>> {
    let Some(issue) = sql::get(c, project, id, now)? else { return Ok(None) };
    let suspect_release = suspect_of(c, project, id)?;
    let agent_session = issue_session::telling(c, project, id)?;
    Ok(Some(ShownIssue { issue, suspect_release, agent_session }))
}

/// Shows an issue.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), responses((status = 200, body = ShownIssue), (status = 404)))]
pub async fn get_issue(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<ShownIssue>> {
    let id = issue_id(&id)?;
    let found = issues.main.read(move |c| shown_issue(c, access.project.id, id, Timestamp::now())).await?;
    found.map(Answer).ok_or_else(not_found)
}

/// Resolves, ignores, assigns or prioritizes an issue.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}/issues/{issue_id}", tag = "issues",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), request_body = Change,
    responses((status = 200, body = ShownIssue), (status = 404)))]
pub async fn update_issue(
    State(issues): State<IssueService>,
    access: Access<Work>,
    Path((_, id)): Path<(String, String)>,
    Json(change): Json<Change>,
) -> Result<Answer<ShownIssue>> {
    let id = issue_id(&id)?;
    change.check()?;
    let project = access.project.id;
    let by = access.user().map(|user| user.id);
    let write = issues.write_and_tell(project, move |tx| {
        let now = Timestamp::now();
        let changed = sql::change(tx, project, id, &change, by, now)?;
        Ok((shown_issue(tx, project, id, now)?, Changes::of_issues(changed.then_some(id))))
    });
    write.await?.map(Answer).ok_or_else(not_found)
}

/// Deletes an issue with its events; administrators may do so. This cannot be undone; a new event creates a
/// new issue.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/issues/{issue_id}", tag = "issues",
    extensions(("x-access" = json!(Access::<Administer>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), responses((status = 204), (status = 404)))]
pub async fn delete_issue(
    State(issues): State<IssueService>,
    access: Access<Administer>,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let id = issue_id(&id)?;
    let project = access.project.id;
    while issues.main.write(move |tx| sql::delete_some(tx, project, id)).await? {}
    let delete = issues.write_and_tell(project, move |tx| {
        let found = sql::delete(tx, project, id)?;
        Ok((found, Changes::of_issues(found.then_some(id))))
    });
    if delete.await? { Ok(StatusCode::NO_CONTENT) } else { Err(not_found()) }
}

/// The issues to change.
#[derive(Debug, Deserialize, ToSchema)]
pub struct IssueSelection {
    /// 1 to 1,000 issues of the project.
    pub ids: Vec<IssueId>,
}

/// A change to several issues at once.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "describes the body; its two parts are read apart, so that each names its fields"
)]
pub struct BulkChange {
    #[schema(inline)]
    #[serde(flatten)]
    chosen: IssueSelection,
    /// The change, as for one issue; the same for all.
    #[serde(flatten)]
    change: Change,
}

#[derive(Serialize, ToSchema)]
pub struct Updated {
    /// How many were changed; ids that the project does not have are skipped.
    pub updated: usize,
}

/// Changes several issues at once.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}/issues", tag = "issues",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path)), request_body = BulkChange, responses((status = 200, body = Updated)))]
pub async fn update_issues(
    State(issues): State<IssueService>,
    access: Access<Work>,
    Json(body): Json<serde_json::Value>,
) -> Result<Answer<Updated>> {
    let IssueSelection { ids } = fit(&body)?;
    let change: Change = fit(&body)?;
    let count = ids.len();
    if !(1..=BULK_MAX).contains(&count) {
        return Err(Error::invalid(format!("ids: expected 1 to {BULK_MAX} issue ids, got {count}")));
    }
    change.check()?;
    let project = access.project.id;
    let by = access.user().map(|user| user.id);
    let write = issues.write_and_tell(project, move |tx| {
        let now = Timestamp::now();
        let (mut updated, mut changes) = (0, Changes::default());
        for id in ids {
            if sql::change(tx, project, id, &change, by, now)? {
                updated += 1;
                changes.add_issue(id);
            }
        }
        Ok((updated, changes))
    });
    Ok(Answer(Updated { updated: write.await? }))
}

#[derive(Serialize, ToSchema)]
pub struct Tags {
    pub tags: Vec<Tag>,
    pub total: usize,
}

/// Lists the tags, environments, releases, users, accounts and counted contexts of an issue's events.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/tags", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path)), responses((status = 200, body = Tags), (status = 404)))]
pub async fn list_issue_tags(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Answer<Tags>> {
    let id = issue_id(&id)?;
    let read = issues.main.read(move |c| {
        sql::get(c, access.project.id, id, Timestamp::now())?.ok_or_else(not_found)?;
        sql::tags(c, id)
    });
    let tags = read.await?;
    Ok(Answer(Tags { total: tags.len(), tags }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrendParams {
    /// 1 to 720, default 168.
    #[param(value_type = Option<i64>)]
    hours: Option<String>,
}

/// The hours of a trend that may be limited to an environment.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrendWithinParams {
    /// 1 to 720, default 168.
    #[param(value_type = Option<i64>)]
    hours: Option<String>,
    /// Counts only events in this environment, which may have none.
    environment: Option<String>,
}

impl TrendWithinParams {
    /// # Errors
    /// 422 if it is no number of hours in bounds.
    pub fn read(self) -> Result<(u64, Option<String>)> {
        Ok((trend_hours(self.hours.as_deref())?, chosen(self.environment)))
    }
}

/// # Errors
/// 422 if it is no number of hours in bounds.
fn trend_hours(given: Option<&str>) -> Result<u64> {
    Ok(bounded("hours", given, TREND_HOURS_DEFAULT, 1, TREND_HOURS_MAX)?.cast_unsigned())
}

/// Shows how many events an issue had in each of the last hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/issues/{issue_id}/trend", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), ("issue_id" = i64, Path), TrendParams),
    responses((status = 200, body = Trend), (status = 404)))]
pub async fn get_issue_trend(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Path((_, id)): Path<(String, String)>,
    Query(params): Query<TrendParams>,
) -> Result<Answer<Trend>> {
    let (id, hours) = (issue_id(&id)?, trend_hours(params.hours.as_deref())?);
    let read = issues.main.read(move |c| {
        sql::exists(c, access.project.id, id)?.then_some(()).ok_or_else(not_found)?;
        sql::trend(c, id, hours, Timestamp::now())
    });
    Ok(Answer(read.await?))
}

/// Shows how many events a project had in each of the last hours.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/trend", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), TrendWithinParams), responses((status = 200, body = Trend)))]
pub async fn get_project_trend(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Query(params): Query<TrendWithinParams>,
) -> Result<Answer<Trend>> {
    let (project, (hours, environment)) = (access.project.id, params.read()?);
    let read = issues
        .main
        .read(move |c| sql::project_trend(c, project, environment.as_deref(), hours, Timestamp::now()));
    Ok(Answer(read.await?))
}

pub(super) fn issue_id(text: &str) -> Result<IssueId> {
    text.parse().map(IssueId).map_err(|_| not_found())
}

pub(super) fn not_found() -> Error {
    Error::not_found("This project has no such issue")
}
