//! Reading on after the last answer of a connection.
//!
//! A client that writes its whole body before it reads gets an error of its socket instead of the answer when the
//! connection is closed under it: what the kernel still has of the body resets the connection, and the answer with it.
//! So what comes is read and thrown away for a while.

use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// Bytes that are thrown away: four times the largest body of an event or log batch.
const BYTES: usize = 32 << 20;
/// How long.
const LONGEST: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

pub(super) struct Linger {
    left: usize,
    until: Pin<Box<Sleep>>,
}

impl Linger {
    pub(super) fn new() -> Self {
        Self { left: BYTES, until: Box::pin(tokio::time::sleep(LONGEST)) }
    }

    /// Ready once the client has closed its side, or has had its time.
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

/// How many bytes were there, up to a piece; none once the client has closed its side.
pub(super) fn discard(tcp: &mut TcpStream, cx: &mut Context<'_>) -> Poll<usize> {
    let mut piece = [MaybeUninit::uninit(); PIECE];
    let mut piece = ReadBuf::uninit(&mut piece);
    Pin::new(tcp).poll_read(cx, &mut piece).map(|read| read.map_or(0, |()| piece.filled().len()))
}
