//! Request bodies: bounded on the wire and after decompression.

mod arrive;
mod brotli;
mod pace;
mod share;
mod unpack;

pub use arrive::{ShareFinder, read, read_wire};
pub use pace::{TooSlow, paced};
pub use share::{Permit, Resource, Share};
pub use unpack::unpacked;

use crate::error::{Error, Result};
use crate::sabotage;
use crate::time::Timestamp;
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use std::future::Future;
use std::io::Read;
use std::time::Duration;
use tokio::time::Instant;

/// How long a whole body, or each 64 KiB of an upload, may take to arrive.
pub const ARRIVAL: Duration = Duration::from_secs(25);

/// The largest window of a frame, which could otherwise ask for gigabytes: RFC 9659 allows 2^23 on the Web.
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
    /// 415 for any other encoding, and for several combined.
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

    fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "text",
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "Brotli",
            Self::Zstd => "Zstandard",
        }
    }
}

/// Waits for bytes of a client until `deadline` at most.
///
/// # Errors
/// 400 after that.
async fn arrival<T>(deadline: Instant, bytes: impl Future<Output = T>) -> Result<T> {
    let late = || Error::malformed(format!("The body did not arrive within {} seconds", ARRIVAL.as_secs()));
    let start = sabotage::on("wall_clock").then(Timestamp::now);
    let arrived = tokio::time::timeout_at(deadline, bytes).await.map_err(|_| late())?;
    match start {
        Some(start) if Timestamp::now().millis() - start.millis() > ARRIVAL.as_millis() as i64 => Err(late()),
        _ => Ok(arrived),
    }
}

/// Decompresses to at most `limit` bytes; memory never exceeds that by more than one buffer.
pub fn decode(encoding: Encoding, wire: &[u8], limit: usize) -> Result<Bytes> {
    drain(decoder(encoding, wire)?, limit).map_err(|error| match error {
        Drained::TooLarge => too_large(limit),
        Drained::Broken(cause) => {
            Error::malformed(format!("The body is not valid {}: {cause}", encoding.as_str()))
        }
    })
}

/// The first bytes of the decompressed body, fewer than `most` if it ends or is broken before, and whether
/// that is all of it.
pub fn beginning(encoding: Encoding, wire: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut plain = Vec::with_capacity(most.min(SMALL));
    let Ok(decoder) = decoder(encoding, wire) else { return (plain, false) };
    // What was decompressed before an error is kept.
    let read = decoder.take(most as u64).read_to_end(&mut plain);
    let whole = read.is_ok() && plain.len() < most;
    (plain, whole)
}

/// Decompresses what it reads from `wire`; how much that may be is for its reader to limit.
///
/// # Errors
/// If a decoder cannot be made.
pub fn decoder<'a>(encoding: Encoding, wire: &'a [u8]) -> Result<Box<dyn Read + 'a>> {
    Ok(match encoding {
        Encoding::Identity => Box::new(wire),
        Encoding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(wire)),
        Encoding::Deflate if wire.first().is_some_and(|first| is_zlib(*first)) => {
            Box::new(flate2::read::ZlibDecoder::new(wire))
        }
        Encoding::Deflate => Box::new(flate2::read::DeflateDecoder::new(wire)),
        Encoding::Brotli => Box::new(brotli::reader(wire)),
        Encoding::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::new(wire).map_err(Error::storage)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).map_err(Error::storage)?;
            Box::new(decoder)
        }
    })
}

/// By deflate, RFC 9110 means zlib; some clients send bare deflate.
fn is_zlib(first: u8) -> bool {
    first & 0x0f == 8
}

/// The size of most bodies, in bytes, is below this.
const SMALL: usize = 32 << 10;

/// Why a body could not be decompressed.
enum Drained {
    TooLarge,
    Broken(std::io::Error),
}

fn drain(decoder: impl Read, limit: usize) -> Result<Bytes, Drained> {
    let limit = if sabotage::on("wire_limit_only") { 256 << 20 } else { limit };
    let mut decoder = decoder.take(limit as u64 + 1);
    let mut plain = Vec::with_capacity(SMALL.min(limit + 1));
    // In two steps: a buffer that grows gradually leaves as much freed memory behind as it has in the end,
    // while reserved pages that are not written to cost nothing.
    let mut read = decoder.by_ref().take(SMALL as u64).read_to_end(&mut plain);
    if read.is_ok() && plain.len() == SMALL {
        plain.reserve_exact((limit + 1).saturating_sub(SMALL));
        read = decoder.read_to_end(&mut plain);
    }
    match read {
        Ok(_) if plain.len() > limit => Err(Drained::TooLarge),
        Ok(_) => Ok(plain.into()),
        Err(error) => Err(Drained::Broken(error)),
    }
}

fn too_large(limit: usize) -> Error {
    Error::too_large(format!("The body is too large: at most {limit} bytes are accepted, decompressed"))
}

#[cfg(test)]
mod tests;
