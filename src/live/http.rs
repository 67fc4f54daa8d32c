//! `/api/v1/projects/{project_id}/stream`.

use super::hub::Delivery;
use super::{Control, EventsArrived, HEARTBEAT, IssuesChanged, RETRY, Subscription};
use crate::access::Callers;
use crate::access::{Access, Read};
use crate::error::Result;
use crate::http::STREAM_HEADERS;
use crate::http::extract::Query;
use crate::live::Hub;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval_at};
use utoipa::IntoParams;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StreamParams {
    /// The `id` of the last message received: the stream starts with what came after it. The header
    /// `Last-Event-ID`, which browsers send by themselves, takes precedence.
    last_event_id: Option<String>,
}

/// What browsers send by themselves when they reconnect.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes the header; the handler reads it where it may be missing")]
struct StreamHeaders {
    /// The same as `last_event_id`.
    #[param(rename = "Last-Event-ID", nullable = false)]
    last_event_id: Option<String>,
}

/// Streams what changes in a project, as server-sent events.
///
/// `event: issue` has an `IssuesChanged`, `event: event` an `EventsArrived` as its `data`; at most four
/// messages per second, each with an `id`. If the server cannot tell what was missed after `last_event_id`,
/// the first message is `{"ids": [], "more": true}`. A comment every 15 seconds shows that the connection is
/// alive. The stream ends when the caller signs out or loses access.
#[utoipa::path(get, path = "/api/v1/projects/{project_id}/stream", tag = "issues",
    extensions(("x-access" = json!(Access::<Read>::needs()))),
    params(("project_id" = i64, Path), StreamParams, StreamHeaders),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "Open until it is closed"),
        (status = 429, description = "Too many streams of this caller are open")))]
pub async fn stream_changes(
    State(live): State<Arc<Hub>>,
    State(callers): State<Arc<Callers>>,
    access: Access<Read>,
    headers: HeaderMap,
    Query(params): Query<StreamParams>,
) -> Result<Response> {
    let header = headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or_default());
    let last = header.or(params.last_event_id.as_deref()).filter(|id| !id.is_empty());
    let subscription = live.subscribe(access.project.id, access.watcher(), last)?;
    let stream = Stream {
        control: live.control(),
        greeted: false,
        beats: interval_at(Instant::now() + HEARTBEAT, HEARTBEAT),
        callers,
        access,
        subscription,
    };
    let events = stream::unfold(stream, Stream::next)
        .flat_map(|events| stream::iter(events.into_iter().map(Ok::<_, Infallible>)));
    Ok((STREAM_HEADERS, Sse::new(events)).into_response())
}

struct Stream {
    callers: Arc<Callers>,
    access: Access<Read>,
    subscription: Subscription,
    control: watch::Receiver<Control>,
    beats: Interval,
    greeted: bool,
}

impl Stream {
    /// The next events; `None` at the end.
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        let events = if self.greeted { self.events().await? } else { vec![self.greeting()?] };
        Some((events, self))
    }

    /// An id without data is remembered by the client but not passed to the page.
    fn greeting(&mut self) -> Option<Event> {
        self.greeted = true;
        let stopping = self.control.borrow().stopping;
        (!stopping).then(|| Event::default().retry(RETRY).id(self.subscription.id()))
    }

    async fn events(&mut self) -> Option<Vec<Event>> {
        loop {
            tokio::select! {
                // In this order, so that nothing is sent after access was lost, however much changes.
                biased;
                changed = self.control.changed() => {
                    changed.ok()?;
                    if self.control.borrow_and_update().stopping {
                        return None;
                    }
                    self.access.renew(&self.callers).await.ok()?;
                }
                _ = self.beats.tick() => {
                    self.access.renew(&self.callers).await.ok()?;
                    return Some(vec![Event::default().comment("alive")]);
                }
                delivery = self.subscription.next() => return Some(events_of(&delivery)),
            }
        }
    }
}

/// The messages of a delivery. Only the last one has the new position, so a client that received only the
/// first gets both again.
fn events_of(Delivery { changes, from, to }: &Delivery) -> Vec<Event> {
    let arrived = changes.events_arrived();
    let issues = changes.issues_changed().map(|issues| {
        let id = if arrived.is_some() { from } else { to };
        event::<IssuesChanged>("issue", id, &issues)
    });
    let arrived = arrived.map(|events| event::<EventsArrived>("event", to, &events));
    issues.into_iter().chain(arrived).collect()
}

fn event<T: Serialize>(name: &str, id: &str, data: &T) -> Event {
    Event::default().event(name).id(id).json_data(data).unwrap_or_default()
}
