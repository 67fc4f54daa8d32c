//! A connection that fails after nothing has moved on it, in either direction, for a while. A body may take any time
//! as long as it makes progress; a peer that is gone is noticed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

pub(super) struct TimedStream<S> {
    stream: S,
    limit: Duration,
    /// Runs while somebody waits for the peer, not while this side is slow.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> TimedStream<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        Self { stream, limit, waiting: None }
    }

    fn stalled<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        // The timer expired a while ago without being polled, so nobody was waiting.
        if waiting.deadline().elapsed() > limit / 4 {
            waiting.as_mut().reset(Instant::now() + limit);
        }
        ready!(waiting.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Progress in either direction restarts the time limit.
    fn moved(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            waiting.as_mut().reset(Instant::now() + self.limit);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(cx, buffer) {
            Poll::Ready(read) => {
                // The next reader starts waiting when it comes.
                self.waiting = None;
                Poll::Ready(read)
            }
            Poll::Pending => self.stalled(cx),
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(cx, bytes) {
            Poll::Ready(written) => {
                self.moved();
                Poll::Ready(written)
            }
            Poll::Pending => self.stalled(cx),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
