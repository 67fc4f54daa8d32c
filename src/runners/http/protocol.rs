//! `/api/runners/self`: the requests of runners.

use crate::access::RunnerAccess;
use crate::error::{Error, Result};
use crate::http::extract::Json;
use crate::ids::SessionId;
use crate::repositories;
use crate::runners::check_labels;
use crate::runners::protocol::{
    BODY_MAX, COST, ClaimAnswer, ClaimRequest, EmptyAnswer, FinishRequest, Job, Mirror, MirrorAnswer,
    OutputAnswer, OutputRequest, RenewAnswer, RenewRequest,
};
use crate::sessions::service::jobs::{JobMaker, Setback};
use crate::sessions::service::runs::Caller;
use crate::sessions::service::{SessionService, unknown};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use tokio::sync::oneshot;

/// Gives the runner a session, or waits for one: 204 if there was none, or if the one there was cannot begin now, because the
/// model gateway gives no key for it.
#[utoipa::path(post, path = "/api/runners/self/claim", tag = "runners",
    extensions(("x-access" = json!(RunnerAccess::needs()))), security(("runner" = [])),
    request_body = ClaimRequest,
    responses((status = 200, body = ClaimAnswer), (status = 204, description = "No session waits")))]
pub async fn claim_session(
    State(sessions): State<SessionService>,
    State(maker): State<JobMaker>,
    RunnerAccess(runner): RunnerAccess,
    Json(mut body): Json<ClaimRequest, BODY_MAX>,
) -> Result<Response> {
    body.check()?;
    body.labels = check_labels("labels", body.labels)?;
    body.uncounted.sort_unstable();
    body.uncounted.dedup();
    if maker.gateway.is_some() && !body.own_models {
        // The session's key has the cap as its budget.
        body.uncounted.retain(|name| name != COST);
    }
    let (answer, answered) = oneshot::channel();
    // In its own task: if the runner disconnects, the claimed session is given back.
    tokio::spawn(give(sessions, maker, runner, body, answer));
    let answer = answered.await.map_err(|_| Error::internal("the task of a claim is gone"))?;
    Ok(match answer? {
        Some(job) => Answer(ClaimAnswer { job: *job }).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// The result of a claim, on its way to the runner.
type ClaimResult = Result<Option<Box<Job>>>;

/// Claims a session for a runner, unless it hangs up, and makes its job.
async fn give(
    sessions: SessionService,
    maker: JobMaker,
    runner: Caller,
    request: ClaimRequest,
    mut answer: oneshot::Sender<ClaimResult>,
) {
    let held = match sessions.claim(&runner, &request, answer.closed()).await {
        Ok(Some(held)) => held,
        nothing => return drop(answer.send(nothing.map(|_| None))),
    };
    let given = match maker.make(&runner, &held, !request.own_models).await {
        Ok(Ok(job)) => Ok(Some(Box::new(job))),
        Ok(Err(Setback(why))) => {
            let put_off = sessions.put_off(&held, &why).await;
            return drop(answer.send(put_off.map(|()| None)));
        }
        Err(error) => Err(error),
    };
    let is_given = given.is_ok();
    let is_heard = answer.send(given).is_ok();
    if (!is_given || !is_heard)
        && let Err(error) = sessions.unclaim(&held).await
    {
        tracing::warn!(session = %held.id, ?error, "a claim could not be given back; its lease will end");
    }
}

/// Renews a lease, and tells the runner what people ask and said.
#[utoipa::path(post, path = "/api/runners/self/sessions/{agent_session_id}/renew", tag = "runners",
    extensions(("x-access" = json!(RunnerAccess::needs()))), security(("runner" = [])),
    params(("agent_session_id" = String, Path)), request_body = RenewRequest,
    responses((status = 200, body = RenewAnswer), (status = 409, description = "The lease has ended")))]
pub async fn renew_lease(
    State(sessions): State<SessionService>,
    RunnerAccess(runner): RunnerAccess,
    Path(id): Path<String>,
    Json(body): Json<RenewRequest, BODY_MAX>,
) -> Result<Answer<RenewAnswer>> {
    sessions.renew(&runner, session_id(&id)?, body).await.map(Answer)
}

/// Adds output to the transcript. It is stored when this is answered.
#[utoipa::path(post, path = "/api/runners/self/sessions/{agent_session_id}/output", tag = "runners",
    extensions(("x-access" = json!(RunnerAccess::needs()))), security(("runner" = [])),
    params(("agent_session_id" = String, Path)), request_body = OutputRequest,
    responses((status = 200, body = OutputAnswer), (status = 409, description = "The lease has ended")))]
pub async fn add_output(
    State(sessions): State<SessionService>,
    RunnerAccess(runner): RunnerAccess,
    Path(id): Path<String>,
    Json(body): Json<OutputRequest, BODY_MAX>,
) -> Result<Answer<OutputAnswer>> {
    sessions.output(&runner, session_id(&id)?, body).await.map(Answer)
}

/// Reports how the work on a session ended.
#[utoipa::path(post, path = "/api/runners/self/sessions/{agent_session_id}/finish", tag = "runners",
    extensions(("x-access" = json!(RunnerAccess::needs()))), security(("runner" = [])),
    params(("agent_session_id" = String, Path)), request_body = FinishRequest,
    responses((status = 200, body = EmptyAnswer), (status = 409, description = "The lease has ended")))]
pub async fn finish_session(
    State(sessions): State<SessionService>,
    RunnerAccess(runner): RunnerAccess,
    Path(id): Path<String>,
    Json(body): Json<FinishRequest, BODY_MAX>,
) -> Result<Answer<EmptyAnswer>> {
    sessions.finish(&runner, session_id(&id)?, body).await?;
    Ok(Answer(EmptyAnswer {}))
}

/// Notes that the runner has a mirror of a repository.
#[utoipa::path(post, path = "/api/runners/self/mirrors", tag = "runners",
    extensions(("x-access" = json!(RunnerAccess::needs()))), security(("runner" = [])),
    request_body = Mirror, responses((status = 200, body = MirrorAnswer)))]
pub async fn report_mirror(
    State(sessions): State<SessionService>,
    RunnerAccess(runner): RunnerAccess,
    Json(body): Json<Mirror, BODY_MAX>,
) -> Result<Answer<MirrorAnswer>> {
    let write = sessions.main.write(move |tx| {
        let place = (body.repository_id, runner.id);
        repositories::sql::mirror(tx, runner.organization, place, body.commit.as_deref(), Timestamp::now())
    });
    Ok(Answer(MirrorAnswer { is_wanted: write.await? }))
}

fn session_id(text: &str) -> Result<SessionId, Error> {
    SessionId::parse(text).ok_or_else(unknown)
}
