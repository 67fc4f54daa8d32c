//! `/api/sessions/{id}/messages`.

use super::session_id;
use crate::access::{Platform, ReadPlatform, RunAgents};
use crate::automations::check_instructions;
use crate::error::{Error, Result};
use crate::http::extract::{Json, Query, bounded};
use crate::sessions::service::{self, SessionService};
use crate::sessions::sql::messages::{self, Author};
use crate::sessions::{Message, Origin, sql};
use crate::store::Main;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

#[derive(Serialize, ToSchema)]
pub struct Messages {
    pub messages: Vec<Message>,
}

/// Which messages to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessageQuery {
    /// The id of a message: only what comes after it.
    #[param(value_type = Option<i64>)]
    pub after: Option<String>,
    /// 1 to 1,000. Default: 200.
    #[param(value_type = Option<i64>)]
    pub limit: Option<String>,
}

/// Lists a session's transcript, oldest first.
#[utoipa::path(get, path = "/api/sessions/{agent_session_id}/messages", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("agent_session_id" = String, Path), MessageQuery), responses((status = 200, body = Messages)))]
pub async fn list_messages(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
    Query(query): Query<MessageQuery>,
) -> Result<Answer<Messages>> {
    let id = session_id(&id)?;
    let after = bounded("after", query.after.as_deref(), 0, 0, i64::MAX.unsigned_abs())?;
    let limit = bounded("limit", query.limit.as_deref(), 200, 1, 1_000)?;
    let read = main.read(move |c| {
        sql::get(c, access.organization, id)?.ok_or_else(service::unknown)?;
        messages::list(c, id, after, limit)
    });
    Ok(Answer(Messages { messages: read.await? }))
}

#[derive(Deserialize, ToSchema)]
pub struct CreateMessage {
    /// 1 byte to 64 KiB.
    pub content: String,
}

#[derive(Serialize, ToSchema)]
pub struct OneMessage {
    pub message: Message,
}

/// Says something to the agent. If a key or a token does, the session only reads from then on, until a
/// person who is signed in lets it write; and only such a person allows what an agent asks for.
#[utoipa::path(post, path = "/api/sessions/{agent_session_id}/messages", tag = "automation",
    extensions(("x-access" = json!(Platform::<RunAgents>::needs()))),
    params(("agent_session_id" = String, Path)), request_body = CreateMessage,
    responses((status = 201, body = OneMessage), (status = 409, description = "The session has ended")))]
pub async fn create_message(
    State(sessions): State<SessionService>,
    access: Platform<RunAgents>,
    Path(id): Path<String>,
    Json(body): Json<CreateMessage>,
) -> Result<(StatusCode, Answer<OneMessage>)> {
    let id = session_id(&id)?;
    let content = check_instructions("content", body.content)?;
    if content.trim().is_empty() {
        return Err(Error::invalid("content: expected a message"));
    }
    let (standing, organization) = (access.standing(), access.organization);
    let by = Author { id: access.creator(), is_signed_in: access.origin() == Origin::Web };
    let write = sessions.main.write(move |tx| {
        standing.check(tx)?;
        service::say(tx, organization, id, (&content, by), Timestamp::now())
    });
    let message = write.await?;
    sessions.live.session_changed(id);
    Ok((StatusCode::CREATED, Answer(OneMessage { message })))
}
