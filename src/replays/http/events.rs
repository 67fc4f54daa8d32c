//! `/api/v1/replays/{replay_id}/events`: the recording itself, streamed.

use super::{WhichProject, find_project, not_found};
use crate::access::{Access, Callers, Read, Reader};
use crate::error::{Error, Result};
use crate::event::replay::{FileName, SEGMENTS_MAX};
use crate::http::extract::{Query, bounded};
use crate::replays::sequence::{Extent, Gap, GapReason, Item, Part, drawn_from, sequence};
use crate::replays::service::ReplayService;
use crate::replays::service::files::Files;
use crate::replays::sql;
use crate::time::Timestamp;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::json;
use std::io::Read as _;
use std::sync::Arc;
use utoipa::IntoParams;

/// Bytes read at once.
const PIECE: usize = 256 << 10;
/// The latest moment, in milliseconds: an hour, and what players bear beyond it.
const AT_MAX: u64 = 3_900_000;
const FIRST: HeaderName = HeaderName::from_static("x-first-chunk");
const NEXT: HeaderName = HeaderName::from_static("x-next-chunk");

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsParams {
    /// The first part to send, from 0; default 0.
    #[param(value_type = Option<i64>)]
    from_chunk: Option<String>,
    /// In place of `from_chunk`: milliseconds after the first event, from 0 to 3,900,000. The first part is the latest
    /// with a full snapshot from before that moment, so that it can be drawn without what came earlier.
    #[param(value_type = Option<i64>)]
    at: Option<String>,
}

/// Where to begin.
#[derive(Clone, Copy)]
enum Begin {
    Part(i64),
    /// Milliseconds after the first event.
    Moment(i64),
}

impl EventsParams {
    fn begin(&self) -> Result<Begin> {
        let Some(at) = self.at.as_deref() else {
            let from = bounded("from_chunk", self.from_chunk.as_deref(), 0, 0, SEGMENTS_MAX.into())?;
            return Ok(Begin::Part(from));
        };
        if self.from_chunk.is_some() {
            return Err(Error::invalid("at: cannot be combined with from_chunk"));
        }
        Ok(Begin::Moment(bounded("at", Some(at), 0, 0, AT_MAX)?))
    }
}

impl Begin {
    /// The first part to look at.
    fn least(self) -> i64 {
        match self {
            Self::Part(from) => from,
            Self::Moment(_) => 0,
        }
    }

    fn of(self, parts: &[Part]) -> i64 {
        match self {
            Self::Part(from) => from,
            Self::Moment(at) => drawn_from(parts, at),
        }
    }
}

/// Streams the rrweb events of a replay as one JSON array, part by part.
///
/// The header `X-First-Chunk` says with which chunk the answer begins, and `X-Next-Chunk` which `from_chunk` continues a
/// replay that is still being received: until it is complete or old, the answer ends before the first chunk that is not
/// there with all of its parts, unless a later one arrived 15 seconds ago. In place of chunks that are missing stands an
/// event of ours: `type` 5, with `data.tag` `mayday.gap` and `data.payload` `{from_chunk, to_chunk, why}`, where `why` is
/// `never_arrived`, `file_missing` or `file_damaged`. Where only parts of one chunk are missing, it also has `from_part`
/// and `to_part`.
#[utoipa::path(get, path = "/api/v1/replays/{replay_id}/events", tag = "replays",
    extensions(("x-access" = json!(Reader::needs()))),
    params(("replay_id" = String, Path), WhichProject, EventsParams),
    responses((status = 200, body = Vec<Object>), (status = 404)))]
pub async fn list_replay_events(
    State(replays): State<ReplayService>,
    State(callers): State<Arc<Callers>>,
    Reader(caller): Reader,
    Path(replay_id): Path<String>,
    Query(which): Query<WhichProject>,
    Query(params): Query<EventsParams>,
) -> Result<Response> {
    let begin = params.begin()?;
    let asking = caller.clone();
    let read = replays.main.read(move |c| {
        let project = find_project(c, &asking, &replay_id, which.project_id.as_deref())?;
        let replay = sql::bare(c, project, &replay_id)?.ok_or_else(not_found)?;
        let mut parts = sql::parts(c, project, &replay_id, begin.least())?;
        let from = begin.of(&parts);
        parts.retain(|part| part.place >= from);
        Ok((project, Extent::from(&replay), parts, from))
    });
    let (project, replay, parts, from) = read.await?;
    let (items, next) = sequence(replay, parts, from, Timestamp::now());
    let access = Access::<Read>::to(&callers, caller, project).await?;
    let items = items.into_iter();
    let stream = Stream { replays, callers, access, items, open: None, state: ArrayState::Begin };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (FIRST, HeaderValue::from(from)),
        (NEXT, HeaderValue::from(next)),
    ];
    let pieces = futures_util::stream::try_unfold(stream, Stream::next);
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// Where the array is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArrayState {
    Begin,
    /// Nothing was sent after the bracket.
    Empty,
    Filled,
    End,
}

type Reading = Box<dyn std::io::Read + Send>;

struct Stream {
    replays: ReplayService,
    callers: Arc<Callers>,
    access: Access<Read>,
    items: std::vec::IntoIter<Item>,
    open: Option<Reading>,
    state: ArrayState,
}

impl Stream {
    /// The next bytes; an error, which cuts the connection, if the caller has lost access, or a file cannot be read
    /// just then.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        loop {
            if self.state == ArrayState::End {
                return Ok(None);
            }
            if self.state == ArrayState::Begin {
                self.state = ArrayState::Empty;
                return Ok(Some((Bytes::from_static(b"["), self)));
            }
            let Some(reading) = self.open.take() else {
                let Some(item) = self.items.next() else {
                    self.state = ArrayState::End;
                    return Ok(Some((Bytes::from_static(b"]"), self)));
                };
                let Some(bytes) = self.begin(item).await? else { continue };
                return Ok(Some((bytes, self)));
            };
            let work = move || piece(reading);
            let (bytes, reading) = tokio::task::spawn_blocking(work).await.map_err(Error::internal)??;
            if bytes.is_empty() {
                continue;
            }
            self.open = Some(reading);
            self.state = ArrayState::Filled;
            return Ok(Some((bytes, self)));
        }
    }

    /// Opens a segment, or reports a gap; returns the bytes before its events.
    async fn begin(&mut self, item: Item) -> Result<Option<Bytes>> {
        let comma = if self.state == ArrayState::Filled { "," } else { "" };
        let gap = match item {
            Item::Gap(gap) => gap,
            Item::Part(part) => {
                let Some(file) = part.file else { return Ok(None) };
                self.access.renew(&self.callers).await?;
                match open(&self.replays.files, file).await? {
                    Ok(reading) => {
                        self.open = Some(reading);
                        return Ok((!comma.is_empty()).then(|| comma.into()));
                    }
                    Err(why) => part.gap(why),
                }
            }
        };
        self.state = ArrayState::Filled;
        Ok(Some(format!("{comma}{}", event_of(&gap)).into()))
    }
}

/// The event that represents a gap.
fn event_of(gap: &Gap) -> String {
    let data = json!({"tag": "mayday.gap", "payload": gap});
    json!({"type": 5, "timestamp": gap.at, "data": data}).to_string()
}

/// Opens a file, or says why it cannot be read.
async fn open(files: &Files, file: FileName) -> Result<Result<Reading, GapReason>> {
    let files = files.clone();
    let work = move || -> Result<_> { Ok(files.read(&file)?.map(|reading| Box::new(reading) as Reading)) };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

fn piece(mut reading: Reading) -> Result<(Bytes, Reading)> {
    let mut bytes = Vec::with_capacity(PIECE);
    reading.by_ref().take(PIECE as u64).read_to_end(&mut bytes).map_err(Error::internal)?;
    Ok((bytes.into(), reading))
}
