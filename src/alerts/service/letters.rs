//! A message on its way to a channel. What is known of its issue is added when it is sent: the log entries of a trace often
//! come after the error, and nothing that writes waits for a search of the logs.

use crate::alerts::letter::Letter;
use crate::alerts::message::Details;
use crate::context::untrusted::frame_line;
use crate::delivery::hook::Hooks;
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use crate::error::Result;
use crate::event::log_entry::Entry;
use crate::events::{self, Event};
use crate::ids::{IssueId, ProjectId};
use crate::logs::correlation::window;
use crate::logs::search::{LogEntry, fact};
use crate::logs::store::{LogStore, Shared};
use crate::releases::service::Maps;
use crate::search::facts::value_of;
use crate::search::{Order, Scope};
use crate::store::Main;
use crate::text::line;
use crate::time::SECOND;
use std::sync::Arc;
use std::time::Duration;

/// A message without details is better than a late one.
const DETAILS_TIMEOUT: Duration = Duration::from_secs(3);
/// Frames of the exception that was thrown, and the last log entries of its trace.
const FRAMES_MAX: usize = 5;
const LOGS_MAX: usize = 5;
/// Characters of one of them.
const LINE_MAX: usize = 300;
/// Entries that the client wrote this long after the error, in milliseconds, may have been written before it.
const LATE: i64 = SECOND;

/// Sends letters.
pub struct Letters {
    pub hooks: Hooks,
    pub main: Main,
    pub maps: Arc<Maps>,
    pub logs: LogStore,
}

impl Letters {
    async fn post(&self, parcel: &Parcel) -> Result<(), Failure> {
        let letter = serde_json::from_slice(&parcel.payload);
        let letter: Letter = letter.map_err(|_| Failure::permanent("the message can no longer be read"))?;
        let mut message = letter.message;
        if let Some((project, issue)) = letter.issue {
            message.details = self.details_in_time(project, issue).await;
        }
        self.hooks.post(&message.hook(letter.kind, &letter.target), &parcel.idempotency_key).await
    }

    async fn details_in_time(&self, project: ProjectId, issue: IssueId) -> Details {
        match tokio::time::timeout(DETAILS_TIMEOUT, self.details(project, issue)).await {
            Ok(Ok(details)) => details,
            Ok(Err(error)) => {
                tracing::warn!(issue = issue.0, ?error, "a message goes without details of its issue");
                Details::default()
            }
            Err(_) => Details::default(),
        }
    }

    /// Of the newest event.
    async fn details(&self, project: ProjectId, issue: IssueId) -> Result<Details> {
        let maps = self.maps.clone();
        let read = self.main.read(move |c| match events::sql::place(c, project, issue, None)? {
            Some(newest) => events::service::view(c, maps, project, &newest.event_id),
            None => Ok(None),
        });
        let Some(event) = read.await? else { return Ok(Details::default()) };
        let logs = self.last_logs(project, &event).await?;
        Ok(Details::new(throwing(&event), logs))
    }

    /// The last log entries of an event's trace before it, the newest first.
    async fn last_logs(&self, project: ProjectId, event: &Event) -> Result<Vec<String>> {
        let Some(trace) = event.trace_id.as_deref().filter(|trace| !trace.is_empty()) else {
            return Ok(Vec::new());
        };
        let (start, end) = (window(event.timestamp).0, event.timestamp.plus(LATE));
        let scope = Scope { project, start, end, query: Some(fact("trace", &value_of(trace))) };
        let (ids, _) =
            self.logs.index.search(move |view| view.page(&scope, Order::Newest, 0, LOGS_MAX)).await?;
        let show =
            |id, entry: Entry<'_>, shared: Shared<'_>| log_line(&LogEntry::new(id, entry, shared, None));
        self.logs.found(project, ids, show).await
    }
}

impl Transport for Letters {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(self.post(parcel))
    }
}

/// The first frames of the exception that was thrown: those of the application, if it has any.
fn throwing(event: &Event) -> Vec<String> {
    let Some(exception) = &event.exception else { return Vec::new() };
    let is_ours = exception.frames.iter().any(|frame| frame.in_app);
    let frames = exception.frames.iter().filter(|frame| frame.in_app || !is_ours);
    frames.take(FRAMES_MAX).map(|frame| line(&frame_line(frame), LINE_MAX)).collect()
}

/// `10:00:00.123 error shop.db: the connection was refused`.
fn log_line(entry: &LogEntry) -> String {
    let at = entry.timestamp.to_string();
    let time = at.get(11..23).unwrap_or(&at);
    let logger = entry.logger_name.as_deref().map(|name| format!(" {}", line(name, 60))).unwrap_or_default();
    line(&format!("{time} {}{logger}: {}", entry.level.as_str(), entry.message), LINE_MAX)
}
