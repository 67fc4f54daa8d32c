//! What requests and connections of a room took, counted as they go, and said in the transcript at their end.

use super::tunnel::Carried;
use super::usage::{Tally, Usage};
use crate::cli::runner::output::Outbox;
use crate::cli::runner::protocol::{Entry, Figures, Kind};
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::OwnedSemaphorePermit;

/// Lines of a turn in the transcript.
const LINES_MAX: usize = 1_000;

/// What a room's proxy says in the transcript.
pub(super) struct Voice {
    outbox: Arc<Outbox>,
    /// Lines so far.
    lines: AtomicUsize,
}

impl Voice {
    pub(super) fn new(outbox: Arc<Outbox>) -> Self {
        Self { outbox, lines: AtomicUsize::new(0) }
    }

    pub(super) fn say(&self, what: &str) {
        self.say_of(Kind::Network, None, what);
    }

    fn say_of(&self, kind: Kind, figures: Option<Figures>, what: &str) {
        let text = match self.lines.fetch_add(1, Ordering::Relaxed) {
            before if before > LINES_MAX => return,
            LINES_MAX => "Network: what follows is left out.".to_owned(),
            _ => format!("Network: {}.", crate::text::line(what, 500)),
        };
        self.outbox.tell(Entry::told(kind, figures, text));
    }
}

/// A connection that is carried; what went through is said at its end, also if that is the proxy's.
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

/// What the transcript says of a request, at its end.
pub(super) struct Line {
    voice: Arc<Voice>,
    usage: Arc<Usage>,
    what: String,
    /// How it ended: a status, or why there is none.
    pub(super) end: String,
    pub(super) out: Arc<AtomicU64>,
    back: u64,
    /// US dollars, if the answer says so,
    pub(super) cost: Option<f64>,
    /// and the tokens that it says it took.
    tally: Tally,
    /// A session with caps asks its models for one thing at a time.
    turn: Option<OwnedSemaphorePermit>,
    started: Instant,
}

impl Line {
    pub(super) fn new(
        voice: Arc<Voice>,
        usage: Arc<Usage>,
        what: String,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            voice,
            usage,
            what,
            end: "no answer".to_owned(),
            out: Arc::default(),
            back: 0,
            cost: None,
            tally: Tally::default(),
            turn,
            started: Instant::now(),
        }
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

impl Drop for Line {
    fn drop(&mut self) {
        self.tally.end();
        self.usage.add(&self.tally, self.cost);
        drop(self.turn.take());
        let out = self.out.load(Ordering::Relaxed);
        let figures = Figures {
            took_ms: Some(millis(self.started)),
            status: self.end.parse().ok(),
            bytes_out: Some(out),
            bytes_back: Some(self.back),
            tokens: Some(self.tally.tokens()).filter(|tokens| *tokens > 0),
            cost_usd: self.cost,
        };
        let what = format!("{}: {}, {out} bytes out, {} bytes back", self.what, self.end, self.back);
        self.voice.say_of(Kind::Model, Some(figures), &what);
    }
}

/// An answer on its way back.
pub(super) struct Counted<B> {
    pub(super) body: B,
    pub(super) line: Line,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Counted<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            let piece = frame.data_ref().map_or(&[][..], Bytes::as_ref);
            self.line.back += piece.len() as u64;
            self.line.tally.read(piece);
        }
        frame
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
