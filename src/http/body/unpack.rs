//! Decompresses bodies piece by piece, so that a large file is never held whole.

use super::Encoding;
use crate::error::{Error, Result};
use axum::body::{Body, BodyDataStream};
use bytes::{Buf as _, Bytes};
use futures_util::{StreamExt as _, stream};
use http_body_util::Limited;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The body, decompressed as it is read: at most `limit` bytes on the wire, and at most one more than `limit`
/// decompressed, so that a reader with that limit notices.
pub fn unpacked(encoding: Encoding, body: Body, limit: usize) -> Body {
    let wire = Body::new(Limited::new(body, limit)).into_data_stream();
    let plain =
        Plain(Arc::new(Mutex::new(DecoderOutput { bytes: Vec::new(), room: limit.saturating_add(1) })));
    let state = Unpacking { wire, encoding, decoder: None, plain, piece: Bytes::new() };
    Body::from_stream(stream::try_unfold(state, Unpacking::next))
}

/// Bytes from the wire that are decompressed before the output is passed on: at most 1 MiB for deflate.
/// Zstandard takes fewer if they produce more. Brotli, which may produce 16 MiB from a few bytes, is given
/// them one by one.
const SLICE: usize = 1 << 10;
/// Output that is worth passing on while there is more of a piece, in bytes.
const ENOUGH: usize = 64 << 10;

struct Unpacking {
    wire: BodyDataStream,
    /// What arrived over the wire and is not decompressed yet.
    piece: Bytes,
    encoding: Encoding,
    /// Created with the first piece, which distinguishes the two kinds of deflate.
    decoder: Option<Box<dyn Write + Send>>,
    plain: Plain,
}

impl Unpacking {
    /// The next non-empty piece.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, axum::BoxError> {
        while !self.plain.is_full() && self.plain.len() < ENOUGH {
            if !self.piece.is_empty() {
                self.push()?;
            } else if self.plain.len() > 0 {
                break;
            } else if let Some(piece) = self.wire.next().await {
                self.piece = piece?;
            } else {
                // Flushes what the decoder still holds; a stream that ends early is noticed by its reader.
                drop(self.decoder.take());
                break;
            }
        }
        let bytes = self.plain.take();
        Ok(if bytes.is_empty() { None } else { Some((bytes, self)) })
    }

    /// Decompresses the beginning of the piece.
    fn push(&mut self) -> Result<(), axum::BoxError> {
        let Some(first) = self.piece.first() else { return Ok(()) };
        if self.decoder.is_none() {
            self.decoder = Some(decoder(self.encoding, *first, self.plain.clone())?);
        }
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let most = if self.encoding == Encoding::Brotli { 1 } else { SLICE };
        let slice = &self.piece[..self.piece.len().min(most)];
        let pushed = decoder.write(slice).and_then(|taken| match taken {
            // The compressed stream has ended: what follows is ignored, as it is if a body is decompressed
            // whole.
            0 => Ok(self.piece.len()),
            taken if taken == self.piece.len() => decoder.flush().map(|()| taken),
            taken => Ok(taken),
        });
        match pushed {
            Ok(taken) => {
                self.piece.advance(taken);
                Ok(())
            }
            Err(_) if self.plain.is_full() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn decoder(encoding: Encoding, first: u8, plain: Plain) -> Result<Box<dyn Write + Send>> {
    Ok(match encoding {
        Encoding::Identity => Box::new(plain),
        Encoding::Gzip => Box::new(flate2::write::MultiGzDecoder::new(plain)),
        Encoding::Deflate if super::is_zlib(first) => Box::new(flate2::write::ZlibDecoder::new(plain)),
        Encoding::Deflate => Box::new(flate2::write::DeflateDecoder::new(plain)),
        Encoding::Brotli => Box::new(super::brotli::writer(plain)),
        Encoding::Zstd => {
            let mut decoder = zstd::stream::write::Decoder::new(plain).map_err(Error::storage)?;
            decoder.window_log_max(super::ZSTD_WINDOW_LOG_MAX).map_err(Error::storage)?;
            Box::new(decoder)
        }
    })
}

/// The decoder's output that has not been taken yet.
#[derive(Clone)]
struct Plain(Arc<Mutex<DecoderOutput>>);

struct DecoderOutput {
    bytes: Vec<u8>,
    /// Bytes that may still be produced.
    room: usize,
}

impl Plain {
    fn with<T>(&self, act: impl FnOnce(&mut DecoderOutput) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&self) -> Bytes {
        self.with(|held| std::mem::take(&mut held.bytes)).into()
    }

    fn len(&self) -> usize {
        self.with(|held| held.bytes.len())
    }

    fn is_full(&self) -> bool {
        self.with(|held| held.room == 0)
    }
}

impl Write for Plain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|held| {
            if held.room == 0 {
                return Err(io::Error::other("there is more than is accepted"));
            }
            let taken = bytes.len().min(held.room);
            held.bytes.extend_from_slice(&bytes[..taken]);
            held.room -= taken;
            Ok(taken)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
