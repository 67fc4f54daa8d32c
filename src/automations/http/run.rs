//! `/api/automations/{id}/run`, and the summary of what automations did.

use super::{automation_id, unknown};
use crate::access::{Platform, ReadPlatform, StartSession};
use crate::automations::service::{self, Call, MANUAL, kept};
use crate::automations::sql::{self, summary};
use crate::automations::{AutomationEvent, Summary};
use crate::error::{Error, Result};
use crate::http::extract::{MaybeJson, Query, bounded};
use crate::ids::{IssueId, OrganizationId, ProjectId};
use crate::sessions::service::SessionService;
use crate::sessions::service::jobs::{JobMaker, Preview};
use crate::sessions::{Origin, Session};
use crate::store::{Connection, Main};
use crate::time::{DAY, Timestamp};
use crate::{issues, organizations, sessions};
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

/// Days of a summary, by default and at most.
const DAYS: u64 = 30;
const DAYS_MAX: u64 = 366;

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAutomation {
    /// The project that it is about,
    #[serde(alias = "project_id")]
    pub project_id: Option<ProjectId>,
    /// and the issue.
    #[serde(alias = "issue_id")]
    pub issue_id: Option<IssueId>,
    /// True: nothing is started; the answer says what the agent would get.
    #[serde(default, alias = "dry_run")]
    pub dry_run: bool,
}

#[derive(Serialize, ToSchema)]
pub struct RunAnswer {
    /// `null` for a dry run.
    pub event: Option<AutomationEvent>,
    /// `null` for a dry run, and if none was started: the event says why.
    pub session: Option<Session>,
    /// Of a dry run.
    pub preview: Option<Preview>,
}

/// Runs an automation now, whatever its triggers and gates say; only its budgets count. Or shows what its agent would get. What
/// a key or a token runs may only read, unless the automation may open pull requests.
#[utoipa::path(post, path = "/api/automations/{automation_id}/run", tag = "automation",
    extensions(("x-access" = json!(Platform::<StartSession>::needs()))),
    params(("automation_id" = String, Path)), request_body = RunAutomation,
    responses((status = 201, body = RunAnswer), (status = 200, body = RunAnswer, description = "A dry run")))]
pub async fn run_automation(
    State(sessions): State<SessionService>,
    State(maker): State<JobMaker>,
    access: Platform<StartSession>,
    Path(id): Path<String>,
    MaybeJson(body): MaybeJson<RunAutomation>,
) -> Result<(StatusCode, Answer<RunAnswer>)> {
    let id = automation_id(&id)?;
    let (standing, organization, by) = (access.standing(), access.organization, access.creator());
    let is_by_person = access.origin() == Origin::Web;
    let is_public = !is_by_person && body.issue_id.is_some();
    if body.dry_run {
        return dry_run(&sessions.main, &maker, organization, id, (body, is_by_person)).await;
    }
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        sql::get(tx, organization, id)?.ok_or_else(unknown)?;
        let (project, issue) = about(tx, organization, &body)?;
        let payload = json!({ "event": "manual", "project_id": project, "issue_id": issue, "user_id": by });
        let payload = kept(&payload);
        let call = Call {
            project,
            issue,
            by,
            is_manual: true,
            is_by_person,
            is_public,
            ..Call::of(id, None, MANUAL, &payload)
        };
        let outcome = service::accept(tx, &call, Timestamp::now())?;
        let session = match outcome.session {
            Some(session) => sessions::sql::get(tx, organization, session)?,
            None => None,
        };
        Ok((service::event(tx, outcome.event)?, session))
    });
    let (event, session) = write.await?;
    if let Some(session) = &session {
        sessions.changed(session.id);
        sessions.issue_changed(session.issue());
    }
    Ok((StatusCode::CREATED, Answer(RunAnswer { event, session, preview: None })))
}

async fn dry_run(
    main: &Main,
    maker: &JobMaker,
    organization: OrganizationId,
    id: crate::ids::AutomationId,
    (body, is_by_person): (RunAutomation, bool),
) -> Result<(StatusCode, Answer<RunAnswer>)> {
    let read = main.read(move |c| {
        let automation = sql::get(c, organization, id)?.ok_or_else(unknown)?;
        let (project, issue) = about(c, organization, &body)?;
        let payload = kept(&json!({}));
        let is_public = !is_by_person && issue.is_some();
        let call = Call { project, issue, is_by_person, is_public, ..Call::of(id, None, MANUAL, &payload) };
        let skip = service::skip(c, &automation, &call, Timestamp::now())?;
        Ok((service::plan(c, (organization, &automation), &call)?, skip))
    });
    let (new, skip) = read.await?;
    let preview = maker.preview(new, None, skip.map(|skip| skip.as_str().to_owned())).await?;
    Ok((StatusCode::OK, Answer(RunAnswer { event: None, session: None, preview: Some(preview) })))
}

/// The named project and issue.
///
/// # Errors
/// 422 for those that the organization does not have.
fn about(
    c: &Connection,
    organization: OrganizationId,
    body: &RunAutomation,
) -> Result<(Option<ProjectId>, Option<IssueId>)> {
    let fault = |field: &str, what: &str| {
        Err(Error::invalid(format!("{field}: this organization has no such {what}")))
    };
    if let Some(issue) = body.issue_id {
        return match issues::sql::home(c, issue)? {
            Some((of, project)) if of == organization && body.project_id.is_none_or(|id| id == project) => {
                Ok((Some(project), Some(issue)))
            }
            _ => fault("issueId", "issue"),
        };
    }
    match body.project_id {
        Some(project) if organizations::sql::of_project(c, project)? != Some(organization) => {
            fault("projectId", "project")
        }
        project => Ok((project, None)),
    }
}

/// Of which days.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SummaryQuery {
    /// 1 to 366. Default: 30.
    #[param(value_type = Option<i64>)]
    pub days: Option<String>,
}

/// Sums up what the organization's automations did in the last days.
#[utoipa::path(get, path = "/api/automations/summary", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(SummaryQuery), responses((status = 200, body = Summary)))]
pub async fn get_automations_summary(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Query(query): Query<SummaryQuery>,
) -> Result<Answer<Summary>> {
    let days = bounded("days", query.days.as_deref(), DAYS, 1, DAYS_MAX)?;
    let now = Timestamp::now();
    let read = main.read(move |c| summary::summary(c, access.organization, (now.plus(-days * DAY), now)));
    read.await.map(Answer)
}
