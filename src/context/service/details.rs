//! Details of an issue for alert messages and mails. They are looked up when a message is sent: the log entries of a
//! trace often arrive after the error, and no transaction should wait for a log search.

use crate::cache::{Cache, Size, bounded};
use crate::context::untrusted::frame_line;
use crate::delivery::details::{Details, FindDetails, Finding};
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
use std::time::{Duration, Instant};

/// The time limit. A message without details is better than a late one.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The most frames of the thrown exception, and the most log entries of its trace.
const FRAMES_MAX: usize = 5;
const LOGS_MAX: usize = 5;
/// Characters of one of them.
const LINE_MAX: usize = 300;
/// Log entries may carry a time up to this many milliseconds after the error and still have been written before it.
const LATE: i64 = SECOND;
/// How long details are cached for other messages about the same event.
const KEPT: Duration = Duration::from_secs(5);
/// The size of the cache, in bytes and entries.
const KEPT_BYTES: u64 = 1 << 20;
const KEPT_MAX: u64 = 200;

/// An event of a project.
type Key = (ProjectId, String);

#[derive(Clone)]
struct CachedDetails {
    details: Details,
    at: Instant,
}

impl Size for CachedDetails {
    fn bytes(&self) -> u64 {
        let lines = self.details.stack.iter().chain(&self.details.logs);
        lines.map(|line| line.len() as u64).sum()
    }
}

/// Finds details of an issue: those of its newest event.
pub struct Finder {
    main: Main,
    maps: Arc<Maps>,
    logs: LogStore,
    kept: Cache<Key, CachedDetails>,
}

impl Finder {
    pub fn new(main: &Main, maps: &Arc<Maps>, logs: &LogStore) -> Self {
        let kept = bounded(KEPT_BYTES, KEPT_MAX);
        Self { main: main.clone(), maps: maps.clone(), logs: logs.clone(), kept }
    }

    async fn find_in_time(&self, project: ProjectId, issue: IssueId) -> Details {
        // If the lookup just failed, the next message does not wait for it.
        let vain = (project, format!("issue {}", issue.0));
        if self.kept.get(&vain).is_some_and(|found| found.at.elapsed() < KEPT) {
            return Details::default();
        }
        let found = tokio::time::timeout(TIMEOUT, self.details(project, issue)).await;
        if let Ok(Ok(details)) = found {
            return details;
        }
        if let Ok(Err(error)) = found {
            tracing::warn!(issue = issue.0, ?error, "a message goes without details of its issue");
        }
        self.kept.insert(vain, CachedDetails { details: Details::default(), at: Instant::now() });
        Details::default()
    }

    async fn details(&self, project: ProjectId, issue: IssueId) -> Result<Details> {
        let newest = self.main.read(move |c| events::sql::place(c, project, issue, None)).await?;
        let Some(id) = newest.map(|newest| newest.event_id) else { return Ok(Details::default()) };
        let key = (project, id);
        if let Some(found) = self.kept.get(&key).filter(|found| found.at.elapsed() < KEPT) {
            return Ok(found.details);
        }
        let (maps, id) = (self.maps.clone(), key.1.clone());
        let read = self.main.read(move |c| events::service::view(c, maps, project, &id));
        let Some(event) = read.await? else { return Ok(Details::default()) };
        let logs = self.last_logs(project, &event).await?;
        let details = Details::new(throwing(&event), logs);
        self.kept.insert(key, CachedDetails { details: details.clone(), at: Instant::now() });
        Ok(details)
    }

    /// The last log entries of an event's trace before the event, newest first.
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

impl FindDetails for Finder {
    fn find(&self, project: ProjectId, issue: IssueId) -> Finding<'_> {
        Box::pin(self.find_in_time(project, issue))
    }
}

/// The first frames of the thrown exception: in-app ones, if there are any.
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
