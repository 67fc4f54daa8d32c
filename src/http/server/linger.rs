//! Keeps reading after the last answer of a connection.
//!
//! If the connection is closed under a client that writes its whole body before it reads, the client gets a
//! socket error instead of the answer: unread data in the kernel resets the connection, and the answer is
//! lost. So what arrives is read and discarded for a while.

use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// Bytes to discard at most: four times the largest body of an event or log batch.
const BYTES: usize = 32 << 20;
/// How long to keep reading.
const LONGEST: Duration = Duration::from_secs(1);
/// Bytes read at once.
const PIECE: usize = 16 << 10;

pub(super) struct Linger {
    left: usize,
    until: Pin<Box<Sleep>>,
}

impl Linger {
    pub(super) fn new() -> Self {
        Self { left: BYTES, until: Box::pin(tokio::time::sleep(LONGEST)) }
    }

    /// Ready once the client has closed its side, or the time is up.
    pub(super) fn poll(&mut self, tcp: &mut TcpStream, cx: &mut Context<'_>) -> Poll<()> {
        while self.until.as_mut().poll(cx).is_pending() {
            match discard(tcp, cx) {
                Poll::Ready(read) => {
                    self.left = self.left.saturating_sub(read);
                    if read == 0 || self.left == 0 {
                        break;
                    }
                }
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(())
    }
}

/// Reads and discards up to one piece; returns the number of bytes, 0 once the client has closed its side.
pub(super) fn discard(tcp: &mut TcpStream, cx: &mut Context<'_>) -> Poll<usize> {
    let mut piece = [MaybeUninit::uninit(); PIECE];
    let mut piece = ReadBuf::uninit(&mut piece);
    Pin::new(tcp).poll_read(cx, &mut piece).map(|read| read.map_or(0, |()| piece.filled().len()))
}
