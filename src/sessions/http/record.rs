//! `/api/sessions/{agent_session_id}/record`.

use super::session_id;
use crate::access::{Platform, ReadPlatform};
use crate::error::Result;
use crate::sessions::service;
use crate::sessions::sql::{self, messages};
use crate::sessions::{Message, Session};
use crate::store::Main;
use axum::Json as Answer;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Entries read at once, so that others can read in between.
const AT_ONCE: i64 = 1_000;

/// All that is known of a session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SessionRecord)]
pub struct Record {
    pub session: Session,
    /// The transcript, oldest first.
    pub messages: Vec<Message>,
}

/// All that is known of a session in one file: what it is, and its transcript with what the agent wrote, what its runner let
/// through to which host, and what people decided.
#[utoipa::path(get, path = "/api/sessions/{agent_session_id}/record", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("agent_session_id" = String, Path)), responses((status = 200, body = Record)))]
pub async fn get_session_record(
    State(main): State<Main>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
) -> Result<Response> {
    let id = session_id(&id)?;
    let organization = access.organization;
    let session =
        main.read(move |c| sql::get_whole(c, organization, id)).await?.ok_or_else(service::unknown)?;
    let mut all: Vec<Message> = Vec::new();
    loop {
        let after = all.last().map_or(0, |last| last.id);
        let next = main.read(move |c| messages::list(c, id, after, AT_ONCE)).await?;
        let is_last = next.len() < usize::try_from(AT_ONCE).unwrap_or(usize::MAX);
        all.extend(next);
        if is_last {
            break;
        }
    }
    let name = format!("attachment; filename=\"session-{id}.json\"");
    Ok(([(CONTENT_DISPOSITION, name)], Answer(Record { session, messages: all })).into_response())
}
