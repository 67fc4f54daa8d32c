//! `list_events`, `get_event` and `search_logs`.

use super::{Calls, source};
use crate::access::Read;
use crate::context::service::{logs, replay};
use crate::context::untrusted;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::http::extract::Query;
use crate::issues;
use crate::logs::http::search::list_logs;
use crate::logs::search::{Filters, LogEntry};
use crate::mcp::answer::{Row, ToolResult, list};
use crate::mcp::parts::{self, Part};
use crate::mcp::results::{EVENTS, LOGS, WHOLE_EVENT};
use crate::mcp::{rows, sources};
use crate::replays::steps::{STEPS_MAX, Step};
use crate::text::line;
use crate::time::Timestamp;
use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

impl Calls<'_> {
    /// The cursor is the last event that was shown, because new events come before it. Its id is text from outside,
    /// so it is encoded.
    pub(super) async fn list_events(&self) -> Result<ToolResult> {
        let access = self.access::<Read>().await?;
        let mut added = vec![("limit", self.given.get("limit").unwrap_or("25").to_owned())];
        if let Some(cursor) = self.given.get("cursor") {
            added.push(("before", event_of(cursor).ok_or_else(no_cursor)?));
        }
        let params = self.given.query(&["facet"], &added)?;
        let (state, path) = (State(self.state.issues.clone()), Path(self.issue_path()?));
        let found = issues::http::events::list_issue_events(state, access, path, Query(params)).await?.0;
        let all: Vec<Row> = found.events.iter().map(|one| (rows::event(one), source(one))).collect();
        let (head, count) = (format!("{} events match, the newest first.", found.total), all.len());
        let (told, shown) = list((&EVENTS, "events"), &head, json!({ "total": found.total }), all);
        let next = match found.events.get(shown.wrapping_sub(1)) {
            Some(last) if shown < count => Some(last.event_id.clone()),
            _ => found.next,
        };
        Ok(told.with_cursor(next.map(|id| URL_SAFE_NO_PAD.encode(id))))
    }

    pub(super) async fn get_event(&self) -> Result<ToolResult> {
        let event = self.event().await?;
        let (from, parts) = (self.given.cursor()?, event_parts(&event));
        // There may be fewer steps than when the cursor was named.
        if from > parts.len() + STEPS_MAX {
            return Err(no_cursor());
        }
        let page = self.state.context.page(event.project_id, event.issue_id);
        let head = format!(
            "# An event of issue_id {} in project_id {}\n\n- Page of the issue: {page}\n- Time: {}",
            event.issue_id, event.project_id, event.timestamp
        );
        let facts = json!({ "issue_id": event.issue_id, "project_id": event.project_id, "page": page,
            "received_at": event.received_at, "event_id": event.event_id, "timestamp": event.timestamp,
            "exceptions": [], "frames": [], "breadcrumbs": [], "fields": [], "replay": [] });
        let told = parts::page(&WHOLE_EVENT, &head, facts.clone(), parts, from);
        // It costs more to read the steps of a replay than all else, so only the pages that have room do it.
        if !told.value["next_cursor"].is_null() {
            return Ok(told);
        }
        let steps = self.state.context.steps_of(event.project_id, &event).await;
        let parts = event_parts(&event).into_iter().chain(steps.iter().map(step_part)).collect();
        Ok(parts::page(&WHOLE_EVENT, &head, facts, parts, from))
    }

    /// The event in the arguments, in their project.
    pub(super) async fn event(&self) -> Result<Event> {
        let project = self.access::<Read>().await?.project.id;
        let (maps, id) = (self.state.context.maps.clone(), self.given.text("event_id")?.to_owned());
        self.state.issues.main.read(move |c| events::http::view(c, maps, project, &id)).await
    }

    /// The cursor has the offset and the time of the newest entry of the first page, so that entries arriving
    /// meanwhile do not shift the list.
    pub(super) async fn search_logs(&self) -> Result<ToolResult> {
        let access = self.access::<Read>().await?;
        let (offset, end) = log_cursor(self.given.get("cursor"))?;
        let text = |name: &str| self.given.get(name).map(str::to_owned);
        let filters = Filters {
            levels: text("levels"),
            search: text("query"),
            environment: None,
            trace_id: text("trace_id"),
            start_time: text("start_time"),
            end_time: end.map(|end| end.to_string()).or(text("end_time")),
        };
        let limit = text("limit").unwrap_or("50".to_owned());
        let page = self.given.query(&[], &[("limit", limit), ("offset", offset.to_string())])?;
        let logs = State(self.state.context.logs.clone());
        let found = list_logs(logs, access, Query(filters), Query(page)).await?.0;
        let all: Vec<Row> = found.logs.iter().map(|one| (row(one), source(one))).collect();
        let rebuilding =
            if found.rebuilding { " The index is being rebuilt: older ones are missing." } else { "" };
        let (head, count) =
            (format!("{} entries match, the newest first.{rebuilding}", found.total), all.len());
        let facts = json!({ "total": found.total, "is_complete": !found.rebuilding });
        let (told, shown) = list((&LOGS, "entries"), &head, facts, all);
        let end = end.or_else(|| {
            let newest = found.logs.first()?.timestamp;
            // In whole milliseconds, rounded up.
            Some(Timestamp::from_millis(newest.millis() + 1))
        });
        let next = (found.has_more || shown < count)
            .then(|| format!("{}.{}", offset + shown, end.map_or(0, Timestamp::millis)));
        Ok(told.with_cursor(next))
    }
}

/// All of an event, in parts. Those of its replay come after them: more of them may still arrive.
fn event_parts(event: &Event) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |heading, list, text, source| parts.push(Part { heading, list, text, source });
    let stack = "Stack, the throw first";
    for (number, exception) in untrusted::chain(event).enumerate() {
        add(stack, "exceptions", rows::exception(number, exception), sources::exception(number, exception));
        for frame in &exception.frames {
            let code = if frame.in_app { untrusted::code(frame) } else { String::new() };
            let text = format!("{}\n{code}{}", untrusted::frame_line(frame), untrusted::vars(frame));
            let mut sent = sources::frame(number, frame, frame.in_app);
            sent["vars"] = json!(frame.vars);
            add(stack, "frames", text, sent);
        }
    }
    for crumb in &event.breadcrumbs {
        let text = untrusted::breadcrumbs(std::slice::from_ref(crumb));
        add("Breadcrumbs, the oldest first", "breadcrumbs", text, source(crumb));
    }
    for (path, value) in sources::fields(event) {
        let text = format!("{}: {value}", line(&path, 500));
        add("What else was sent", "fields", text, json!({ "path": path, "value": value }));
    }
    parts
}

fn step_part(step: &Step) -> Part {
    Part {
        heading: "What the person did and saw (replay), the oldest first",
        list: "replay",
        text: replay::text(std::slice::from_ref(step)),
        source: source(step),
    }
}

/// The event id in a cursor.
fn event_of(cursor: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()
}

fn no_cursor() -> Error {
    Error::invalid("cursor: expected the one that the last answer named")
}

fn row(entry: &LogEntry) -> String {
    let trace =
        entry.trace_id.as_deref().map_or(String::new(), |id| format!("\n  trace_id {}", line(id, 200)));
    format!("{}{trace}", logs::text(std::slice::from_ref(entry)).trim())
}

/// The number of entries to skip, and the end of the list's time range.
fn log_cursor(cursor: Option<&str>) -> Result<(usize, Option<Timestamp>)> {
    let Some(cursor) = cursor else { return Ok((0, None)) };
    let parts =
        cursor.split_once('.').and_then(|(offset, end)| Some((offset.parse().ok()?, end.parse().ok()?)));
    let (offset, end) = parts.ok_or_else(no_cursor)?;
    Ok((offset, Some(Timestamp::from_millis(end))))
}
