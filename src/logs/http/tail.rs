//! `/api/v1/projects/{project_id}/logs/tail`: server-sent events.

use crate::access::Callers;
use crate::access::{Access, Read};
use crate::error::Result;
use crate::event::log_batch::StoredBatch;
use crate::http::STREAM_HEADERS;
use crate::http::extract::Query;
use crate::live::Hub;
use crate::live::{Control, StreamSlot};
use crate::logs::recent::WatcherBatch;
use crate::logs::search::{Filters, LogEntry};
use crate::logs::store::LogStore;
use crate::logs::store::Shared;
use crate::search::EntryId;
use crate::search::query::{self, Node};
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, Interval, interval_at, sleep_until};
use utoipa::ToSchema;

/// The interval between heartbeats. Before each, the watcher's access is checked again, which axum's own
/// keep-alive does not do.
const HEARTBEAT: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_secs(15) };
/// Entries that arrive within this time go into one message.
const GATHERED: Duration = Duration::from_millis(250);
/// The most entries of a message; a page cannot show more in that time anyway.
const ENTRIES_MAX: usize = 500;
/// The most bytes of their texts.
const BYTES_MAX: usize = 2 << 20;

/// `event: logs`.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct LogsArrived {
    /// In order of arrival, at most 500.
    pub logs: Vec<LogEntry>,
    /// Number of entries that are missing here: more matched than fit into a message, or the reader was too
    /// slow and missed some, whether or not they would have matched.
    pub skipped: u64,
    #[serde(skip)]
    bytes: usize,
}

/// Streams a project's log entries as they are stored, as server-sent events.
///
/// `event: logs` has a `LogsArrived` as its `data`, at most four messages a second. The times in the filters
/// are ignored. A comment every 15 seconds shows that the connection is alive; the stream ends when the
/// caller signs out or loses access.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/logs/tail", tag = "logs",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), Filters),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "Open until it is closed"),
        (status = 422), (status = 429, description = "Too many streams are open")))]
pub async fn tail_logs(
    State(logs): State<LogStore>,
    State(live): State<Arc<Hub>>,
    State(callers): State<Arc<Callers>>,
    access: Access<Read>,
    Query(filters): Query<Filters>,
) -> Result<Response> {
    let place = live.place(access.watcher())?;
    let (batches, seen) = logs.recent.watch(access.project.id);
    let stream = Stream {
        control: live.control(),
        batches,
        seen,
        beats: interval_at(Instant::now() + HEARTBEAT, HEARTBEAT),
        query: filters.query()?,
        greeted: false,
        _place: place,
        logs,
        callers,
        access,
    };
    Ok((STREAM_HEADERS, Sse::new(stream::unfold(stream, Stream::next))).into_response())
}

struct Stream {
    logs: LogStore,
    callers: Arc<Callers>,
    access: Access<Read>,
    batches: broadcast::Receiver<WatcherBatch>,
    /// Entries of the project that arrived or were missed since the server's start.
    seen: u64,
    control: watch::Receiver<Control>,
    beats: Interval,
    query: Option<Node>,
    greeted: bool,
    _place: StreamSlot,
}

impl Stream {
    /// The next event; `None` at the end.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let event = if self.greeted { self.event().await? } else { Event::default().comment("listening") };
        self.greeted = true;
        Some((Ok(event), self))
    }

    async fn event(&mut self) -> Option<Event> {
        if self.control.borrow().stopping {
            return None;
        }
        loop {
            tokio::select! {
                // In this order, so that nothing is sent after access was lost, however much arrives.
                biased;
                changed = self.control.changed() => {
                    changed.ok()?;
                    self.look().await?;
                }
                _ = self.beats.tick() => {
                    self.access.renew(&self.callers).await.ok()?;
                    let arrived = LogsArrived { skipped: self.missed(), ..LogsArrived::default() };
                    return Some(if arrived.skipped > 0 { message(&arrived) } else { Event::default().comment("alive") });
                }
                batch = self.batches.recv() => {
                    let mut arrived = LogsArrived::default();
                    self.take(batch, &mut arrived)?;
                    if !arrived.logs.is_empty() || arrived.skipped > 0 {
                        return self.gather(arrived).await;
                    }
                }
            }
        }
    }

    /// Checks whether the stream may continue.
    async fn look(&mut self) -> Option<()> {
        let stopping = self.control.borrow_and_update().stopping;
        (!stopping).then_some(())?;
        self.access.renew(&self.callers).await.ok()
    }

    /// Waits a moment for further entries.
    async fn gather(&mut self, mut arrived: LogsArrived) -> Option<Event> {
        let until = Instant::now() + GATHERED;
        loop {
            tokio::select! {
                biased;
                changed = self.control.changed() => {
                    changed.ok()?;
                    self.look().await?;
                }
                () = sleep_until(until) => break,
                batch = self.batches.recv() => self.take(batch, &mut arrived)?,
            }
        }
        Some(message(&arrived))
    }

    fn take(&mut self, received: Result<WatcherBatch, RecvError>, arrived: &mut LogsArrived) -> Option<()> {
        match received {
            Ok(watched) if watched.project == self.access.project.id => {
                // A batch that was dropped is missed.
                let Some(batch) = watched.batch() else { return Some(()) };
                arrived.skipped += watched.before.saturating_sub(self.seen);
                self.seen = watched.before + batch.plain.count as u64;
                add(&batch, self.query.as_ref(), arrived);
            }
            // The next batch of the project shows how many of its entries were missed.
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return None,
        }
        Some(())
    }

    /// How many entries of the project were missed, in case no further batch arrives that would show it.
    fn missed(&mut self) -> u64 {
        if !self.batches.is_empty() {
            return 0;
        }
        let count = self.logs.recent.count(self.access.project.id);
        // One may have arrived just now.
        if !self.batches.is_empty() {
            return 0;
        }
        count.saturating_sub(std::mem::replace(&mut self.seen, count))
    }
}

fn message(arrived: &LogsArrived) -> Event {
    Event::default().event("logs").json_data(arrived).unwrap_or_default()
}

fn add(batch: &StoredBatch, query: Option<&Node>, arrived: &mut LogsArrived) {
    let shared = Shared {
        received_at: batch.received_at,
        environment: &batch.plain.environment,
        release: batch.plain.release.as_deref(),
    };
    for (place, entry) in batch.plain.entries().enumerate() {
        let Ok(entry) = entry else { return };
        if query.is_some_and(|query| !query::matches(query, shared.environment, shared.release, &entry)) {
            continue;
        }
        if arrived.logs.len() == ENTRIES_MAX || arrived.bytes > BYTES_MAX {
            arrived.skipped += 1;
            continue;
        }
        arrived.bytes += entry.message.len() + entry.attributes.as_deref().map_or(0, str::len);
        arrived.logs.push(LogEntry::new(EntryId::new(batch.id, place), entry, shared, query));
    }
}
