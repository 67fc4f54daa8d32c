//! `POST /api/v1/replays` and `/replays/chunk`.

use crate::access::Needs;
use crate::error::{Error, Result};
use crate::event::replay::{Segment, WIRE_MAX};
use crate::http::body::{self, Encoding};
use crate::http::extract::Query;
use crate::ids::ProjectId;
use crate::intake::admit::{Category, Cost, admit};
use crate::intake::directory::Directory;
use crate::intake::http::require_json;
use crate::intake::prepare::in_place;
use crate::intake::store::{Row, Store};
use crate::metrics::Metrics;
use crate::replays::service::decode::{self, Around, Form};
use crate::replays::service::files::Files;
use crate::replays::service::segment;
use crate::store::Disk;
use crate::text;
use crate::time::Timestamp;
use axum::Json as Answer;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tempfile::NamedTempFile;
use utoipa::{IntoParams, ToSchema};

/// Characters of a browser's name for itself.
const USER_AGENT_MAX: usize = 512;
/// The most bytes in which a body's key is searched, to find whose share it counts towards.
const BEGINNING: usize = 16 << 10;

/// What the handlers of replays need.
#[derive(Clone)]
pub struct ReplayIntake {
    pub store: Store,
    pub files: Files,
    pub directory: Arc<Directory>,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SentParams {
    /// When the client sends the request, by its own clock: milliseconds since 1970. Shows how far that clock is off.
    #[param(value_type = Option<i64>)]
    sent: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct AcceptedReplay {
    /// As sent, or made from `session_id` and `window_id`.
    pub replay_id: String,
}

/// What a whole replay is about; its parts carry the same in `metadata`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; the fields are read one by one")]
pub struct ReplayUpload {
    /// A project key with the scope `ingest`. To be named within the first 16 KiB of a body: a larger one without it
    /// waits among those of unknown senders, and is refused (503) while they send too much.
    api_key: String,
    /// 1 to 128 characters.
    session_id: String,
    /// 1 to 128 characters.
    window_id: String,
    /// 1 to 128 characters. Default: one made from session and window.
    replay_id: Option<String>,
    /// The error event that it was sent with.
    event_id: Option<String>,
    /// Milliseconds since the epoch, or ISO 8601.
    #[schema(value_type = f64)]
    start_timestamp: f64,
    /// At most 60 minutes later.
    #[schema(value_type = f64)]
    end_timestamp: f64,
    duration_ms: Option<f64>,
    has_full_snapshot: Option<bool>,
    environment: Option<String>,
    release: Option<String>,
    url: Option<String>,
    /// Of rrweb, which recorded it; 1 to 64 characters.
    rrweb_version: Option<String>,
    #[schema(value_type = Option<Object>)]
    user: Option<serde_json::Value>,
    #[schema(value_type = Option<Object>)]
    account: Option<serde_json::Value>,
    /// Events of rrweb, nested at most 256 levels deep.
    #[schema(value_type = Vec<Object>)]
    events: Vec<serde_json::Value>,
}

/// A part of a replay.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; the fields are read one by one")]
pub struct ReplayChunk {
    /// A project key with the scope `ingest`. To be named within the first 16 KiB of a body: a larger one without it
    /// waits among those of unknown senders, and is refused (503) while they send too much.
    api_key: String,
    session_id: String,
    window_id: String,
    replay_id: Option<String>,
    event_id: Option<String>,
    /// 0 to 9,999. Chunks may arrive in any order, and more than once.
    chunk_index: u32,
    /// Of a chunk that is sent in several requests since it is larger than one may be: which of them it is.
    part: Option<ChunkPart>,
    /// `null` while it is unknown.
    total_chunks: Option<u32>,
    /// The fields of a whole replay from `start_timestamp` to `account`; needed with chunk 0, there with the first part.
    #[schema(value_type = Option<Object>)]
    metadata: Option<serde_json::Value>,
    #[schema(value_type = Vec<Object>)]
    events: Vec<serde_json::Value>,
}

/// A part of a chunk. Each has events of its own, which follow those of the part before it: no event is cut.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; the fields are read one by one")]
pub struct ChunkPart {
    /// From 0, below `count`. Parts may arrive in any order, and more than once.
    index: u32,
    /// 1 to 64. A part that names another count than the first of its chunk to arrive is dropped.
    count: u32,
}

/// Accepts a whole session replay; 202 promises that it is on disk.
#[utoipa::path(post, path = "/api/v1/replays", tag = "ingestion", security(()),
    extensions(("x-access" = json!(Needs::key_in_body()))), params(SentParams),
    request_body(content = ReplayUpload, description = "May be compressed with gzip, deflate, br or zstd; at most 10 MiB as sent and 100 MiB decompressed"),
    responses((status = 202, body = AcceptedReplay), (status = 400, description = "Not JSON"),
        (status = 401, description = "Invalid API key"), (status = 413, description = "Too large"),
        (status = 422, description = "A field or an event is not acceptable: nothing was stored"),
        (status = 429, description = "The project is over its rate limit: nothing was stored"), (status = 503, description = "Overloaded: try again")))]
pub async fn post_replay(
    State(intake): State<Arc<ReplayIntake>>,
    params: Result<Query<SentParams>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedReplay>)> {
    answer(&intake, &headers, Arrival::now(params), body, Form::Whole).await
}

/// Accepts a part of a session replay; 202 promises that it is on disk.
#[utoipa::path(post, path = "/api/v1/replays/chunk", tag = "ingestion", security(()),
    extensions(("x-access" = json!(Needs::key_in_body()))), params(SentParams),
    request_body(content = ReplayChunk, description = "May be compressed with gzip, deflate, br or zstd; at most 10 MiB as sent and 100 MiB decompressed"),
    responses((status = 202, body = AcceptedReplay), (status = 400, description = "Not JSON"),
        (status = 401, description = "Invalid API key"), (status = 413, description = "Too large"),
        (status = 422, description = "A field or an event is not acceptable: nothing was stored"),
        (status = 429, description = "The project is over its rate limit: nothing was stored"), (status = 503, description = "Overloaded: try again")))]
pub async fn post_replay_chunk(
    State(intake): State<Arc<ReplayIntake>>,
    params: Result<Query<SentParams>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Answer<AcceptedReplay>)> {
    answer(&intake, &headers, Arrival::now(params), body, Form::Chunk).await
}

/// When the beginning of a request arrived, by our clock, and when it was sent, as far as the client says.
struct Arrival {
    at: Timestamp,
    /// An error is told where others are, so that it counts as a refusal.
    sent: Result<Option<String>>,
}

impl Arrival {
    fn now(params: Result<Query<SentParams>>) -> Self {
        Self { at: Timestamp::now(), sent: params.map(|Query(SentParams { sent })| sent) }
    }
}

async fn answer(
    intake: &ReplayIntake,
    headers: &HeaderMap,
    arrival: Arrival,
    body: Body,
    form: Form,
) -> Result<(StatusCode, Answer<AcceptedReplay>)> {
    let taken = take(intake, headers, arrival, body, form).await;
    let replay_id = taken.inspect_err(|error| intake.metrics.intake.refused(error))?;
    Ok((StatusCode::ACCEPTED, Answer(AcceptedReplay { replay_id })))
}

async fn take(
    intake: &ReplayIntake,
    headers: &HeaderMap,
    arrival: Arrival,
    body: Body,
    form: Form,
) -> Result<String> {
    require_json(headers)?;
    let whose = |beginning: &[u8]| intake.directory.share(beginning);
    let (encoding, wire) = body::read_wire(headers, body, WIRE_MAX, whose).await?;
    intake.disk.accepting()?;
    let share = intake.directory.share(&body::beginning(encoding, &wire, BEGINNING).0);
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let user_agent = agent.map(|agent| text::clip(agent.into(), USER_AGENT_MAX).0.into_owned());
    let (directory, files) = (intake.directory.clone(), intake.files.clone());
    let work = Work { directory, files, arrival, encoding, wire, form };
    let prepared = in_place(&share, move || work.run(user_agent)).await?;
    store(intake, prepared).await
}

/// A request that is being worked on.
struct Work {
    directory: Arc<Directory>,
    files: Files,
    arrival: Arrival,
    encoding: Encoding,
    wire: Bytes,
    form: Form,
}

/// A segment whose events are in a file that is not kept yet.
struct Prepared {
    project: ProjectId,
    segment: Segment,
    file: Option<NamedTempFile>,
    received_at: Timestamp,
}

impl Work {
    fn run(self, user_agent: Option<String>) -> Result<Prepared> {
        let Self { directory, files, arrival, encoding, wire, form } = self;
        let head = segment::head(encoding, &wire)?;
        let given = decode::key(&head)?;
        let cost = Ok(Cost { items: 1, bytes: wire.len() });
        let key = admit(&directory, given.as_deref(), Category::Replays, cost)?;
        let now = Timestamp::now();
        let around = Around { environment: key.environment.as_deref(), user_agent, now };
        let mut segment = decode::segment(&head, form, &key.scrubber, around)?;
        segment.lag = arrival.sent?.map(|sent| decode::lag(&sent, arrival.at)).transpose()?;
        let mut file = files.create()?;
        let (summary, scrubbed) = segment::write_events(encoding, &wire, &key.scrubber, &mut file)?;
        if summary.events == 0 && form == Form::Whole {
            return Err(Error::invalid("events: expected at least one event"));
        }
        let file = file.finish()?;
        let has_events = summary.events > 0;
        segment.scrubbed += scrubbed;
        segment.summary = summary;
        segment.summary.stored_bytes = file.as_file().metadata().map_err(Error::storage)?.len().cast_signed();
        Ok(Prepared { project: key.project, segment, file: has_events.then_some(file), received_at: now })
    }
}

/// The file first, then the record that names it.
async fn store(intake: &ReplayIntake, prepared: Prepared) -> Result<String> {
    let Prepared { project, mut segment, file, received_at } = prepared;
    if let Some(file) = file {
        let files = intake.files.clone();
        let kept = tokio::task::spawn_blocking(move || files.keep(file)).await.map_err(Error::internal)?;
        segment.file = Some(kept?);
    }
    let row = Row::replay(&intake.store.packer, project, &segment, received_at)?;
    intake.store.add(vec![row]).await?;
    Ok(segment.replay_id)
}
