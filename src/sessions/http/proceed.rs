//! `/api/sessions/{agent_session_id}/continue`.

use super::{OneSession, session_id};
use crate::access::{LetThrough, Platform};
use crate::error::Result;
use crate::http::extract::MaybeJson;
use crate::sessions::caps::Caps;
use crate::sessions::service::SessionService;
use crate::sessions::service::proceed::{Proceed, proceed};
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContinueSession {
    /// Replaces all of them. Default: those that it has.
    pub caps: Option<Caps>,
    /// Minutes that it may take from now on, 1 to 1,440. Default: as before.
    #[serde(alias = "time_limit_minutes")]
    pub time_limit_minutes: Option<i64>,
}

/// Lets a session that paused at a cap or at its time limit, or was ended there, go on from what its runner kept. Only
/// a person who is signed in may: keys and tokens may not.
#[utoipa::path(post, path = "/api/sessions/{agent_session_id}/continue", tag = "automation",
    extensions(("x-access" = json!(Platform::<LetThrough>::needs()))),
    params(("agent_session_id" = String, Path)), request_body = ContinueSession,
    responses((status = 200, body = OneSession),
        (status = 409, description = "It neither paused nor was ended at a cap or time limit, or used what it may")))]
pub async fn continue_session(
    State(sessions): State<SessionService>,
    access: Platform<LetThrough>,
    Path(id): Path<String>,
    MaybeJson(body): MaybeJson<ContinueSession>,
) -> Result<Answer<OneSession>> {
    let id = session_id(&id)?;
    let by = access.person().map(|person| person.user.name.clone());
    let (standing, organization) = (access.standing(), access.organization);
    let asked = Proceed { caps: body.caps, time_limit_minutes: body.time_limit_minutes };
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        proceed(tx, organization, id, (asked, by.as_deref()), Timestamp::now())
    });
    let session = write.await?;
    sessions.changed(id);
    sessions.issue_changed(session.issue());
    Ok(Answer(OneSession { session }))
}
