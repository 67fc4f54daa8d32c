//! Files with what Mayday knows itself: numbers, times, what members of the organization did and wrote.

use crate::issues::Issue;
use crate::issues::activity::Comment;
use crate::releases::Release;
use crate::text::clip;
use std::fmt::Write as _;

/// Characters of a comment.
const COMMENT_MAX: usize = 2_000;

/// What is known of an issue, and which files have the rest.
pub fn issue(issue: &Issue, project: &str, address: &str) -> String {
    facts(issue, project, address)
        + "\nWhat it is called and what was thrown is in `untrusted/issue.md`, the stack with the original lines in \
           `untrusted/stack.md` and `untrusted/source.md`.\n"
}

/// What is known of an issue.
pub fn facts(issue: &Issue, project: &str, address: &str) -> String {
    let mut text = format!("# {} in {project}\n\n", issue.short_id);
    let status = issue.status.as_str();
    let substatus = issue.substatus.map(|substatus| format!("{substatus:?}").to_lowercase());
    let facts = [
        ("Page", Some(address.to_owned())),
        ("Status", Some(substatus.map_or(status.to_owned(), |substatus| format!("{status}, {substatus}")))),
        ("Level", Some(issue.level.as_str().to_owned())),
        ("Priority", Some(issue.priority.as_str().to_owned())),
        ("First seen", Some(issue.first_seen.to_string())),
        ("Last seen", Some(issue.last_seen.to_string())),
        ("Events", Some(issue.event_count.to_string())),
        ("Users", Some(issue.user_count.to_string())),
        ("Accounts", Some(issue.account_count.to_string())),
        ("Events in each of the last 24 hours", Some(join(&issue.trend))),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            let _ = writeln!(text, "- {name}: {value}");
        }
    }
    text
}

fn join(counts: &[i64]) -> String {
    counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// What members said about an issue, the oldest first.
pub fn comments(comments: &[Comment]) -> String {
    let mut text = String::new();
    for comment in comments.iter().rev() {
        let by = comment.user.as_ref().map_or("somebody", |user| &user.name);
        let words = clip(comment.text.as_str().into(), COMMENT_MAX).0;
        let _ = writeln!(text, "## {by}, {}\n\n{words}\n", comment.at);
    }
    text
}

/// What is known of the releases in which an issue was seen. Only those that the project's pipeline created: others are
/// text from outside.
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
            "- {what}: {}, created {}, {finalized}, {} source maps",
            release.version, release.created_at, release.source_map_count
        );
    }
    if text.is_empty() { text } else { format!("# Releases\n\n{text}") }
}
