//! Compressed bodies that are read piece by piece, so that a large file is never held whole.

use super::Encoding;
use crate::error::{Error, Result};
use axum::body::{Body, BodyDataStream};
use bytes::{Buf as _, Bytes};
use futures_util::{StreamExt as _, stream};
use http_body_util::Limited;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The body decompressed as it is read: at most `limit` bytes on the wire, and no more than one past
/// `limit` of what they hold, so that whoever reads with that bound notices.
pub fn unpacked(encoding: Encoding, body: Body, limit: usize) -> Body {
    let wire = Body::new(Limited::new(body, limit)).into_data_stream();
    let plain = Plain(Arc::new(Mutex::new(Held { bytes: Vec::new(), room: limit.saturating_add(1) })));
    let state = Unpacking { wire, encoding, decoder: None, plain, piece: Bytes::new() };
    Body::from_stream(stream::try_unfold(state, Unpacking::next))
}

/// Bytes of the wire that are decompressed before what came out is handed on: 1 MiB at most for deflate.
/// Zstandard takes fewer where it makes more of them. Brotli, which may make 16 MiB of a few bytes, is
/// fed them one by one.
const SLICE: usize = 1 << 10;
/// Bytes that are worth handing on while there is more of a piece.
const ENOUGH: usize = 64 << 10;

struct Unpacking {
    wire: BodyDataStream,
    /// What came over the wire and was not decompressed yet.
    piece: Bytes,
    encoding: Encoding,
    /// Made with the first piece, which tells the two kinds of deflate apart.
    decoder: Option<Box<dyn Write + Send>>,
    plain: Plain,
}

impl Unpacking {
    /// The next piece that is not empty.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, axum::BoxError> {
        while !self.plain.is_full() && self.plain.len() < ENOUGH {
            if !self.piece.is_empty() {
                self.push()?;
            } else if self.plain.len() > 0 {
                break;
            } else if let Some(piece) = self.wire.next().await {
                self.piece = piece?;
            } else {
                // What a decoder still holds back; a stream that ends early is noticed by its reader.
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
            // It has come to its end: what follows is passed over, as where a body is unpacked whole.
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

/// What came out of the decoder and was not taken yet.
#[derive(Clone)]
struct Plain(Arc<Mutex<Held>>);

struct Held {
    bytes: Vec<u8>,
    /// Bytes that may still come.
    room: usize,
}

impl Plain {
    fn with<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
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
                return Err(io::Error::other("there is more than is taken"));
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
