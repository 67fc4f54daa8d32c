//! Files with text from outside. Every line is indented and has no control characters, so that it cannot pass for a
//! heading or the end of a block.

use super::files::COMMENT_MAX;
use crate::events::{Crumb, Event, ExceptionView, FrameView};
use crate::issues::activity::Comment;
use crate::issues::{Issue, SimilarIssue};
use crate::releases::Release;
use crate::releases::commits::{SuspectCommit, SuspectCommits};
use crate::text::{clip, line, visible};
use serde_json::Value;
use std::fmt::Write as _;

/// Characters of a value on one line.
pub(super) const VALUE_MAX: usize = 2_000;
/// Characters of a line of source.
const CODE_MAX: usize = 400;
/// Frames of which the source is shown.
const SOURCES_MAX: usize = 30;
/// Exceptions shown of a chain.
const CHAIN_MAX: usize = 10;

/// The title, and what else names an issue.
pub fn issue(issue: &Issue, event: Option<&Event>) -> String {
    let mut text = String::new();
    let release = event.and_then(|event| event.release.as_deref());
    for (name, value) in [
        ("title", Some(issue.title.as_str())),
        ("culprit", Some(issue.culprit.as_str())),
        ("type", Some(issue.kind.as_str())),
        ("message", Some(issue.message.as_str())),
        ("platform", issue.platform.as_deref()),
        ("first release", issue.first_release.as_deref()),
        ("last release", issue.last_release.as_deref()),
        ("release of the event", release),
        ("environment of the event", event.map(|event| event.environment.as_str())),
        ("page of the event", event.and_then(|event| event.url.as_deref())),
        ("event", event.map(|event| event.event_id.as_str())),
    ] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = writeln!(text, "    {name}: {}", line(value, VALUE_MAX));
        }
    }
    let environments: Vec<String> = issue.environments.iter().map(|name| line(name, 64)).collect();
    let _ = writeln!(text, "    environments: {}", environments.join(", "));
    text
}

/// Commits of the release in which the issue probably began.
pub fn commits(found: &SuspectCommits) -> String {
    let mut text = String::new();
    for SuspectCommit { commit, files } in &found.commits {
        let id: String = commit.id.chars().take(12).collect();
        let at = commit.at.map(|at| at.to_string()).unwrap_or_default();
        let by = line(&commit.author, 100);
        let _ = writeln!(text, "    {id} {at} {by}: {}", line(&commit.title, VALUE_MAX));
        for file in files {
            let _ = writeln!(text, "        changed {}", line(file, VALUE_MAX));
        }
    }
    text
}

/// Comments that programs wrote with members' tokens, oldest first.
pub fn comments(comments: &[Comment]) -> String {
    let mut text = String::new();
    for comment in comments.iter().rev().filter(|comment| comment.by_token) {
        let by = comment.user.as_ref().map_or("somebody", |user| &user.name);
        let _ = writeln!(text, "    with a token of {}, {}:", line(by, 100), comment.at);
        for words in clip(comment.text.as_str().into(), COMMENT_MAX).0.lines() {
            let _ = writeln!(text, "        {}", line(words, VALUE_MAX));
        }
    }
    text
}

/// What is known of the releases in which an issue was seen. Whoever has a key of the project can name them.
pub fn releases(first: Option<&Release>, last: Option<&Release>, before: Option<&Release>) -> String {
    let mut text = String::new();
    for (what, release) in
        [("First seen in", first), ("Last seen in", last), ("The release before the first one", before)]
    {
        let Some(release) = release else { continue };
        let finalized =
            release.finalized_at.map_or("not finalized".to_owned(), |at| format!("finalized {at}"));
        let _ = writeln!(
            text,
            "    {what}: {}, created {}, {finalized}, {} source maps",
            line(&release.version, VALUE_MAX),
            release.created_at,
            release.source_map_count
        );
    }
    text
}

/// The exceptions of an event with their frames, the thrown one first.
pub fn stack(event: &Event) -> String {
    let chain: Vec<_> = chain(event).collect();
    message(event) + &exceptions(&chain, "caused by", usize::MAX)
}

/// The same with the root cause first, and at most `frames` frames of each exception.
pub fn stack_from_cause(event: &Event, frames: usize) -> String {
    let mut chain: Vec<_> = chain(event).collect();
    chain.reverse();
    message(event) + &exceptions(&chain, "which led to", frames)
}

fn message(event: &Event) -> String {
    let message = event.message.as_ref();
    message.map_or(String::new(), |message| format!("    message: {}\n\n", line(message, VALUE_MAX)))
}

fn exceptions(chain: &[&ExceptionView], between: &str, frames: usize) -> String {
    let mut text = String::new();
    for (place, exception) in chain.iter().enumerate() {
        if place > 0 {
            let _ = write!(text, "\n    {between}\n\n");
        }
        let kind = exception.kind.as_deref().unwrap_or("exception");
        let message = exception.message.as_deref().unwrap_or_default();
        let _ = writeln!(text, "    {}: {}\n", line(kind, 200), line(message, VALUE_MAX));
        exception.frames.iter().take(frames).for_each(|frame| {
            let _ = writeln!(text, "    {}", frame_line(frame));
        });
        if exception.frames.len() > frames {
            let _ = writeln!(text, "    … {} more frames", exception.frames.len() - frames);
        }
        if exception.frames.is_empty()
            && let Some(stack) = &exception.stack
        {
            stack.lines().take(frames).for_each(|raw| {
                let _ = writeln!(text, "    {}", line(raw, VALUE_MAX));
            });
        }
    }
    text
}

/// The exceptions of an event, the thrown one first.
pub fn chain(event: &Event) -> impl Iterator<Item = &ExceptionView> {
    std::iter::successors(event.exception.as_ref(), |exception| exception.cause.as_deref()).take(CHAIN_MAX)
}

/// A frame as one line, without indentation.
pub fn frame_line(frame: &FrameView) -> String {
    let own = if frame.in_app { "" } else { "  (library)" };
    if let Some(found) = &frame.resolved {
        let function = found.function.as_deref().unwrap_or("top-level code");
        let file = line(&found.file, 500);
        return format!("at {} ({file}:{}:{}){own}", line(function, 200), found.line, found.column);
    }
    let function = frame.function.as_deref().unwrap_or("?");
    let url = frame.url.as_deref().unwrap_or("?");
    let number = |number: Option<u32>| number.map_or("?".to_owned(), |number| number.to_string());
    let why = if frame.unresolved.is_some() { "  (no source map)" } else { "" };
    let (at, column) = (number(frame.line), number(frame.column));
    format!("at {} ({}:{at}:{column}){own}{why}", line(function, 200), line(url, 500))
}

/// The source around the in-app frames, the thrown exception first.
pub fn source(event: &Event) -> String {
    sources(chain(event).flat_map(|exception| exception.frames.iter()), SOURCES_MAX)
}

/// The same with the root cause first, and at most `most` frames.
pub fn source_from_cause(event: &Event, most: usize) -> String {
    let mut chain: Vec<_> = chain(event).collect();
    chain.reverse();
    sources(chain.into_iter().flat_map(|exception| exception.frames.iter()), most)
}

fn sources<'a>(frames: impl Iterator<Item = &'a FrameView>, most: usize) -> String {
    let mut text = String::new();
    for frame in frames.filter(|frame| frame.in_app && has_source(frame)).take(most) {
        let _ = writeln!(text, "    {}\n\n{}", frame_line(frame), code(frame));
    }
    text
}

/// The source around a frame; empty if there is none.
pub fn code(frame: &FrameView) -> String {
    let mut text = String::new();
    match &frame.resolved {
        _ if !has_source(frame) => {}
        Some(found) => {
            lines(&mut text, found.line, (&found.pre_context, &found.context_line, &found.post_context))
        }
        None => lines(
            &mut text,
            frame.line.unwrap_or(1),
            (&frame.pre_context, &frame.context_line, &frame.post_context),
        ),
    }
    text
}

/// What a frame's local variables held, as a line of JSON; empty if that was not sent.
pub fn vars(frame: &FrameView) -> String {
    let vars = frame.vars.as_ref();
    vars.map_or(String::new(), |vars| format!("    vars: {}\n", line(&vars.to_string(), VALUE_MAX)))
}

fn has_source(frame: &FrameView) -> bool {
    frame.context_line.is_some() || frame.resolved.as_ref().is_some_and(|found| found.context_line.is_some())
}

fn lines(text: &mut String, number: u32, (before, at, after): (&[String], &Option<String>, &[String])) {
    let first = number.saturating_sub(u32::try_from(before.len()).unwrap_or(0));
    let all = before.iter().chain(at).chain(after);
    for (place, code) in (first..).zip(all) {
        let mark = if place == number { '>' } else { ' ' };
        // Indentation matters. What ends a line elsewhere, or cannot be seen, would let a comment pass for something else.
        let code: String = visible(code).chars().take(CODE_MAX).collect();
        let _ = writeln!(text, "    {mark} {place:>6} | {code}");
    }
}

/// The breadcrumbs of an event.
pub fn breadcrumbs(crumbs: &[Crumb]) -> String {
    let mut text = String::new();
    for crumb in crumbs {
        let at = crumb.timestamp.map_or(String::new(), |at| at.to_string());
        let level = crumb.level.as_deref().unwrap_or_default();
        let category = crumb.category.as_deref().or(crumb.kind.as_deref()).unwrap_or_default();
        let message = crumb.message.as_deref().unwrap_or_default();
        let data = match &crumb.data {
            Value::Null => String::new(),
            data => format!(" {}", line(&data.to_string(), VALUE_MAX)),
        };
        let _ = writeln!(
            text,
            "    {at} {} {}: {}{data}",
            line(level, 20),
            line(category, 100),
            line(message, VALUE_MAX)
        );
    }
    text
}

/// Similar issues.
pub fn similar(issues: &[SimilarIssue]) -> String {
    let mut text = String::new();
    for issue in issues {
        let why = if issue.has_same_culprit { "the same place" } else { "the same type" };
        let resolved =
            issue.resolved_in_release.as_deref().map(|release| format!(" in {}", line(release, 128)));
        let _ = writeln!(
            text,
            "    {} ({why}; {}{}; {} events, last {}): {} | {}",
            issue.short_id,
            issue.status.as_str(),
            resolved.unwrap_or_default(),
            issue.event_count,
            issue.last_seen,
            line(&issue.title, 300),
            line(&issue.culprit, 200),
        );
    }
    text
}

/// The rest of an event as JSON, without what has a file of its own, and without the affected person.
pub fn event(event: &Event) -> String {
    let text = serde_json::to_string_pretty(&rest(event)).unwrap_or_default();
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// The same as a JSON value.
pub fn rest(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        for name in ["exception", "breadcrumbs", "user", "account", "id", "issue_id", "project_id"] {
            fields.remove(name);
        }
    }
    value
}
