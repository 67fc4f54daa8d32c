//! The caps of a session. At a cap its work is kept, and it waits for a person to continue it.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tokens, bytes of output, and files that are changed, at most.
const TOKENS: std::ops::RangeInclusive<i64> = 1_000..=1_000_000_000;
const OUTPUT: std::ops::RangeInclusive<i64> = 10_000..=100_000_000_000;
const FILES: std::ops::RangeInclusive<i64> = 1..=5_000;
/// US dollars.
const COST_MAX: f64 = 100_000.0;

/// What a session may use; a missing one does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = AgentCaps)]
pub struct Caps {
    /// US dollars, over 0 and up to 100,000: the budget of the session's key of the model gateway, and what answers of models
    /// and the agent say that they cost.
    #[serde(alias = "costUsd")]
    pub cost_usd: Option<f64>,
    /// Tokens that answers of models say they took, 1,000 to 1,000,000,000. Only the proxy of a room sees them.
    pub tokens: Option<i64>,
    /// Bytes that the agent, and the tests that prove its work, may write out, 10,000 to 100,000,000,000; counted anew each time that
    /// a runner begins with the session.
    #[serde(alias = "outputBytes")]
    pub output_bytes: Option<i64>,
    /// Files that may be changed without a person having looked at it, 1 to 5,000.
    pub files: Option<i64>,
}

impl Caps {
    /// # Errors
    /// 422 naming what does not fit.
    pub fn check(self) -> Result<Self> {
        if let Some(cost) = self.cost_usd.filter(|cost| !(*cost > 0.0 && *cost <= COST_MAX)) {
            return Err(Error::invalid(format!(
                "caps.costUsd: expected over 0, up to {COST_MAX}, got {cost}"
            )));
        }
        for (name, value, range) in [
            ("tokens", self.tokens, TOKENS),
            ("outputBytes", self.output_bytes, OUTPUT),
            ("files", self.files, FILES),
        ] {
            if let Some(value) = value.filter(|value| !range.contains(value)) {
                let (least, most) = (range.start(), range.end());
                return Err(Error::invalid(format!("caps.{name}: expected {least} to {most}, got {value}")));
            }
        }
        Ok(self)
    }

    /// These, with those of `others` where these have none.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            cost_usd: self.cost_usd.or(others.cost_usd),
            tokens: self.tokens.or(others.tokens),
            output_bytes: self.output_bytes.or(others.output_bytes),
            files: self.files.or(others.files),
        }
    }

    /// The lower ones of both.
    #[must_use]
    pub fn within(self, others: Self) -> Self {
        let lower = |own: Option<i64>, other: Option<i64>| own.into_iter().chain(other).min();
        let costs = self.cost_usd.into_iter().chain(others.cost_usd);
        Self {
            cost_usd: costs.reduce(f64::min),
            tokens: lower(self.tokens, others.tokens),
            output_bytes: lower(self.output_bytes, others.output_bytes),
            files: lower(self.files, others.files),
        }
    }

    /// The names of those that it has.
    pub fn names(&self) -> [Option<&'static str>; 4] {
        let name = |is_set: bool, name| is_set.then_some(name);
        [
            name(self.cost_usd.is_some(), "cost_usd"),
            name(self.tokens.is_some(), "tokens"),
            name(self.output_bytes.is_some(), "output_bytes"),
            name(self.files.is_some(), "files"),
        ]
    }

    /// The cap that a session with this use has reached, if any.
    pub fn reached(&self, cost_usd: f64, tokens: i64) -> Option<String> {
        if let Some(cap) = self.cost_usd.filter(|cap| cost_usd >= *cap) {
            return Some(format!("it has cost ${cost_usd:.2}, and may cost ${cap:.2}"));
        }
        let cap = self.tokens.filter(|cap| tokens >= *cap)?;
        Some(format!("it has used {tokens} tokens, and may use {cap}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_are_reached_at_their_figure() {
        let caps = Caps { cost_usd: Some(2.0), tokens: Some(5_000), ..Caps::default() };
        assert_eq!(caps.reached(1.99, 4_999), None);
        assert_eq!(caps.reached(2.0, 0).unwrap(), "it has cost $2.00, and may cost $2.00");
        assert_eq!(caps.reached(0.0, 6_000).unwrap(), "it has used 6000 tokens, and may use 5000");
        assert_eq!(Caps::default().reached(1e6, i64::MAX), None);
    }

    #[test]
    fn caps_are_filled_in_or_lowered_individually() {
        let caps = |cost_usd, tokens, output_bytes, files| Caps { cost_usd, tokens, output_bytes, files };
        let own = caps(Some(2.0), None, Some(10_000), Some(9));
        let others = caps(Some(1.0), Some(5_000), Some(20_000), None);
        assert_eq!(own.or(others), caps(Some(2.0), Some(5_000), Some(10_000), Some(9)));
        assert_eq!(own.within(others), caps(Some(1.0), Some(5_000), Some(10_000), Some(9)));
        assert_eq!(own.within(Caps::default()), own);
    }

    #[test]
    fn caps_that_cannot_be_are_refused_by_name() {
        for (caps, name) in [
            (Caps { cost_usd: Some(0.0), ..Caps::default() }, "caps.costUsd"),
            (Caps { cost_usd: Some(f64::NAN), ..Caps::default() }, "caps.costUsd"),
            (Caps { tokens: Some(999), ..Caps::default() }, "caps.tokens"),
            (Caps { output_bytes: Some(9_999), ..Caps::default() }, "caps.outputBytes"),
            (Caps { files: Some(0), ..Caps::default() }, "caps.files"),
        ] {
            assert!(caps.check().unwrap_err().to_string().contains(name), "{caps:?}");
        }
        let least =
            Caps { cost_usd: Some(0.5), tokens: Some(1_000), output_bytes: Some(10_000), files: Some(1) };
        assert!(least.check().is_ok());
    }
}
