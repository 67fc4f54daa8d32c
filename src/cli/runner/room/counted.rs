//! Counts what requests and connections of a room transfer, and reports each in the transcript when it ends.

use super::refused::Refused;
use super::tally::Tally;
use super::tunnel::Carried;
use super::usage::Usage;
use crate::cli::runner::output::Outbox;
use crate::cli::runner::protocol::{Entry, Figures, Kind};
use bytes::Bytes;
use hyper::StatusCode;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;

/// The most lines per turn in the transcript, and as many again for refusals, so that an agent cannot hide refusals
/// behind many requests.
const LINES_MAX: usize = 1_000;

/// Writes the proxy's lines to the transcript.
pub(super) struct Voice {
    outbox: Arc<Outbox>,
    /// What the whole session was refused.
    refused: Arc<Refused>,
    /// Lines so far,
    lines: AtomicUsize,
    /// and refusals.
    refusals: AtomicUsize,
}

impl Voice {
    pub(super) fn new(outbox: Arc<Outbox>, refused: Arc<Refused>) -> Self {
        Self { outbox, refused, lines: AtomicUsize::new(0), refusals: AtomicUsize::new(0) }
    }

    pub(super) fn say(&self, what: &str) {
        self.say_of(Kind::Network, None, what);
    }

    /// Says what was asked for in vain, and where.
    pub(super) fn refuse(&self, place: &str, what: &str) {
        self.refused.add(place);
        let what = format!("refused {what}");
        self.count(&self.refusals, "more refusals are counted at the end", (Kind::Network, None), &what);
    }

    fn say_of(&self, kind: Kind, figures: Option<Figures>, what: &str) {
        self.count(&self.lines, "what follows is left out, but for refusals", (kind, figures), what);
    }

    fn count(&self, lines: &AtomicUsize, rest: &str, (kind, figures): (Kind, Option<Figures>), what: &str) {
        let text = match lines.fetch_add(1, Ordering::Relaxed) {
            before if before > LINES_MAX => return,
            LINES_MAX => format!("Network: {rest}."),
            _ => format!("Network: {}.", crate::text::line(what, 500)),
        };
        self.outbox.tell(Entry::told(kind, figures, text));
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        let more = self.refusals.load(Ordering::Relaxed).saturating_sub(LINES_MAX);
        if more > 0 {
            let text = format!("Network: {} requests of this turn were refused in all.", LINES_MAX + more);
            self.outbox.tell(Entry::told(Kind::Network, None, text));
        }
    }
}

/// An open connection to a host. Its traffic is reported when it ends, even together with the proxy.
pub(super) struct Tunnel {
    pub(super) voice: Arc<Voice>,
    pub(super) to: String,
    pub(super) why: &'static str,
    pub(super) carried: Carried,
    pub(super) started: Instant,
}

impl Drop for Tunnel {
    fn drop(&mut self) {
        let figures = Figures { took_ms: Some(millis(self.started)), ..self.carried.figures() };
        let what = format!("{}{} {}", self.to, self.why, self.carried);
        self.voice.say_of(Kind::Network, Some(figures), &what);
    }
}

/// A request's line in the transcript, written when it ends.
pub(super) struct Line {
    voice: Arc<Voice>,
    usage: Arc<Usage>,
    what: String,
    /// Whether it has a model generate an answer, rather than count or list something.
    is_generating: bool,
    /// The status, or why there is none.
    end: End,
    pub(super) out: Arc<AtomicU64>,
    back: u64,
    /// Whether the answer was complete.
    is_whole: bool,
    /// US dollars, if the answer states a cost,
    cost: Option<f64>,
    /// and the tokens that it states.
    tally: Tally,
    /// With caps, a session sends one request at a time.
    turn: Option<OwnedSemaphorePermit>,
    started: Instant,
}

/// How a request ended.
enum End {
    /// The agent closed the connection.
    Abandoned,
    Answered(StatusCode),
    Failed(String),
}

impl Line {
    pub(super) fn new(
        (voice, usage): (&Arc<Voice>, &Arc<Usage>),
        (what, is_generating): (String, bool),
        turn: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            voice: voice.clone(),
            usage: usage.clone(),
            what,
            is_generating,
            end: End::Abandoned,
            out: Arc::default(),
            back: 0,
            is_whole: false,
            cost: None,
            tally: Tally::default(),
            turn,
            started: Instant::now(),
        }
    }

    pub(super) fn answered(&mut self, status: StatusCode, cost: Option<f64>) {
        (self.end, self.cost, self.tally) = (End::Answered(status), cost, Tally::new(status));
    }

    pub(super) fn failed(&mut self, why: String) {
        self.end = End::Failed(why);
    }

    /// The estimated tokens of a request whose answer does not state them, at the usual four bytes each.
    fn estimate(&self, out: u64) -> Option<u64> {
        const BYTES: u64 = 4;
        let is_told = self.is_whole && self.tally.tokens() > 0;
        match self.end {
            _ if !self.is_generating || is_told => None,
            End::Abandoned => Some(out.div_ceil(BYTES)),
            End::Answered(status) if status.is_success() => Some((out + self.back).div_ceil(BYTES)),
            End::Answered(_) | End::Failed(_) => None,
        }
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Drop for Line {
    fn drop(&mut self) {
        self.tally.end();
        let out = self.out.load(Ordering::Relaxed);
        let estimate = self.estimate(out);
        if self.is_generating {
            self.usage.add(&self.tally, self.cost, estimate);
        }
        drop(self.turn.take());
        let (status, end) = match &self.end {
            End::Abandoned => (None, "no answer".to_owned()),
            End::Answered(status) => (Some(i64::from(status.as_u16())), status.as_u16().to_string()),
            End::Failed(why) => (None, why.clone()),
        };
        let tokens = self.tally.tokens().max(estimate.unwrap_or(0));
        let figures = Figures {
            took_ms: Some(millis(self.started)),
            status,
            bytes_out: Some(out),
            bytes_back: Some(self.back),
            tokens: Some(tokens).filter(|tokens| self.is_generating && *tokens > 0),
            cost_usd: self.cost,
        };
        let what = format!("{}: {end}, {out} bytes out, {} bytes back", self.what, self.back);
        self.voice.say_of(Kind::Model, Some(figures), &what);
    }
}

/// An answer that is passed to the agent.
pub(super) struct CountedBody<B> {
    body: B,
    line: Line,
    /// The content length, if stated.
    length: Option<u64>,
}

impl<B: HttpBody> CountedBody<B> {
    pub(super) fn new(body: B, line: Line) -> Self {
        let length = body.size_hint().exact();
        Self { body, line, length }
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for CountedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        match &frame {
            Poll::Ready(Some(Ok(frame))) => {
                let piece = frame.data_ref().map_or(&[][..], Bytes::as_ref);
                self.line.back += piece.len() as u64;
                self.line.tally.read(piece);
                self.line.is_whole = self.length == Some(self.line.back);
            }
            Poll::Ready(None) => self.line.is_whole = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        frame
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
