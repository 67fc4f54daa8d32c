//! Details of an issue in a message or mail: where the error was thrown, and what was logged before it.

use crate::ids::{IssueId, ProjectId};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;

/// Bytes of all details.
const DETAILS_MAX: usize = 2_048;

/// Where an error was thrown and what was logged before it, in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// The first frames of the exception.
    pub stack: Vec<String>,
    /// The last log entries of its trace, the oldest first.
    pub logs: Vec<String>,
}

impl Details {
    /// As many of these as fit. `logs` has the newest first.
    pub fn new(stack: Vec<String>, logs: Vec<String>) -> Self {
        let mut left = DETAILS_MAX;
        let mut fits = |text: &String| {
            left = left.saturating_sub(text.len() + 1);
            left > 0
        };
        let stack = stack.into_iter().take_while(&mut fits).collect();
        let mut logs: Vec<String> = logs.into_iter().take_while(&mut fits).collect();
        logs.reverse();
        Self { stack, logs }
    }

    /// All lines, with the two parts separated; empty if there are none.
    pub fn text(&self) -> String {
        let parts = [&self.stack, &self.logs].map(|lines| lines.join("\n"));
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }
}

/// A pending look-up of details.
pub type Finding<'a> = Pin<Box<dyn Future<Output = Details> + Send + 'a>>;

/// Looks up details when something is sent.
pub trait FindDetails: Send + Sync {
    /// Returns no details if the look-up takes too long.
    fn find(&self, project: ProjectId, issue: IssueId) -> Finding<'_>;
}
