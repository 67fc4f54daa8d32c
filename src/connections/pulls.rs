//! What became of pull requests, as code hosts tell who are asked.

use crate::text::line;
use crate::time::Timestamp;
use serde_json::Value;

/// Characters of an account's name at a code host.
pub const BY_MAX: usize = 100;

/// Characters of a comment.
pub const COMMENT_MAX: usize = 500;

/// What a code host says of a pull request, or a merge request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullRequestState {
    Open,
    Merged {
        at: Option<Timestamp>,
    },
    /// Without having been merged.
    Closed {
        at: Option<Timestamp>,
        /// Who closed it, if the host says so.
        by: Option<String>,
    },
}

impl PullRequestState {
    /// When it was merged or closed, if the host says so.
    pub fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Open => None,
            Self::Merged { at } | Self::Closed { at, .. } => *at,
        }
    }
}

/// A comment on a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestComment {
    /// As the code host calls them.
    pub by: String,
    /// On one line.
    pub text: String,
    /// When it was written, if the host says so.
    pub at: Option<Timestamp>,
}

impl PullRequestComment {
    /// By the host's fields; `None` if nothing of it can be shown.
    pub(super) fn read(by: &Value, text: &Value, at: &Value) -> Option<Self> {
        let (by, text) = (line(by.as_str()?, BY_MAX), line(text.as_str()?, COMMENT_MAX));
        let at = at.as_str().and_then(Timestamp::parse);
        (!by.is_empty() && !text.is_empty()).then_some(Self { by, text, at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_comment_is_one_short_line_of_somebody() {
        let read = |by: Value, text: Value| PullRequestComment::read(&by, &text, &json!(7));
        let comment = read(json!("a\u{202e}da"), json!("Not\r\nthe cause. ")).unwrap();
        assert_eq!(comment, PullRequestComment { by: "ada".into(), text: "Not the cause.".into(), at: None });
        let long = read(json!("x".repeat(10_000)), json!("y".repeat(10_000))).unwrap();
        assert!(long.by.chars().count() <= BY_MAX && long.text.chars().count() <= COMMENT_MAX);
        for (by, text) in [
            (json!(""), json!("x")),
            (json!("ada"), json!(" \n")),
            (json!(null), json!("x")),
            (json!("ada"), json!(7)),
        ] {
            assert_eq!(read(by.clone(), text.clone()), None, "{by} {text}");
        }
    }
}
