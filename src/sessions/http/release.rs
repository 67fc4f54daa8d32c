//! `/api/sessions/{agent_session_id}/release`.

use super::{OneSession, session_id};
use crate::access::{LetThrough, Platform};
use crate::error::Result;
use crate::sessions::service::SessionService;
use crate::sessions::service::release::release;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};

/// Has what was held back pushed. Only a person who is signed in may: keys and tokens may not.
#[utoipa::path(post, path = "/api/sessions/{agent_session_id}/release", tag = "automation",
    extensions(("x-access" = json!(Platform::<LetThrough>::needs()))),
    params(("agent_session_id" = String, Path)),
    responses((status = 200, body = OneSession),
        (status = 409, description = "Nothing is held back, the session has not ended, or its runner was removed")))]
pub async fn release_session(
    State(sessions): State<SessionService>,
    access: Platform<LetThrough>,
    Path(id): Path<String>,
) -> Result<Answer<OneSession>> {
    let id = session_id(&id)?;
    let by = access.person().map(|person| person.user.name.clone());
    let (standing, organization) = (access.standing(), access.organization);
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        release(tx, organization, id, by.as_deref(), Timestamp::now())
    });
    let session = write.await?;
    sessions.changed(id);
    sessions.issue_changed(session.issue());
    Ok(Answer(OneSession { session }))
}
