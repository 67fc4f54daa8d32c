//! What the models of a session say that it used, and the caps on that.

use crate::cli::runner::protocol::{Caps, Spent};
use hyper::Method;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Millionths of a US dollar.
const USD: f64 = 1_000_000.0;
/// Where LiteLLM says what an answer cost, unless it is streamed.
pub(super) const COST: &str = "x-litellm-response-cost";
/// What LiteLLM says of a budget that is used up.
const OVER: &[u8] = b"\"budget_exceeded\"";
/// Bytes that a count with its name has at most.
const WINDOW: usize = 96;

/// How answers name what they took. Of each kind the highest figure of an answer counts: streams say it several times.
const COUNTS: [(&[u8], usize); 6] = [
    (b"\"input_tokens\"", 0),
    (b"\"prompt_tokens\"", 0),
    (b"\"output_tokens\"", 1),
    (b"\"completion_tokens\"", 1),
    (b"\"cache_creation_input_tokens\"", 2),
    (b"\"cache_read_input_tokens\"", 3),
];

/// What a session has used, in all of its turns.
#[derive(Debug)]
pub(in crate::cli::runner) struct Usage {
    caps: Caps,
    before: Spent,
    tokens: AtomicU64,
    micros: AtomicU64,
    is_over_budget: AtomicBool,
    /// Requests that may be on their way: what they take is known at their end.
    asking: Arc<Semaphore>,
}

impl Usage {
    pub(in crate::cli::runner) fn new(caps: Caps, before: Spent) -> Self {
        Self {
            caps,
            before,
            tokens: AtomicU64::default(),
            micros: AtomicU64::default(),
            is_over_budget: AtomicBool::default(),
            asking: Arc::new(Semaphore::new(1)),
        }
    }

    /// Waits until no other request is on its way, if the session has caps: one may exceed them, and no more.
    pub(super) async fn turn(&self, method: &Method) -> Option<OwnedSemaphorePermit> {
        let is_capped = self.caps.cost_usd.is_some() || self.caps.tokens.is_some();
        if !is_capped || method == Method::GET || method == Method::HEAD {
            return None;
        }
        self.asking.clone().acquire_owned().await.ok()
    }

    /// Tokens since the runner has had the session.
    pub(in crate::cli::runner) fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Relaxed)
    }

    /// Adds what an answer took, and what it cost as far as that is known.
    pub(super) fn add(&self, tally: &Tally, cost: Option<f64>) {
        self.tokens.fetch_add(tally.tokens(), Ordering::Relaxed);
        if tally.is_over_budget {
            self.is_over_budget.store(true, Ordering::Relaxed);
        }
        let cost = cost.filter(|cost| cost.is_finite() && (0.0..=1e6).contains(cost)).unwrap_or(0.0);
        self.micros.fetch_add((cost * USD) as u64, Ordering::Relaxed);
    }

    /// Why the session may ask no model any more. `told`: what the agent itself says that it cost.
    pub(in crate::cli::runner) fn reached(&self, told: Option<f64>) -> Option<String> {
        let cost = self.micros.load(Ordering::Relaxed) as f64 / USD;
        let cost = self.before.cost_usd + cost.max(told.unwrap_or(0.0));
        let tokens = self.before.tokens.saturating_add(self.tokens());
        match () {
            () if self.is_over_budget.load(Ordering::Relaxed) => {
                Some("the model gateway says that a budget is used up".to_owned())
            }
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

/// Reads what an answer says it took, piece by piece.
#[derive(Debug, Default)]
pub(super) struct Tally {
    most: [u64; 4],
    is_over_budget: bool,
    /// The end of what was read, where a count may begin.
    rest: Vec<u8>,
}

impl Tally {
    pub(super) fn read(&mut self, piece: &[u8]) {
        self.rest.extend_from_slice(piece);
        let until = self.rest.len().saturating_sub(WINDOW);
        self.look(until);
        // What precedes a quote says whether it is one.
        self.rest.drain(..until.saturating_sub(1));
    }

    /// The answer has ended.
    pub(super) fn end(&mut self) {
        self.look(self.rest.len());
        self.rest.clear();
    }

    pub(super) fn tokens(&self) -> u64 {
        self.most.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    fn look(&mut self, until: usize) {
        for at in 0..until {
            // In a text of the model's it would be escaped.
            if self.rest[at] != b'"' || at.checked_sub(1).is_some_and(|before| self.rest[before] == b'\\') {
                continue;
            }
            let text = &self.rest[at..];
            self.is_over_budget |= text.starts_with(OVER);
            for (name, kind) in COUNTS {
                if let Some(count) = text.strip_prefix(name).and_then(number) {
                    self.most[kind] = self.most[kind].max(count);
                }
            }
        }
    }
}

/// The number after a name.
fn number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let digits = text.iter().take(15).take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(answer: &str, piece: usize) -> Tally {
        let mut tally = Tally::default();
        answer.as_bytes().chunks(piece).for_each(|piece| tally.read(piece));
        tally.end();
        tally
    }

    #[test]
    fn tokens_are_counted_however_an_answer_comes() {
        let openai = r#"{"choices":[{"message":{"content":"I say \"input_tokens\":99"}}],
            "usage": {"prompt_tokens": 120, "completion_tokens" : 30, "total_tokens": 150}}"#;
        let anthropic = concat!(
            "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":25,",
            "\"cache_creation_input_tokens\":7,\"cache_read_input_tokens\":1000,\"output_tokens\":1}}}\n\n",
            "data: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":15}}\n\n"
        );
        for piece in [1, 2, 3, 7, 64, 100_000] {
            assert_eq!(tally(openai, piece).tokens(), 150, "{piece}");
            assert_eq!(tally(anthropic, piece).tokens(), 25 + 7 + 1000 + 15, "{piece}");
        }
        assert_eq!(tally("", 1).tokens(), 0);
        assert_eq!(tally("\"input_tokens\":", 1).tokens(), 0);
    }

    #[test]
    fn caps_and_budgets_are_noticed() {
        let usage = Usage::new(
            Caps { cost_usd: Some(1.0), tokens: Some(1_000), files: None },
            Spent { cost_usd: 0.5, tokens: 900 },
        );
        assert_eq!(usage.reached(None), None);
        assert!(usage.reached(Some(0.5)).unwrap().contains("may cost $1.00"));
        usage.add(&tally(r#"{"usage":{"prompt_tokens":99}}"#, 5), Some(0.1));
        assert_eq!(usage.reached(None), None);
        usage.add(&tally(r#"{"usage":{"prompt_tokens":1}}"#, 5), None);
        assert_eq!(usage.reached(None).unwrap(), "it has used 1000 tokens, and may use 1000");
        let free = Usage::new(Caps::default(), Spent::default());
        free.add(&tally(r#"{"error":{"type":"budget_exceeded","code":"400"}}"#, 3), None);
        assert!(free.reached(None).unwrap().contains("budget is used up"));
    }
}
