//! `/api/sessions`.

pub mod defaults;
pub mod messages;
pub mod proceed;
pub mod record;
pub mod release;
pub mod runs;
pub mod stream;

use super::caps::Caps;
use super::service::jobs::{JobMaker, Preview};
use super::service::{self, SessionChange, SessionService};
use super::sql::{self, NewSession, SessionFilter};
use super::{Mode, Origin, Session, SessionStatus, SessionType, TITLE_MAX};
use crate::access::{Platform, ReadPlatform, RunAgents, StartSession};
use crate::accounts::people::People;
use crate::automations::github::OWN_BRANCHES;
use crate::automations::{
    AGENT_MAX, DEFAULT_AGENT, MODEL_MAX, TIME_LIMIT, check_instructions, check_time_limit, check_word,
};
use crate::error::{Error, Result};
use crate::http::extract::{MaybeJson, Paging, Query};
use crate::ids::{AutomationId, IssueId, ProjectId, RepositoryId, SessionId};
use crate::repositories::address::check_branch;
use crate::repositories::check_text;
use crate::repositories::http::Deleted;
use crate::runners::check_labels;
use crate::store::Main;
use crate::text::shown;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
#[schema(as = AgentSessions)]
pub struct Sessions {
    pub sessions: Vec<Session>,
    pub total: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = OneAgentSession)]
pub struct OneSession {
    pub session: Session,
}

/// Which sessions to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct SessionQuery {
    pub status: Option<String>,
    #[serde(alias = "repo_id")]
    pub repo_id: Option<String>,
    #[serde(alias = "automation_id")]
    pub automation_id: Option<String>,
    #[serde(alias = "project_id")]
    pub project_id: Option<String>,
    #[serde(alias = "issue_id")]
    pub issue_id: Option<String>,
}

impl SessionQuery {
    fn filter(&self) -> Result<SessionFilter> {
        let fault = |name: &str, what: &str, got: &str| {
            Error::invalid(format!("{name}: expected {what}, got `{}`", shown(got, 64)))
        };
        let status = self.status.as_deref().map(|text| {
            let what = "starting, running, paused, suspended, stopped or failed";
            SessionStatus::parse(text).ok_or_else(|| fault("status", what, text))
        });
        let repository = self.repo_id.as_deref();
        let repository =
            repository.map(|id| RepositoryId::parse(id).ok_or_else(|| fault("repoId", "a UUID", id)));
        let automation = self.automation_id.as_deref();
        let automation =
            automation.map(|id| AutomationId::parse(id).ok_or_else(|| fault("automationId", "a UUID", id)));
        let number = |name, text: &Option<String>| {
            let read = |text: &String| text.parse().map_err(|_| fault(name, "a number", text));
            text.as_ref().map(read).transpose()
        };
        Ok(SessionFilter {
            status: status.transpose()?,
            repository: repository.transpose()?,
            automation: automation.transpose()?,
            project: number("projectId", &self.project_id)?.map(ProjectId),
            issue: number("issueId", &self.issue_id)?.map(IssueId),
        })
    }
}

/// Lists the organization's sessions, newest first, at most 200 at once.
#[utoipa::path(get, path = "/api/sessions", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(SessionQuery, Paging), responses((status = 200, body = Sessions)))]
pub async fn list_agent_sessions(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Query(query): Query<SessionQuery>,
    Query(paging): Query<Paging>,
) -> Result<Answer<Sessions>> {
    let (filter, page) = (query.filter()?, paging.page(50, 200)?);
    let (sessions, total) = main.read(move |c| sql::list(c, access.organization, &filter, page)).await?;
    Ok(Answer(Sessions { sessions, total }))
}

/// Shows a session.
#[utoipa::path(get, path = "/api/sessions/{agent_session_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("agent_session_id" = String, Path)), responses((status = 200, body = OneSession)))]
pub async fn get_session(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Answer<OneSession>> {
    let id = session_id(&id)?;
    let session = main.read(move |c| sql::get_whole(c, access.organization, id)).await?;
    Ok(Answer(OneSession { session: session.ok_or_else(service::unknown)? }))
}

/// Deletes a session with its transcript. A runner that has it stops it.
#[utoipa::path(delete, path = "/api/sessions/{agent_session_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<RunAgents>::needs()))),
    params(("agent_session_id" = String, Path)), responses((status = 200, body = Deleted)))]
pub async fn delete_session(
    State(sessions): State<SessionService>,
    access: Platform<RunAgents>,
    Path(id): Path<String>,
) -> Result<Answer<Deleted>> {
    let id = session_id(&id)?;
    let (standing, actor, organization) = (access.standing(), access.actor(), access.organization);
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        service::delete(tx, organization, (id, &actor), Timestamp::now())
    });
    let issue = write.await?;
    sessions.changed(id);
    sessions.issue_changed(issue);
    Ok(Answer(Deleted { deleted: true }))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSession {
    /// The repository it works in. Default: that of the project, if one is named.
    #[serde(alias = "repo_id")]
    pub repo_id: Option<RepositoryId>,
    /// At most 200 characters are kept.
    pub title: Option<String>,
    /// Default: `coding`, the only one that can be started: `setup` and `terminal` are reserved, and refused.
    #[serde(alias = "session_type")]
    pub session_type: Option<SessionType>,
    /// Up to 64 characters. Default: `claude-code`.
    #[serde(alias = "agent_type")]
    pub agent_type: Option<String>,
    /// Up to 128 characters. Default: `SERVICE_DEFAULT_MODEL_ID`.
    #[serde(alias = "model_id")]
    pub model_id: Option<String>,
    /// What the agent is asked to do, at most 64 KiB.
    pub prompt: Option<String>,
    /// The project that it is about,
    #[serde(alias = "project_id")]
    pub project_id: Option<ProjectId>,
    /// and the issue, about which the agent is told what Mayday knows.
    #[serde(alias = "issue_id")]
    pub issue_id: Option<IssueId>,
    /// A session that it goes on from: in the same repository, it begins at the branch that this one pushed. What was said
    /// in it does not follow.
    #[serde(alias = "parent_session_id")]
    pub parent_session_id: Option<SessionId>,
    /// What a runner must have to be given it: at most 20.
    pub labels: Option<Vec<String>>,
    /// Minutes that it may take, 1 to 1,440. Default: 60.
    #[serde(alias = "time_limit_minutes")]
    pub time_limit_minutes: Option<i64>,
    /// What it may use at most. Default: what the organization's sessions may; a key or a token gets no more than that.
    #[serde(default)]
    pub caps: Caps,
    /// True: nothing is started; the answer says what the agent would get.
    #[serde(default, alias = "dry_run")]
    pub dry_run: bool,
}

/// A session that was started, or what its agent would get.
#[derive(Serialize, ToSchema)]
pub struct StartAnswer {
    /// `null` for a dry run.
    pub session: Option<Session>,
    /// Of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub preview: Option<Preview>,
}

impl CreateSession {
    /// # Errors
    /// 422 naming what does not fit.
    fn checked(self, access: &Platform<StartSession>, people: &People) -> Result<NewSession> {
        let prompt = check_instructions("prompt", self.prompt.unwrap_or_default())?;
        let agent = self.agent_type.as_deref().unwrap_or(DEFAULT_AGENT);
        let model =
            self.model_id.as_deref().map(|word| check_word("modelId", word, MODEL_MAX)).transpose()?;
        let title = match self.title.as_deref().unwrap_or_default().trim() {
            "" => {
                prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or("Untitled session").to_owned()
            }
            title => title.to_owned(),
        };
        Ok(NewSession {
            organization: access.organization,
            repository: self.repo_id,
            automation: None,
            project: self.project_id,
            issue: self.issue_id,
            created_by: access.creator(),
            parent: self.parent_session_id,
            session_type: check_type(self.session_type.unwrap_or(SessionType::Coding))?,
            origin: access.origin(),
            title,
            prompt,
            agent_type: check_word("agentType", agent, AGENT_MAX)?,
            model_id: model.or_else(|| people.config.automation.default_model.clone()),
            labels: check_labels("labels", self.labels.unwrap_or_default())?,
            time_limit_minutes: check_time_limit(self.time_limit_minutes.unwrap_or(TIME_LIMIT))?,
            caps: self.caps.check()?,
            agentic_repo: false,
            mode: Mode::Write,
            is_public: false,
        })
    }
}

/// Runners would run an agent whatever the type is.
fn check_type(wanted: SessionType) -> Result<SessionType> {
    if wanted == SessionType::Coding {
        return Ok(wanted);
    }
    let wanted = wanted.as_str();
    Err(Error::invalid(format!(
        "sessionType: expected coding, since no runner can run a {wanted} session yet"
    )))
}

/// Starts a session: a runner takes it as soon as one is free. One that a key or a token starts may only read until a person
/// who is signed in lets it write.
#[utoipa::path(post, path = "/api/sessions", tag = "automation",
    extensions(("x-access" = json!(Platform::<StartSession>::needs()))),
    request_body = CreateSession,
    responses((status = 201, body = StartAnswer), (status = 200, body = StartAnswer, description = "A dry run"),
        (status = 409, description = "Too many sessions are waiting")))]
pub async fn create_session(
    State(people): State<Arc<People>>,
    State(sessions): State<SessionService>,
    State(maker): State<JobMaker>,
    access: Platform<StartSession>,
    MaybeJson(body): MaybeJson<CreateSession>,
) -> Result<(StatusCode, Answer<StartAnswer>)> {
    let (standing, organization, dry_run) = (access.standing(), access.organization, body.dry_run);
    let new = body.checked(&access, &people)?;
    if dry_run {
        let new = people.main.read(move |c| service::completed(c, new)).await?;
        let preview = maker.preview(new, None, None).await?;
        return Ok((StatusCode::OK, Answer(StartAnswer { session: None, preview: Some(preview) })));
    }
    let write = people.main.write(move |tx| {
        standing.check(tx)?;
        let id = service::start_checked(tx, new, Timestamp::now())?;
        sql::get(tx, organization, id)?.ok_or_else(service::unknown)
    });
    let session = write.await?;
    sessions.changed(session.id);
    sessions.issue_changed(session.issue());
    Ok((StatusCode::CREATED, Answer(StartAnswer { session: Some(session), preview: None })))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSession {
    /// At most 200 characters are kept.
    pub title: Option<String>,
    /// `paused`, `running` (goes on) or `stopped`.
    pub status: Option<SessionStatus>,
    /// Begins with `mayday/`: whatever the branch has is replaced.
    #[serde(alias = "branch_name")]
    pub branch_name: Option<String>,
    /// `write` lets a session push that may only read. Only a person who is signed in may say so: keys and tokens may not.
    pub mode: Option<Mode>,
}

/// The runner overwrites a session's branch, so it must not be one that people work on.
fn check_own_branch(name: &str) -> Result<String> {
    let branch = check_branch("branchName", name)?;
    if branch.starts_with(OWN_BRANCHES) {
        return Ok(branch);
    }
    Err(Error::invalid(format!(
        "branchName: expected a name that begins with {OWN_BRANCHES}, because what is at the branch is replaced; got `{}`",
        shown(name, 64)
    )))
}

/// Renames, pauses, resumes or stops a session.
#[utoipa::path(patch, path = "/api/sessions/{agent_session_id}", tag = "automation",
    extensions(("x-access" = json!(Platform::<RunAgents>::needs()))),
    params(("agent_session_id" = String, Path)), request_body = UpdateSession,
    responses((status = 200, body = OneSession), (status = 409, description = "It cannot have that status now")))]
pub async fn update_session(
    State(sessions): State<SessionService>,
    access: Platform<RunAgents>,
    Path(id): Path<String>,
    MaybeJson(body): MaybeJson<UpdateSession>,
) -> Result<Answer<OneSession>> {
    let id = session_id(&id)?;
    let title = body.title.map(|title| check_text("title", &title, TITLE_MAX)).transpose()?;
    let branch = body.branch_name.map(|name| check_own_branch(&name)).transpose()?;
    // An agent may have a key or a token, and must not lift its own restrictions.
    if body.mode == Some(Mode::Write) && access.origin() != Origin::Web {
        return Err(Error::forbidden(
            "mode: only a person who is signed in may let a session write, no key and no token",
        ));
    }
    let by = access.person().map(|person| person.user.name.clone());
    let is_by_tool = access.origin() != Origin::Web;
    let change =
        SessionChange { title, branch_name: branch, status: body.status, mode: body.mode, by, is_by_tool };
    let (standing, organization) = (access.standing(), access.organization);
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        service::change(tx, organization, id, &change, Timestamp::now())
    });
    let session = write.await?;
    sessions.changed(id);
    sessions.issue_changed(session.issue());
    Ok(Answer(OneSession { session }))
}

fn session_id(text: &str) -> Result<SessionId> {
    SessionId::parse(text).ok_or_else(service::unknown)
}
