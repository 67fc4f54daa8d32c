//! `list_releases` and `explain_frames`.

use super::{Calls, after, source};
use crate::access::{Read, ReadReleases};
use crate::context::untrusted;
use crate::error::{Error, Result};
use crate::events::{FrameView, Unresolved};
use crate::http::extract::Query;
use crate::mcp::answer::{Row, ToolResult, list};
use crate::mcp::results::{RELEASES, UNRESOLVED_FRAMES};
use crate::mcp::{rows, sources};
use crate::releases::dashboard::http as dashboard;
use crate::releases::dashboard::service::UnresolvedUrl;
use crate::text::line;
use axum::extract::{Path, State};
use serde_json::{Map, Value, json};

impl Calls<'_> {
    pub(super) async fn list_releases(&self) -> Result<ToolResult> {
        let access = self.access::<ReadReleases>().await?;
        let (page, offset) = self.page(25)?;
        let params = self.given.query(&["query"], &page)?;
        let main = State(self.state.issues.main.clone());
        let found = dashboard::list_releases(main, access, Query(params)).await?.0;
        let all: Vec<Row> = found.releases.iter().map(|one| (rows::release(one), source(one))).collect();
        let (head, count) = (format!("{} releases match, the newest first.", found.total), all.len());
        let (told, shown) = list((&RELEASES, "releases"), &head, json!({ "total": found.total }), all);
        Ok(told.with_cursor(after(offset, shown, count, found.has_more)))
    }

    pub(super) async fn explain_frames(&self) -> Result<ToolResult> {
        match (self.given.get("event_id"), self.given.get("release")) {
            (Some(_), None) => self.explain_event().await,
            (None, Some(release)) => self.explain_release(release).await,
            _ => Err(Error::invalid("event_id, release: expected one of the two")),
        }
    }

    async fn explain_event(&self) -> Result<ToolResult> {
        let event = self.event().await?;
        let offset = self.given.cursor()?;
        let chain = untrusted::chain(&event).enumerate();
        let frames: Vec<_> =
            chain.flat_map(|(number, one)| one.frames.iter().map(move |frame| (number, frame))).collect();
        let explained = |(number, frame): &(usize, &FrameView)| {
            let mut source = sources::frame(*number, frame, false);
            source.as_object_mut()?.extend(source_of(frame.unresolved.as_ref()?));
            Some((rows::unresolved(frame)?, source))
        };
        let all: Vec<Row> = frames.iter().filter_map(explained).collect();
        let head = format!("{} of the event's {} frames are not resolved.", all.len(), frames.len());
        Ok(told(&head, all.len(), all, offset))
    }

    async fn explain_release(&self, release: &str) -> Result<ToolResult> {
        let access = self.access::<Read>().await?;
        let offset = self.given.cursor()?;
        let (main, maps) = (State(self.state.issues.main.clone()), State(self.state.context.maps.clone()));
        let path = Path((String::new(), release.to_owned()));
        let found = dashboard::list_unresolved_frames(main, maps, access, path).await?.0;
        let head = format!(
            "{} kinds of frames of the release are not resolved, in {} events of {} issues that were looked at.",
            found.total, found.checked_events, found.checked_issues
        );
        let all = found.unresolved.iter().map(|one| (row(one), source(one))).collect();
        Ok(told(&head, found.total, all, offset))
    }
}

/// The rows from number `offset` on.
fn told(head: &str, total: usize, all: Vec<Row>, offset: usize) -> ToolResult {
    let left: Vec<Row> = all.into_iter().skip(offset).collect();
    let count = left.len();
    let (told, shown) = list((&UNRESOLVED_FRAMES, "frames"), head, json!({ "total": total }), left);
    told.with_cursor(after(offset, shown, count, false))
}

/// Why a frame is not resolved, as fields.
fn source_of(why: &Unresolved) -> Map<String, Value> {
    source(why).as_object().cloned().unwrap_or_default()
}

fn row(found: &UnresolvedUrl) -> String {
    format!(
        "{}: {} frames of {} events, last seen {} (event_id {}, issue_id {})\n  rule {:?}: {}{}{}",
        line(&found.url, 500),
        found.frame_count,
        found.event_count,
        found.last_seen,
        line(&found.last_event_id, 200),
        found.last_issue_id,
        found.rule,
        line(&found.detail, 1_000),
        rows::nearest(&found.nearest),
        rows::mend(found.command.as_deref()),
    )
}
