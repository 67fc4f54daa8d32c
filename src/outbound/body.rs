//! Streamed bodies of requests and answers.

use super::OutboundError;
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::{HeaderMap, StatusCode};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::task::JoinSet;

pub(super) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The body of a request.
pub struct Body(pub(super) UnsyncBoxBody<Bytes, Cause>);

impl Body {
    /// Pieces that are produced while they are sent, no faster than the other side reads. If `length` is
    /// given, it is announced and the pieces must add up to it; otherwise they are sent as chunks.
    pub fn of_pieces(
        length: Option<u64>,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Self {
        let pieces = StreamBody::new(Box::pin(pieces.map_ok(Frame::data).map_err(Cause::from)));
        Self(match length {
            Some(left) => Sized { pieces, left }.boxed_unsync(),
            None => pieces.boxed_unsync(),
        })
    }
}

impl From<Bytes> for Body {
    fn from(whole: Bytes) -> Self {
        Self(Full::new(whole).map_err(|never| match never {}).boxed_unsync())
    }
}

impl From<Vec<u8>> for Body {
    fn from(whole: Vec<u8>) -> Self {
        Bytes::from(whole).into()
    }
}

/// A body of known length: hyper announces it, and fails if the pieces do not add up to it.
struct Sized<B> {
    pieces: B,
    left: u64,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Sized<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.pieces).poll_frame(cx));
        if let Some(piece) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            self.left = self.left.saturating_sub(piece.len() as u64);
        }
        Poll::Ready(frame)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// An answer whose body is streamed as it is read; with any status except a redirect. Dropping it early
/// closes the connection.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub(super) body: Incoming,
    pub(super) read: usize,
    pub(super) limit: usize,
    pub(super) host: String,
    pub(super) stall: Duration,
    /// The connection's task, which ends with this.
    pub(super) _connection: JoinSet<hyper::Result<()>>,
}

impl Answer {
    /// The next piece of the body; `None` at its end. The other side sends no faster than this is called.
    ///
    /// # Errors
    /// If the other side closed the connection, sent nothing for too long, or sent more than the limit.
    pub async fn next(&mut self) -> Result<Option<Bytes>, OutboundError> {
        while let Some(frame) = self.frame().await {
            if let Ok(piece) = frame?.into_data() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }

    /// Reads the body until it ends, exceeds the limit or takes too long; returns what was read.
    pub(super) async fn beginning(mut self, patience: Duration) -> super::Response {
        let mut body = Vec::new();
        let read = async {
            while let Ok(Some(piece)) = self.next().await {
                body.extend_from_slice(&piece);
            }
        };
        // What was read before the time-out still counts.
        let _ = tokio::time::timeout(patience, read).await;
        super::Response { status: self.status, headers: self.headers, body }
    }

    /// The whole body.
    pub(super) async fn whole(mut self) -> Result<super::Response, OutboundError> {
        let mut body = Vec::new();
        while let Some(piece) = self.next().await? {
            body.extend_from_slice(&piece);
        }
        Ok(super::Response { status: self.status, headers: self.headers, body })
    }
}

/// The same for callers that need a body.
impl HttpBody for Answer {
    type Data = Bytes;
    type Error = OutboundError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, OutboundError>>> {
        let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(cx)) else { return Poll::Ready(None) };
        let frame = frame.map_err(|error| OutboundError::of_exchange(&self.host, self.stall, &error))?;
        self.read += frame.data_ref().map_or(0, Bytes::len);
        if self.read > self.limit {
            return Poll::Ready(Some(Err(OutboundError::TooLarge {
                host: self.host.clone(),
                limit: self.limit,
            })));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
