//! A session's use of models, and its caps.

use super::tally::Tally;
use crate::cli::runner::protocol::{Caps, Spent};
use hyper::Method;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of costs: billionths of a US dollar.
const USD: f64 = 1e9;
/// The highest plausible cost of an answer, or of an agent.
const COST_MAX: f64 = 1e6;
/// How long a request waits for the previous one.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a session has used, in all its turns.
#[derive(Debug)]
pub(in crate::cli::runner) struct Usage {
    caps: Caps,
    before: Spent,
    /// Whether there is a model gateway, which knows the session's cost.
    has_gateway: bool,
    tokens: AtomicU64,
    nanos: AtomicU64,
    is_over_budget: AtomicBool,
    /// An answer stated no cost, or an implausible number.
    is_unpriced: AtomicBool,
    is_uncounted: AtomicBool,
    has_refused: AtomicBool,
    /// Limits concurrent requests under caps, because their use is known only at their end.
    asking: Arc<Semaphore>,
}

/// Whether a request may be sent.
pub(super) enum Turn {
    Granted(Option<OwnedSemaphorePermit>),
    /// Another request takes too long.
    Busy,
}

impl Usage {
    pub(in crate::cli::runner) fn new(caps: Caps, before: Spent, has_gateway: bool) -> Self {
        Self {
            caps,
            before,
            has_gateway,
            tokens: AtomicU64::default(),
            nanos: AtomicU64::default(),
            is_over_budget: AtomicBool::default(),
            is_unpriced: AtomicBool::default(),
            is_uncounted: AtomicBool::default(),
            has_refused: AtomicBool::default(),
            asking: Arc::new(Semaphore::new(1)),
        }
    }

    /// With caps, waits until no other request is in progress, so that at most one exceeds them.
    pub(super) async fn turn(&self, method: &Method) -> Turn {
        let is_capped = self.caps.cost_usd.is_some() || self.caps.tokens.is_some();
        if !is_capped || method == Method::GET || method == Method::HEAD {
            return Turn::Granted(None);
        }
        match tokio::time::timeout(PATIENCE, self.asking.clone().acquire_owned()).await {
            Ok(permit) => Turn::Granted(permit.ok()),
            Err(_) => Turn::Busy,
        }
    }

    /// Tokens used since this runner got the session.
    pub(in crate::cli::runner) fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Relaxed)
    }

    /// US dollars since then, according to the answers or the agent, whichever is more.
    pub(in crate::cli::runner) fn cost(&self, told: Option<f64>) -> f64 {
        let told = told.filter(|cost| cost.is_finite()).unwrap_or(0.0).clamp(0.0, COST_MAX);
        (self.nanos.load(Ordering::Relaxed) as f64 / USD).max(told)
    }

    /// Records a refused request.
    pub(super) fn refused(&self) {
        self.has_refused.store(true, Ordering::Relaxed);
    }

    /// Whether a request was refused, so that the agent could not continue.
    pub(in crate::cli::runner) fn has_refused(&self) -> bool {
        self.has_refused.load(Ordering::Relaxed)
    }

    /// Adds the tokens and, if known, the cost of an answer. `estimate` is used if the answer states no tokens.
    pub(super) fn add(&self, tally: &Tally, cost: Option<f64>, estimate: Option<u64>) {
        let tokens = tally.tokens().max(estimate.unwrap_or(0));
        self.tokens.fetch_add(tokens, Ordering::Relaxed);
        self.is_over_budget.fetch_or(tally.is_over_budget(), Ordering::Relaxed);
        self.is_uncounted.fetch_or(tally.is_background(), Ordering::Relaxed);
        let cost = cost.filter(|cost| (0.0..=COST_MAX).contains(cost));
        let is_unpriced = cost.is_none() && tokens > 0 && self.caps.cost_usd.is_some() && !self.has_gateway;
        self.is_unpriced.fetch_or(is_unpriced, Ordering::Relaxed);
        self.nanos.fetch_add((cost.unwrap_or(0.0) * USD).ceil() as u64, Ordering::Relaxed);
    }

    /// Why the session has reached a cap, if so. `told` is the cost that the agent reports.
    pub(in crate::cli::runner) fn reached(&self, told: Option<f64>) -> Option<String> {
        let cost = self.before.cost_usd + self.cost(told);
        let tokens = self.before.tokens.saturating_add(self.tokens());
        let is_capped = self.caps.cost_usd.is_some() || self.caps.tokens.is_some();
        match () {
            () if self.is_over_budget.load(Ordering::Relaxed) => {
                Some("the model gateway says that a budget is used up".to_owned())
            }
            () if is_capped && self.is_uncounted.load(Ordering::Relaxed) => {
                Some("it has a model work in the background, where nobody counts".to_owned())
            }
            () if self.is_unpriced.load(Ordering::Relaxed) => Some(
                "its model does not say what answers cost, and there is no model gateway: no cap on cost can be kept. Give it \
                 one on tokens"
                    .to_owned(),
            ),
            () if self.caps.cost_usd.is_some_and(|cap| cost >= cap) => {
                let cap = self.caps.cost_usd.unwrap_or_default();
                Some(format!("it has cost ${cost:.2}, and may cost ${cap:.2}"))
            }
            () if self.caps.tokens.is_some_and(|cap| tokens >= cap) => {
                let cap = self.caps.tokens.unwrap_or_default();
                Some(format!("it has used {tokens} tokens, and may use {cap}"))
            }
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::StatusCode;

    fn usage(caps: Caps, before: Spent) -> Usage {
        Usage::new(caps, before, true)
    }

    fn tally(status: StatusCode, answer: &str) -> Tally {
        let mut tally = Tally::new(status);
        tally.read(answer.as_bytes());
        tally.end();
        tally
    }

    fn used(tokens: u64) -> Tally {
        tally(StatusCode::OK, &format!(r#"{{"usage":{{"prompt_tokens":{tokens}}}}}"#))
    }

    #[test]
    fn caps_and_budgets_are_noticed() {
        let caps = Caps { cost_usd: Some(1.0), tokens: Some(1_000), ..Caps::default() };
        let one = usage(caps, Spent { cost_usd: 0.5, tokens: 900 });
        assert_eq!(one.reached(None), None);
        assert!(one.reached(Some(0.5)).unwrap().contains("may cost $1.00"));
        one.add(&used(99), Some(0.1), None);
        assert_eq!(one.reached(None), None);
        one.add(&used(1), None, None);
        assert_eq!(one.reached(None).unwrap(), "it has used 1000 tokens, and may use 1000");
        let free = usage(Caps::default(), Spent::default());
        let over = r#"{"error":{"type":"budget_exceeded","code":"400"}}"#;
        free.add(&tally(StatusCode::OK, over), None, None);
        assert_eq!(free.reached(None), None, "a model may say so");
        free.add(&tally(StatusCode::BAD_REQUEST, over), None, None);
        assert!(free.reached(None).unwrap().contains("budget is used up"));
    }

    #[test]
    fn uncountable_use_counts_as_reaching_the_cap() {
        let money = Caps { cost_usd: Some(1.0), ..Caps::default() };
        let unpriced = Usage::new(money, Spent::default(), false);
        unpriced.add(&used(1), Some(0.25), None);
        assert_eq!((unpriced.reached(None), unpriced.cost(None)), (None, 0.25));
        unpriced.add(&used(1), Some(f64::NAN), None);
        assert!(unpriced.reached(None).unwrap().contains("no cap on cost"));
        let behind = tally(StatusCode::OK, r#"{"background": true, "usage": null}"#);
        let counted = usage(Caps { tokens: Some(1_000), ..Caps::default() }, Spent::default());
        counted.add(&behind, None, None);
        assert!(counted.reached(None).unwrap().contains("background"));
    }

    #[test]
    fn very_small_and_large_amounts_count() {
        let one = usage(Caps { cost_usd: Some(0.00001), ..Caps::default() }, Spent::default());
        (0..30).for_each(|_| one.add(&used(1), Some(0.000_000_9), None));
        assert!(one.reached(None).is_some());
        assert!(one.cost(Some(1e308)) <= COST_MAX);
        let estimated = usage(Caps { tokens: Some(50), ..Caps::default() }, Spent::default());
        estimated.add(&tally(StatusCode::OK, "hello"), None, Some(60));
        assert!(estimated.reached(None).is_some());
    }
}
