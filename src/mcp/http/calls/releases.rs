//! `list_releases` and `explain_frames`.

use super::{Calls, after};
use crate::access::{Read, ReadReleases};
use crate::context::untrusted;
use crate::error::{Error, Result};
use crate::http::extract::Query;
use crate::mcp::answer::{list, with_cursor};
use crate::mcp::rows;
use crate::releases::dashboard::http as dashboard;
use crate::releases::dashboard::service::UnresolvedUrl;
use crate::text::line;
use axum::extract::{Path, State};

impl Calls<'_> {
    pub(super) async fn list_releases(&self) -> Result<String> {
        let access = self.access::<ReadReleases>().await?;
        let (page, offset) = self.page(25)?;
        let params = self.given.query(&["query"], &page)?;
        let main = State(self.state.issues.main.clone());
        let found = dashboard::list_releases(main, access, Query(params)).await?.0;
        let all: Vec<String> = found.releases.iter().map(rows::release).collect();
        let (text, shown) = list(&format!("{} releases match, the newest first.", found.total), &all);
        Ok(with_cursor(text, after(offset, shown, all.len(), found.has_more)))
    }

    pub(super) async fn explain_frames(&self) -> Result<String> {
        match (self.given.get("event_id"), self.given.get("release")) {
            (Some(_), None) => self.explain_event().await,
            (None, Some(release)) => self.explain_release(release).await,
            _ => Err(Error::invalid("event_id, release: expected one of the two")),
        }
    }

    async fn explain_event(&self) -> Result<String> {
        let event = self.event().await?;
        let offset = self.given.cursor()?;
        let frames: Vec<_> = untrusted::chain(&event).flat_map(|exception| &exception.frames).collect();
        let all: Vec<String> = frames.iter().filter_map(|frame| rows::unresolved(frame)).collect();
        let head = format!("{} of the event's {} frames are not resolved.", all.len(), frames.len());
        let left = all.get(offset..).unwrap_or_default();
        let (text, shown) = list(&head, left);
        Ok(with_cursor(text, after(offset, shown, left.len(), false)))
    }

    async fn explain_release(&self, release: &str) -> Result<String> {
        let access = self.access::<Read>().await?;
        let offset = self.given.cursor()?;
        let (main, maps) = (State(self.state.issues.main.clone()), State(self.state.context.maps.clone()));
        let path = Path((String::new(), release.to_owned()));
        let found = dashboard::list_unresolved_frames(main, maps, access, path).await?.0;
        let head = format!(
            "{} kinds of frames of the release are not resolved, in {} events of {} issues that were looked at.",
            found.total, found.checked_events, found.checked_issues
        );
        let all: Vec<String> = found.unresolved.iter().skip(offset).map(row).collect();
        let (text, shown) = list(&head, &all);
        Ok(with_cursor(text, after(offset, shown, all.len(), false)))
    }
}

fn row(found: &UnresolvedUrl) -> String {
    format!(
        "{}: {} frames of {} events, last seen {} (event_id {}, issue_id {})\n  rule {:?}: {}{}",
        line(&found.url, 500),
        found.frame_count,
        found.event_count,
        found.last_seen,
        line(&found.last_event_id, 200),
        found.last_issue_id,
        found.rule,
        line(&found.detail, 1_000),
        rows::nearest(&found.nearest),
    )
}
