//! Compressed bodies that are read piece by piece, so that a large file is never held whole.

use super::Encoding;
use crate::error::{Error, Result};
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::Limited;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The body decompressed as it is read: at most `limit` bytes on the wire, and no more than one past
/// `limit` of what they hold, so that whoever reads with that bound notices.
pub fn unpacked(encoding: Encoding, body: Body, limit: usize) -> Body {
    let wire = Body::new(Limited::new(body, limit)).into_data_stream();
    let plain = Plain(Arc::new(Mutex::new(Held { bytes: Vec::new(), room: limit.saturating_add(1) })));
    let state = Unpacking { wire, encoding, decoder: None, plain };
    Body::from_stream(stream::try_unfold(state, Unpacking::next))
}

struct Unpacking {
    wire: BodyDataStream,
    encoding: Encoding,
    /// Made with the first piece, which tells the two kinds of deflate apart.
    decoder: Option<Box<dyn Write + Send>>,
    plain: Plain,
}

impl Unpacking {
    /// The next piece that is not empty.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, axum::BoxError> {
        while !self.plain.is_full() {
            let Some(piece) = self.wire.next().await else {
                // What a decoder still holds back; a stream that ends early is noticed by its reader.
                drop(self.decoder.take());
                break;
            };
            self.push(&piece?)?;
            if !self.plain.is_empty() {
                break;
            }
        }
        let bytes = self.plain.take();
        Ok(if bytes.is_empty() { None } else { Some((bytes, self)) })
    }

    fn push(&mut self, piece: &[u8]) -> Result<(), axum::BoxError> {
        let Some(first) = piece.first() else { return Ok(()) };
        if self.decoder.is_none() {
            self.decoder = Some(decoder(self.encoding, *first, self.plain.clone())?);
        }
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        match decoder.write_all(piece).and_then(|()| decoder.flush()) {
            Err(error) if !self.plain.is_full() => Err(error.into()),
            _ => Ok(()),
        }
    }
}

fn decoder(encoding: Encoding, first: u8, plain: Plain) -> Result<Box<dyn Write + Send>> {
    Ok(match encoding {
        Encoding::Identity => Box::new(plain),
        Encoding::Gzip => Box::new(flate2::write::MultiGzDecoder::new(plain)),
        Encoding::Deflate if super::is_zlib(first) => Box::new(flate2::write::ZlibDecoder::new(plain)),
        Encoding::Deflate => Box::new(flate2::write::DeflateDecoder::new(plain)),
        Encoding::Brotli => Box::new(brotli_decompressor::DecompressorWriter::new(plain, 4096)),
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

    fn is_empty(&self) -> bool {
        self.with(|held| held.bytes.is_empty())
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
