//! `/api/sessions/{id}/stream`.

use super::{service, session_id};
use crate::access::{Callers, Platform, ReadPlatform};
use crate::error::{Error, Result};
use crate::http::STREAM_HEADERS;
use crate::http::extract::{Query, bounded};
use crate::ids::SessionId;
use crate::live::{Control, HEARTBEAT, Hub, RETRY, SessionSubscription};
use crate::sessions::sql::{self, messages};
use crate::sessions::{Message, Session};
use crate::store::Main;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval_at};
use utoipa::IntoParams;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Entries read at once.
const AT_ONCE: i64 = 200;

/// Where to begin.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SessionStreamQuery {
    /// The id of the last message received: the stream starts with what came after it. The header `Last-Event-ID`, which
    /// browsers send by themselves, takes precedence. Default: the beginning.
    #[param(value_type = Option<i64>)]
    pub after: Option<String>,
}

/// Streams a session as server-sent events.
///
/// `event: message` has a `SessionMessage` as its `data`, each once and in order, with its `id`; `event: session` an
/// `AgentSession`, first as it is now, then whenever it changes. At most four batches a second. `event: deleted` is the last
/// one of a session that was deleted. A comment every 15 seconds shows that the connection is alive. The stream ends when
/// the caller signs out or loses access.
#[utoipa::path(get, path = "/api/sessions/{agent_session_id}/stream", tag = "automation",
    extensions(("x-access" = json!(Platform::<ReadPlatform>::needs()))),
    params(("agent_session_id" = String, Path), SessionStreamQuery),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "Open until it is closed"),
        (status = 429, description = "Too many streams of this caller are open")))]
pub async fn stream_session(
    State(main): State<Main>,
    State(live): State<Arc<Hub>>,
    State(callers): State<Arc<Callers>>,
    access: Platform<ReadPlatform>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(query): Query<SessionStreamQuery>,
) -> Result<Response> {
    let id = session_id(&id)?;
    let header = headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or_default());
    let last = header.or(query.after.as_deref()).filter(|id| !id.is_empty());
    let after = bounded("after", last, 0, 0, i64::MAX.unsigned_abs())?;
    let organization = access.organization;
    main.read(move |c| sql::get(c, organization, id)).await?.ok_or_else(service::unknown)?;
    let watcher = access.watcher();
    let stream = Stream {
        control: live.control(),
        subscription: live.watch_session(id, watcher)?,
        beats: interval_at(Instant::now() + HEARTBEAT, HEARTBEAT),
        progress: Progress { id, after, shown: String::new(), is_over: false, has_greeted: false },
        main,
        callers,
        access,
    };
    let events = stream::unfold(stream, Stream::next)
        .flat_map(|events| stream::iter(events.into_iter().map(Ok::<_, Infallible>)));
    Ok((STREAM_HEADERS, Sse::new(events)).into_response())
}

struct Stream {
    main: Main,
    callers: Arc<Callers>,
    access: Platform<ReadPlatform>,
    subscription: SessionSubscription,
    control: watch::Receiver<Control>,
    beats: Interval,
    progress: Progress,
}

/// What was sent so far.
struct Progress {
    id: SessionId,
    /// The last message.
    after: i64,
    /// The session as it was shown last.
    shown: String,
    is_over: bool,
    has_greeted: bool,
}

impl Stream {
    /// The next events; `None` at the end.
    async fn next(mut self) -> Option<(Vec<Event>, Self)> {
        if self.progress.is_over {
            return None;
        }
        let events = if self.progress.has_greeted { self.events().await? } else { vec![self.greeting()?] };
        Some((events, self))
    }

    fn greeting(&mut self) -> Option<Event> {
        self.progress.has_greeted = true;
        let is_stopping = self.control.borrow().stopping;
        (!is_stopping).then(|| Event::default().retry(RETRY).id(self.progress.after.to_string()))
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
                () = self.subscription.changed() => {
                    let (session, messages) = self.read().await.ok()?;
                    // Access may have been lost during the read, so check first.
                    if self.control.has_changed().ok()? {
                        self.subscription.again();
                        continue;
                    }
                    let events = self.tell(session, &messages);
                    if !events.is_empty() {
                        return Some(events);
                    }
                }
            }
        }
    }

    async fn read(&self) -> Result<(Option<Session>, Vec<Message>), Error> {
        let (organization, id, after) = (self.access.organization, self.progress.id, self.progress.after);
        let read =
            move |c: &_| Ok((sql::get_whole(c, organization, id)?, messages::list(c, id, after, AT_ONCE)?));
        self.main.read(read).await
    }

    fn tell(&mut self, session: Option<Session>, messages: &[Message]) -> Vec<Event> {
        let progress = &mut self.progress;
        let mut events = Vec::new();
        for message in messages {
            progress.after = message.id;
            events.push(event("message", progress.after, message));
        }
        if i64::try_from(messages.len()).unwrap_or(i64::MAX) >= AT_ONCE {
            self.subscription.again();
        }
        let Some(session) = session else {
            progress.is_over = true;
            events.push(Event::default().event("deleted").id(progress.after.to_string()).data("{}"));
            return events;
        };
        let shown = serde_json::to_string(&session).unwrap_or_default();
        if shown != progress.shown {
            events.push(Event::default().event("session").id(progress.after.to_string()).data(&shown));
            progress.shown = shown;
        }
        events
    }
}

fn event<T: serde::Serialize>(name: &str, id: i64, data: &T) -> Event {
    Event::default().event(name).id(id.to_string()).json_data(data).unwrap_or_default()
}
