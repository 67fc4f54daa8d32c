//! A report, step by step, for the page on which an administrator checks sign-in.

use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Instant;
use utoipa::ToSchema;

/// The report of a check or of a test sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Report {
    /// Whether no step failed.
    pub ok: bool,
    /// `sso` or `github`.
    pub provider: String,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    pub name: String,
    /// Null: not reached.
    pub ok: Option<bool>,
    /// A sentence; never a token, code or secret. Empty when not reached.
    pub detail: String,
    pub duration_ms: u64,
}

/// Fills in a report while the steps are performed. A step lasts from the end of the previous one.
#[derive(Debug)]
pub struct Recorder {
    steps: Vec<Step>,
    since: Instant,
}

impl Recorder {
    /// A recorder for these steps, in this order.
    pub fn new(steps: &[&str]) -> Self {
        let open =
            |name: &&str| Step { name: (*name).to_owned(), ok: None, detail: String::new(), duration_ms: 0 };
        Self { steps: steps.iter().map(open).collect(), since: Instant::now() }
    }

    /// Records the outcome of a step and returns it; `detail` describes a success.
    ///
    /// # Errors
    /// The given error.
    pub fn note<T, E: Display>(
        &mut self,
        name: &str,
        outcome: Result<T, E>,
        detail: impl FnOnce(&T) -> String,
    ) -> Result<T, E> {
        let text = match &outcome {
            Ok(value) => detail(value),
            Err(error) => error.to_string(),
        };
        self.set(name, outcome.is_ok(), text);
        outcome
    }

    /// Sets the outcome of a step; an unknown step is added at the end.
    pub fn set(&mut self, name: &str, ok: bool, detail: String) {
        let took = self.since.elapsed().as_millis();
        self.since = Instant::now();
        let duration_ms = u64::try_from(took).unwrap_or(u64::MAX);
        let step = Step { name: name.to_owned(), ok: Some(ok), detail, duration_ms };
        match self.steps.iter_mut().find(|step| step.name == name) {
            Some(open) => *open = step,
            None => self.steps.push(step),
        }
    }

    pub fn report(self, provider: &str) -> Report {
        Report {
            ok: self.steps.iter().all(|step| step.ok != Some(false)),
            provider: provider.to_owned(),
            steps: self.steps,
        }
    }
}

#[cfg(test)]
mod tests;
