//! The text of each kind of list row. All of it is text from outside, which `answer.rs` marks.

use crate::context::untrusted::frame_line;
use crate::events::{EventSummary, ExceptionView, FrameView, Nearest};
use crate::issues::{Issue, SimilarIssue, Tag};
use crate::projects::Project;
use crate::releases::ReleaseHealth;
use crate::text::line;
use std::fmt::Write as _;

/// Values of a tag.
const VALUES_MAX: usize = 5;

pub fn project(project: &Project, organization: &str) -> String {
    let platform = project.platform.as_deref().unwrap_or("no platform");
    format!(
        "project_id {}: {} ({}) in {}",
        project.id,
        line(&project.name, 128),
        line(platform, 64),
        line(organization, 128)
    )
}

pub fn issue(issue: &Issue) -> String {
    let substatus = issue.substatus.map_or(String::new(), |kind| format!(" ({kind:?})").to_lowercase());
    let assignee = issue.assignee.as_ref().map_or("nobody", |user| &user.email);
    let within = issue.within.as_ref().map_or(String::new(), |within| {
        format!(" ({} of them within, the last {})", within.event_count, within.last_seen)
    });
    format!(
        "issue_id {} {}: {}\n  {}{substatus}, {}, {} events{within}, {} users, first {}, last {}, assigned to {}\n  at {}",
        issue.id,
        issue.short_id,
        line(&issue.title, 300),
        issue.status.as_str(),
        issue.level.as_str(),
        issue.event_count,
        issue.user_count,
        issue.first_seen,
        issue.last_seen,
        line(assignee, 128),
        line(&issue.culprit, 300),
    )
}

pub fn similar(issue: &SimilarIssue) -> String {
    let why = if issue.has_same_culprit { "the same place" } else { "the same type" };
    let fixed =
        issue.resolved_in_release.as_deref().map_or(String::new(), |release| format!(" in {release}"));
    format!(
        "issue_id {} {}: {}\n  {why}; {}{}, {} events, last {}\n  at {}",
        issue.id,
        issue.short_id,
        line(&issue.title, 300),
        issue.status.as_str(),
        line(&fixed, 140),
        issue.event_count,
        issue.last_seen,
        line(&issue.culprit, 300),
    )
}

/// Leaves out the affected person, whom a model does not need to know.
pub fn event(event: &EventSummary) -> String {
    let more = [("release", &event.release), ("page", &event.url), ("trace_id", &event.trace_id)];
    let more = more.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    let more: String = more.map(|(name, value)| format!(", {name} {}", line(value, 300))).collect();
    format!(
        "event_id {}: {}, {}, {}{more}\n  {}",
        line(&event.event_id, 200),
        event.timestamp,
        event.level.as_str(),
        line(&event.environment, 64),
        line(&event.title, 300),
    )
}

/// The heading of an exception; number 0 was thrown.
pub fn exception(number: usize, exception: &ExceptionView) -> String {
    let kind = exception.kind.as_deref().unwrap_or("exception");
    let message = exception.message.as_deref().unwrap_or_default();
    let between = if number > 0 { "caused by\n" } else { "" };
    format!("{between}{}: {}", line(kind, 200), line(message, 2_000))
}

pub fn release(health: &ReleaseHealth) -> String {
    let figures = &health.figures;
    let finalized = health.finalized_at.map_or("not finalized".to_owned(), |at| format!("finalized {at}"));
    let state = match health.created_at {
        Some(at) => format!("created {at}, {finalized}, {} source maps", health.source_map_count),
        None => "not created, only events name it".to_owned(),
    };
    let last = figures.last_event_at.map_or(String::new(), |at| format!(", last event {at}"));
    format!(
        "{}: {state}\n  {} events, {} issues ({} new, {} regressed), {} users{last}",
        line(&health.version, 128),
        figures.event_count,
        figures.issue_count,
        figures.new_issue_count,
        figures.regression_count,
        figures.user_count,
    )
}

pub fn tags(tags: &[Tag]) -> String {
    let mut text = String::new();
    for tag in tags.iter().filter(|tag| !matches!(tag.facet.as_str(), "user" | "account")) {
        let values = tag.values.iter().take(VALUES_MAX);
        let values: Vec<String> =
            values.map(|value| format!("{} ({})", line(&value.value, 100), value.count)).collect();
        let more = usize::try_from(tag.unique).unwrap_or(usize::MAX).saturating_sub(values.len());
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let _ = writeln!(text, "{}: {}{more}", line(&tag.key, 100), values.join(", "));
    }
    text
}

/// Why a frame is not resolved; `None` if it is, or cannot be.
pub fn unresolved(frame: &FrameView) -> Option<String> {
    let why = frame.unresolved.as_ref()?;
    let mut text = format!("{}\n  rule {:?}: {}", frame_line(frame), why.rule, line(&why.detail, 1_000));
    if let Some(wanted) = &why.looked_for {
        let _ = write!(text, "\n  looked for: {}", line(wanted, 500));
    }
    text.push_str(&nearest(&why.nearest));
    text.push_str(&mend(why.command.as_deref()));
    Some(text)
}

/// The command to run.
pub fn mend(command: Option<&str>) -> String {
    command.map_or_else(String::new, |command| {
        format!("\n  to mend it, in the pipeline: {}", line(command, 1_000))
    })
}

/// The closest stored source maps.
pub fn nearest(maps: &[Nearest]) -> String {
    maps.iter().fold(String::new(), |mut text, map| {
        let (url, release) = (line(&map.url, 500), line(&map.release, 128));
        let _ = write!(text, "\n  nearest: {url} of release {release}: {}", line(&map.why, 500));
        text
    })
}
