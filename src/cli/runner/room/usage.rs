//! What the models of a session say that it used, and the caps on that.

use super::tally::Tally;
use crate::cli::runner::protocol::{Caps, Spent};
use hyper::Method;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Thousand millionths of a US dollar.
const USD: f64 = 1e9;
/// The most that one answer, or an agent, is believed to have cost.
const COST_MAX: f64 = 1e6;
/// How long a request waits for the one before it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a session has used, in all of its turns.
#[derive(Debug)]
pub(in crate::cli::runner) struct Usage {
    caps: Caps,
    before: Spent,
    /// Whether a model gateway knows what the session costs.
    has_gateway: bool,
    tokens: AtomicU64,
    nanos: AtomicU64,
    is_over_budget: AtomicBool,
    /// An answer did not say what it cost, or takes more than can be counted.
    is_unpriced: AtomicBool,
    is_uncounted: AtomicBool,
    has_refused: AtomicBool,
    /// Requests that may be on their way: what they take is known at their end.
    asking: Arc<Semaphore>,
}

/// May a request be made?
pub(super) enum Turn {
    Granted(Option<OwnedSemaphorePermit>),
    /// Another one takes too long.
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

    /// Waits until no other request is on its way, if the session has caps: one may exceed them, and no more.
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

    /// Tokens since the runner has had the session.
    pub(in crate::cli::runner) fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Relaxed)
    }

    /// US dollars since then: what answers say, or what the agent says, if that is more.
    pub(in crate::cli::runner) fn cost(&self, told: Option<f64>) -> f64 {
        let told = told.filter(|cost| cost.is_finite()).unwrap_or(0.0).clamp(0.0, COST_MAX);
        (self.nanos.load(Ordering::Relaxed) as f64 / USD).max(told)
    }

    /// A request was refused.
    pub(super) fn refused(&self) {
        self.has_refused.store(true, Ordering::Relaxed);
    }

    /// Whether one was: the agent could not do what it wanted to.
    pub(in crate::cli::runner) fn has_refused(&self) -> bool {
        self.has_refused.load(Ordering::Relaxed)
    }

    /// Adds what an answer took, and what it cost as far as that is known. `estimate`: tokens, if it does not say how many.
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

    /// Why the session may ask no model any more. `told`: what the agent itself says that it cost.
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
    fn what_cannot_be_counted_counts_as_a_cap() {
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
    fn amounts_however_small_or_large_count() {
        let one = usage(Caps { cost_usd: Some(0.00001), ..Caps::default() }, Spent::default());
        (0..30).for_each(|_| one.add(&used(1), Some(0.000_000_9), None));
        assert!(one.reached(None).is_some());
        assert!(one.cost(Some(1e308)) <= COST_MAX);
        let estimated = usage(Caps { tokens: Some(50), ..Caps::default() }, Spent::default());
        estimated.add(&tally(StatusCode::OK, "hello"), None, Some(60));
        assert!(estimated.reached(None).is_some());
    }
}
