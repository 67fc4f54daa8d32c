//! The text of a pull request: what failed and where, the agent's summary, and the test results.

use super::Work;
use crate::config::Addresses;
use crate::connections::github::NewPullRequest;
use crate::context::untrusted::{chain, frame_line};
use crate::events::Event;
use crate::notifications::texts::Issue;
use crate::sessions::{Session, TITLE_MAX};
use crate::text::line;
use std::fmt::Write as _;

/// Frames of the exception that caused the others.
const FRAMES_MAX: usize = 5;
/// The text if no tests were run.
const UNTRIED: &str = "Not at all: the repository has no test command in Mayday, so no test was run.";
/// Characters of a line.
const LINE_MAX: usize = 300;

pub(super) fn pull_request(work: &Work, title: Option<String>, addresses: &Addresses) -> NewPullRequest {
    let mut body = String::new();
    let site = &addresses.frontend;
    if let Some(Issue { short_id, id, project, .. }) = &work.issue {
        let _ = writeln!(body, "For [{short_id}]({site}/projects/{project}/issues/{id}).");
    }
    let Session { id, organization_id, .. } = &work.session;
    let page = format!("{site}/organizations/{organization_id}/sessions/{id}");
    let _ = writeln!(body, "An agent did this in a [session]({page}) of Mayday.");
    let mut part = |name: &str, text: &str| {
        if !text.trim().is_empty() {
            let _ = write!(body, "\n{name}:\n\n{}", quoted(text));
        }
    };
    part("What failed", &work.event.as_ref().map(failure).unwrap_or_default());
    part("What it says it did", work.session.summary.as_deref().unwrap_or_default());
    match work.proof.is_empty() {
        true => part("How it was tried", UNTRIED),
        false => part("How it was tried", &work.proof.join("\n")),
    }
    NewPullRequest {
        title: title.unwrap_or_else(|| line(&work.session.title, TITLE_MAX)),
        body,
        head: work.head.clone(),
        base: work.base.clone(),
    }
}

/// The root cause, and where it was thrown. Its message is left out: it may contain users' input, and a repository
/// may have more readers.
fn failure(event: &Event) -> String {
    let Some(cause) = chain(event).last() else { return String::new() };
    let is_ours = cause.frames.iter().any(|frame| frame.in_app);
    let frames = cause.frames.iter().filter(|frame| frame.in_app || !is_ours).take(FRAMES_MAX);
    let mut text = line(cause.kind.as_deref().unwrap_or("An error"), LINE_MAX);
    for frame in frames {
        let _ = write!(text, "\n    {}", line(&frame_line(frame), LINE_MAX));
    }
    text
}

/// Words of others, in which the code host sees no mention, no issue to close, no link and no image.
fn quoted(words: &str) -> String {
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", words.trim_end())
}
