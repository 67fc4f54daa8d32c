//! Files with what Mayday knows itself: numbers, times, and what members of the organization did and wrote.

use crate::issues::Issue;
use crate::issues::activity::Comment;
use crate::text::clip;
use std::fmt::Write as _;

/// Characters of a comment.
pub(super) const COMMENT_MAX: usize = 2_000;

/// Facts about an issue, and which files have the rest.
pub fn issue(issue: &Issue, project: &str, address: &str) -> String {
    facts(issue, project, address)
        + "\nWhat it is called and what was thrown is in `untrusted/issue.md`, the stack with the original lines in \
           `untrusted/stack.md` and `untrusted/source.md`.\n"
}

/// Facts about an issue.
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

/// Comments of members on an issue, oldest first. What a program wrote with somebody's token is not among them: it
/// may repeat text from outside.
pub fn comments(comments: &[Comment]) -> String {
    let mut text = String::new();
    for comment in comments.iter().rev().filter(|comment| !comment.by_token) {
        let by = comment.user.as_ref().map_or("somebody", |user| &user.name);
        let words = clip(comment.text.as_str().into(), COMMENT_MAX).0;
        let _ = writeln!(text, "## {by}, {}\n\n{words}\n", comment.at);
    }
    text
}
