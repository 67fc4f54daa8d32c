//! `/api/v1/projects/{project_id}/views`.

use super::{COUNTED, Saved, View, ViewDefaults, check_may_change, kept_period, service, sql};
use crate::access::{Access, ChangeView, Read, Work};
use crate::accounts::check_name;
use crate::error::{Error, Result};
use crate::http::extract::{Json, Query, given, yes_or_no};
use crate::ids::{ProjectId, UserId, ViewId};
use crate::intake::decode::limits::ENVIRONMENT as ENVIRONMENT_MAX;
use crate::issues::service::IssueService;
use crate::issues::sql::{Filter, LastFound, Sort, total};
use crate::issues::texts::Texts;
use crate::issues::within::{Limits, Period};
use crate::organizations;
use crate::roles::Role;
use crate::store::{Connection, Transaction};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Views of a project.
#[derive(Serialize, ToSchema)]
pub struct Views {
    pub views: Vec<View>,
    pub total: usize,
}

/// What the issues of views are counted within.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CountParams {
    /// A view that keeps no environment counts its issues with events in this one.
    environment: Option<String>,
    /// A view that keeps no period counts its issues with events in the last hours, days or weeks, as a list does: `24h`,
    /// `7d`, `2w`, up to `30d`.
    period: Option<String>,
    /// Whether issues are counted at all. Default: true.
    #[param(value_type = Option<bool>)]
    counts: Option<String>,
}

impl CountParams {
    /// How many views are counted.
    fn counted(&self) -> Result<usize> {
        Ok(if yes_or_no("counts", self.counts.as_deref(), true)? { COUNTED } else { 0 })
    }

    /// Empty ones are none, as in the list.
    fn chosen(self) -> Result<ViewDefaults> {
        let period = self.period.as_deref().filter(|text| !text.is_empty());
        Ok(ViewDefaults {
            environment: self.environment.filter(|name| !name.is_empty()),
            period: period.map(Period::parse).transpose()?,
        })
    }
}

/// Lists the views of a project that the caller sees: their own and then those that others share, the newest first. There
/// are at most 150, all in one answer; the first 20 come with the number of their issues, unless `counts=false`.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/views", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), CountParams), responses((status = 200, body = Views)))]
pub async fn list_views(
    State(issues): State<IssueService>,
    access: Access<Read>,
    Query(params): Query<CountParams>,
) -> Result<Answer<Views>> {
    let (counted, chosen) = (params.counted()?, params.chosen()?);
    let (project, person) = (access.project.id, access.user().map(|user| user.id));
    let texts = issues.texts.clone();
    let read = issues.main.read(move |c| {
        let (mut views, mut last) = (sql::list(c, project, person)?, None);
        let mut counted: Vec<&mut View> = views.iter_mut().take(counted).collect();
        // Those with the same limits come one after the other: what is within them is looked up once.
        counted.sort_by(|a, b| (&a.environment, &a.period).cmp(&(&b.environment, &b.period)));
        for view in counted {
            view.issue_count = count(c, &texts, (project, person), view, &chosen, &mut last)?;
        }
        Ok(views)
    });
    let views = read.await?;
    Ok(Answer(Views { total: views.len(), views }))
}

/// `None` if the query is invalid, or not for this caller, such as `is:mine` for a key.
fn count(
    c: &Connection,
    texts: &Texts,
    (project, person): (ProjectId, Option<UserId>),
    view: &View,
    chosen: &ViewDefaults,
    last: &mut LastFound,
) -> Result<Option<i64>> {
    let mut filter = Filter::of_project(project);
    let read = filter.query(&view.query, person).and(kept_period(view.period.as_deref()));
    let Ok(kept) = read else { return Ok(None) };
    let environment = view.environment.clone().or_else(|| chosen.environment.clone());
    filter.limit(Limits::of(environment, kept.or(chosen.period)));
    total(c, texts, &filter, last).map(Some)
}

/// A view to keep.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewView {
    /// 1 to 128 characters.
    pub name: String,
    /// As for the list of issues; one that it refuses is refused here.
    pub query: String,
    /// Default `last_seen`.
    #[schema(value_type = Option<Sort>)]
    pub sort: Option<String>,
    /// The environment that the list is limited to, up to 64 characters; none: the view does not say.
    pub environment: Option<String>,
    /// The period up to now that the list is limited to: `24h`, `7d` or `30d`; none: the view does not say.
    pub period: Option<String>,
    /// Default false: the caller's alone.
    #[serde(default)]
    #[schema(required = false)]
    pub shared: bool,
}

/// Keeps a search: for oneself, or for everybody in the project.
#[utoipa::path(post, path = "/api/v1/projects/{project_id}/views", tag = "issues",
    extensions(("x-access" = json!(Access::<Work>::needs()))),
    params(("project_id" = i64, Path)), request_body = NewView,
    responses((status = 201, body = View), (status = 409, description = "Too many views")))]
pub async fn create_view(
    State(issues): State<IssueService>,
    access: Access<Work>,
    Json(new): Json<NewView>,
) -> Result<(StatusCode, Answer<View>)> {
    let (standing, project, person) = (access.standing()?, access.project.id, person(&access)?);
    let sort = Sort::parse(new.sort.as_deref())?;
    let NewView { name, query, environment, period, shared, .. } = new;
    let new = checked(Saved { name, query, sort, environment, period, shared }, project, person)?;
    let texts = issues.texts.clone();
    let write = issues.main.write(move |tx| {
        standing.check(tx)?;
        let id = sql::create(tx, project, person, &new, Timestamp::now())?;
        shown(tx, &texts, project, id, person)
    });
    Ok((StatusCode::CREATED, Answer(write.await?)))
}

/// What to change of a view; what is not given stays.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UpdateView {
    pub name: Option<String>,
    pub query: Option<String>,
    #[schema(value_type = Option<Sort>)]
    pub sort: Option<String>,
    /// `null`: the view says none any more.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub environment: Option<Option<String>>,
    /// `null`: the view says none any more.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub period: Option<Option<String>>,
    pub shared: Option<bool>,
}

impl UpdateView {
    fn over(self, view: &View) -> Result<Saved> {
        Ok(Saved {
            name: self.name.unwrap_or_else(|| view.name.clone()),
            query: self.query.unwrap_or_else(|| view.query.clone()),
            sort: self.sort.map_or(Ok(view.sort), |sort| Sort::parse(Some(&sort)))?,
            environment: self.environment.unwrap_or_else(|| view.environment.clone()),
            period: self.period.unwrap_or_else(|| view.period.clone()),
            shared: self.shared.unwrap_or(view.shared),
        })
    }
}

/// Changes a view; its owner or an administrator may do so, and only its owner takes it back for themselves. What alert rules
/// and automations use stays shared, and asks for nothing that depends on who asks; only an administrator who is signed in
/// changes its query and its environment.
#[utoipa::path(patch, path = "/api/v1/projects/{project_id}/views/{view_id}", tag = "issues",
    extensions(("x-access" = json!(Access::<ChangeView>::needs()))),
    params(("project_id" = i64, Path), ("view_id" = i64, Path)), request_body = UpdateView,
    responses((status = 200, body = View), (status = 404, description = "No such view"),
        (status = 409, description = "Too many views are shared, or an alert rule or automation could not use it any more")))]
pub async fn update_view(
    State(issues): State<IssueService>,
    access: Access<ChangeView>,
    Path((_, id)): Path<(String, String)>,
    Json(body): Json<UpdateView>,
) -> Result<Answer<View>> {
    let (standing, project, person) = (access.standing()?, access.project.id, person(&access)?);
    let (id, is_by_token) = (view_id(&id)?, access.is_by_token());
    let texts = issues.texts.clone();
    let write = issues.main.write(move |tx| {
        standing.check(tx)?;
        let (before, role) = to_change(tx, project, id, person)?;
        let new = checked(body.over(&before)?, project, person)?;
        if before.shared && !new.shared && before.owner.as_ref().map(|owner| owner.id) != Some(person) {
            return Err(Error::forbidden("Only its owner can take a view back for themselves."));
        }
        if (&new.query, &new.environment) != (&before.query, &before.environment) {
            let is_admin = role.is_some_and(|role| role >= Role::Admin);
            service::check_may_steer(tx, project, id, is_admin && !is_by_token)?;
        }
        service::check_free(tx, project, id, Some(&new))?;
        sql::update(tx, project, &before, &new)?;
        shown(tx, &texts, project, id, person)
    });
    write.await.map(Answer)
}

/// Deletes a view that no alert rule and no automation uses; its owner or an administrator may do so.
#[utoipa::path(delete, path = "/api/v1/projects/{project_id}/views/{view_id}", tag = "issues",
    extensions(("x-access" = json!(Access::<ChangeView>::needs()))),
    params(("project_id" = i64, Path), ("view_id" = i64, Path)),
    responses((status = 204), (status = 404, description = "No such view"),
        (status = 409, description = "An alert rule or an automation uses it")))]
pub async fn delete_view(
    State(issues): State<IssueService>,
    access: Access<ChangeView>,
    Path((_, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (standing, project, person) = (access.standing()?, access.project.id, person(&access)?);
    let id = view_id(&id)?;
    let write = issues.main.write(move |tx| {
        standing.check(tx)?;
        let (view, _) = to_change(tx, project, id, person)?;
        service::check_free(tx, project, view.id, None)?;
        sql::delete(tx, view.id)
    });
    write.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// # Errors
/// 422 for a name that is none, a query that the list of issues would refuse, an environment that no event can have,
/// and a period that the Web app does not offer.
fn checked(mut view: Saved, project: ProjectId, person: UserId) -> Result<Saved> {
    view.name = check_name("name", &view.name)?;
    view.query = view.query.trim().to_owned();
    Filter::of_project(project).query(&view.query, Some(person))?;
    // Empty ones are none, as in the list's address.
    view.environment = view.environment.filter(|name| !name.is_empty());
    view.period = view.period.filter(|period| !period.is_empty());
    kept_period(view.period.as_deref())?;
    let length = view.environment.as_deref().map_or(0, |name| name.chars().count());
    if length > ENVIRONMENT_MAX {
        return Err(Error::invalid(format!(
            "environment: expected at most {ENVIRONMENT_MAX} characters, got {length}"
        )));
    }
    Ok(view)
}

/// A view that the person sees and may change, and their role.
fn to_change(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: ViewId,
    person: UserId,
) -> Result<(View, Option<Role>)> {
    let view = sql::get(tx, project, id, person)?.ok_or_else(unknown)?;
    let role = organizations::sql::role_in_project(tx, person, project)?.map(|(_, role)| role);
    check_may_change(&view, person, role)?;
    Ok((view, role))
}

fn shown(
    tx: &Transaction<'_>,
    texts: &Texts,
    project: ProjectId,
    id: ViewId,
    person: UserId,
) -> Result<View> {
    let mut view = sql::get(tx, project, id, person)?.ok_or_else(unknown)?;
    view.issue_count = count(tx, texts, (project, Some(person)), &view, &ViewDefaults::default(), &mut None)?;
    Ok(view)
}

/// Keys are not admitted here.
fn person<N>(access: &Access<N>) -> Result<UserId> {
    access.user().map(|user| user.id).ok_or_else(Error::signed_out)
}

fn unknown() -> Error {
    Error::not_found("This project has no such view")
}

fn view_id(text: &str) -> Result<ViewId> {
    text.parse().map(ViewId).map_err(|_| unknown())
}
