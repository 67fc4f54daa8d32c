//! Request bodies: bounded on the wire and after decompression.

mod brotli;
mod pace;
mod unpack;

pub use pace::{TooSlow, paced};
pub use unpack::unpacked;

use crate::error::{Error, Result};
use crate::sabotage;
use crate::time::Timestamp;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use std::future::Future;
use std::io::Read;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a whole body, or each 64 KiB of an upload, may take to arrive.
pub const ARRIVAL: Duration = Duration::from_secs(25);

/// Bodies that are decompressed at once, beside batches. A decoder may take 16 MiB for its window
/// (Brotli) whatever the body's bound, and a body that asks for it has fifty bytes.
static DECODERS: Semaphore = Semaphore::const_new(4);

/// A frame may ask for a window of gigabytes: 2^23 is what RFC 9659 allows on the Web.
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// How a body is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Encoding {
    /// # Errors
    /// 415 for any other encoding, and for several on top of each other.
    pub fn of(headers: &HeaderMap) -> Result<Self> {
        let Some(value) = headers.get(header::CONTENT_ENCODING) else { return Ok(Self::Identity) };
        match value.to_str().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Identity),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "deflate" => Ok(Self::Deflate),
            "br" => Ok(Self::Brotli),
            "zstd" => Ok(Self::Zstd),
            _ => Err(Error::unsupported("Content-Encoding: expected gzip, deflate, br, zstd or none")),
        }
    }
}

/// Reads a body of at most `limit` bytes, on the wire and decompressed.
///
/// # Errors
/// 413 over the limit, 415 for an unknown encoding, 400 when it cannot be read or decompressed.
pub async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes> {
    let encoding = Encoding::of(headers)?;
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let wire = match arrival(Limited::new(body, limit).collect()).await? {
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(too_large(limit)),
        Err(error) => return Err(Error::malformed(format!("The body could not be read: {error}"))),
    };
    if encoding == Encoding::Identity {
        return Ok(wire);
    }
    let place = DECODERS.acquire().await.map_err(Error::internal)?;
    // Up to a few milliseconds of work for the largest bodies: not on a thread that serves others.
    let work = move || {
        let plain = decode(encoding, &wire, limit);
        drop(place);
        plain
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// Waits for bytes of a client, but not for ever.
///
/// # Errors
/// 400 after [`ARRIVAL`].
pub async fn arrival<T>(bytes: impl Future<Output = T>) -> Result<T> {
    let late = || Error::malformed(format!("The body did not arrive within {} seconds", ARRIVAL.as_secs()));
    let start = sabotage::on("wall_clock").then(Timestamp::now);
    let arrived = tokio::time::timeout(ARRIVAL, bytes).await.map_err(|_| late())?;
    match start {
        Some(start) if Timestamp::now().millis() - start.millis() > ARRIVAL.as_millis() as i64 => Err(late()),
        _ => Ok(arrived),
    }
}

/// Decompresses to at most `limit` bytes; memory never exceeds that by more than a buffer.
pub fn decode(encoding: Encoding, wire: &[u8], limit: usize) -> Result<Bytes> {
    match encoding {
        Encoding::Identity => Ok(Bytes::copy_from_slice(wire)),
        Encoding::Gzip => drain(flate2::read::MultiGzDecoder::new(wire), limit),
        Encoding::Deflate if wire.first().is_some_and(|first| is_zlib(*first)) => {
            drain(flate2::read::ZlibDecoder::new(wire), limit)
        }
        Encoding::Deflate => drain(flate2::read::DeflateDecoder::new(wire), limit),
        Encoding::Brotli => drain(brotli::reader(wire), limit),
        Encoding::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::new(wire).map_err(Error::storage)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).map_err(Error::storage)?;
            drain(decoder, limit)
        }
    }
}

/// RFC 9110 means zlib by deflate; some clients send bare deflate.
fn is_zlib(first: u8) -> bool {
    first & 0x0f == 8
}

/// Bytes up to which most bodies are.
const SMALL: usize = 32 << 10;

fn drain(decoder: impl Read, limit: usize) -> Result<Bytes> {
    let limit = if sabotage::on("wire_limit_only") { 256 << 20 } else { limit };
    let mut decoder = decoder.take(limit as u64 + 1);
    let mut plain = Vec::with_capacity(SMALL.min(limit + 1));
    // In two steps: a buffer that grows by and by leaves as much behind as it has in the end, and pages
    // that nothing is written to cost nothing.
    let mut read = decoder.by_ref().take(SMALL as u64).read_to_end(&mut plain);
    if read.is_ok() && plain.len() == SMALL {
        plain.reserve_exact((limit + 1).saturating_sub(SMALL));
        read = decoder.read_to_end(&mut plain);
    }
    match read {
        Ok(_) if plain.len() > limit => Err(too_large(limit)),
        Ok(_) => Ok(plain.into()),
        Err(error) => Err(Error::malformed(format!("The body could not be decompressed: {error}"))),
    }
}

fn too_large(limit: usize) -> Error {
    Error::too_large(format!("The body is too large: at most {limit} bytes are taken, decompressed"))
}

#[cfg(test)]
mod tests;
