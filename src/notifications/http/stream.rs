//! `/api/v1/me/stream`.

use crate::access::{Callers, SignedIn};
use crate::accounts::tokens::TokenScope;
use crate::error::Result;
use crate::http::STREAM_HEADERS;
use crate::live::{Control, HEARTBEAT, Hub, InboxSubscription, RETRY};
use crate::notifications::Inbox;
use crate::notifications::sql::inbox;
use crate::store::Main;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval_at};

/// Streams what the caller is told, as server-sent events.
///
/// `event: notification` has an `Inbox` as its `data`: first as it is now, then whenever it changes, at most four times
/// a second. A comment every 15 seconds shows that the connection is alive. The stream ends when the caller signs out.
#[utoipa::path(get, path = "/api/v1/me/stream", tag = "notifications",
    extensions(("x-access" = json!(SignedIn::needs(TokenScope::Read)))),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "Open until it is closed"),
        (status = 429, description = "Too many streams of this caller are open")))]
pub async fn stream_notifications(
    State(main): State<Main>,
    State(live): State<Arc<Hub>>,
    State(callers): State<Arc<Callers>>,
    person: SignedIn,
) -> Result<Response> {
    let subscription = live.watch_inbox(person.user.id)?;
    let stream = Stream {
        control: live.control(),
        greeted: false,
        beats: interval_at(Instant::now() + HEARTBEAT, HEARTBEAT),
        main,
        callers,
        person,
        subscription,
    };
    let next = |stream: Stream| async {
        stream.next().await.map(|(event, rest)| (Ok::<_, Infallible>(event), rest))
    };
    Ok((STREAM_HEADERS, Sse::new(stream::unfold(stream, next))).into_response())
}

struct Stream {
    main: Main,
    callers: Arc<Callers>,
    person: SignedIn,
    subscription: InboxSubscription,
    control: watch::Receiver<Control>,
    beats: Interval,
    greeted: bool,
}

impl Stream {
    /// The next event; `None` at the end.
    async fn next(mut self) -> Option<(Event, Self)> {
        let event = if self.greeted { self.event().await? } else { self.greeting()? };
        Some((event, self))
    }

    /// The id is for clients that expect one; the first message has everything they missed.
    fn greeting(&mut self) -> Option<Event> {
        self.greeted = true;
        let stopping = self.control.borrow().stopping;
        (!stopping).then(|| Event::default().retry(RETRY).id("0"))
    }

    async fn event(&mut self) -> Option<Event> {
        loop {
            tokio::select! {
                // In this order, so that nothing is sent after access was lost, however much changes.
                biased;
                changed = self.control.changed() => {
                    changed.ok()?;
                    if self.control.borrow_and_update().stopping {
                        return None;
                    }
                    self.person.renew(&self.callers).await.ok()?;
                }
                _ = self.beats.tick() => {
                    self.person.renew(&self.callers).await.ok()?;
                    return Some(Event::default().comment("alive"));
                }
                () = self.subscription.changed() => {
                    let inbox = self.inbox().await?;
                    // Access may have been lost during the read, so check first.
                    if self.control.has_changed().ok()? {
                        self.subscription.again();
                        continue;
                    }
                    return Some(message(&inbox));
                }
            }
        }
    }

    /// `None` if it cannot be read; the client reconnects.
    async fn inbox(&self) -> Option<Inbox> {
        let user = self.person.user.id;
        self.main.read(move |c| inbox::inbox(c, user)).await.ok()
    }
}

fn message(inbox: &Inbox) -> Event {
    let newest = inbox.newest.as_ref().map_or(0, |newest| newest.id.0);
    Event::default().event("notification").id(newest.to_string()).json_data(inbox).unwrap_or_default()
}
