//! A connection's bytes: a client that does not read its answer is cut off, and a client that still writes
//! after its answer is read from for a while.

use super::activity::Activity;
use super::linger::{self, Linger};
use crate::sabotage;
use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// How long a client may go without reading any of the bytes that wait for it.
const STALLED: Duration = Duration::from_secs(20);
/// Bytes of an answer that the kernel buffers for a client; its own limit is megabytes.
const UNSENT: u32 = 64 << 10;

/// Sets the options of every connection.
pub(super) fn tune(stream: &TcpStream) {
    // Answers are small and complete: waiting to fill a packet only delays them.
    let tuned = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let tuned = tuned.and_then(|()| socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT));
    if let Err(error) = tuned {
        tracing::debug!(%error, "a connection closed immediately");
    }
}

pub(super) struct Stream {
    tcp: TcpStream,
    activity: Arc<Activity>,
    /// Runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    end: End,
}

/// What is left to do before a connection is closed.
enum End {
    Shutdown,
    Linger(Linger),
    Done,
}

impl Stream {
    pub(super) fn new(tcp: TcpStream, activity: Arc<Activity>) -> Self {
        Self { tcp, activity, stalled: None, end: End::Shutdown }
    }

    /// The result of a write; one that cannot continue fails after waiting too long.
    fn written(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            if self.stalled.take().is_some() {
                self.activity.resume();
            }
            return written;
        }
        if sabotage::on("plain_serve") {
            return Poll::Pending;
        }
        let stalled = self.stalled.get_or_insert_with(|| {
            self.activity.stall();
            Box::pin(tokio::time::sleep(STALLED))
        });
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read its answer")))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(cx, buf);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write_vectored(cx, bufs);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            match &mut this.end {
                End::Shutdown => {
                    ready!(Pin::new(&mut this.tcp).poll_shutdown(cx))?;
                    let sends = this.activity.has_unread()
                        || matches!(linger::discard(&mut this.tcp, cx), Poll::Ready(1..));
                    this.end = if sends { End::Linger(Linger::new()) } else { End::Done };
                }
                End::Linger(linger) => {
                    ready!(linger.poll(&mut this.tcp, cx));
                    this.end = End::Done;
                }
                End::Done => return Poll::Ready(Ok(())),
            }
        }
    }
}
