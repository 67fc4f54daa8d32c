//! A body's way into memory: the beginning of any, and of a large one the rest when there is room for it.

use super::share::{Held, Of, Share};
use super::{ARRIVAL, Encoding, arrival, decode, too_large};
use crate::error::{Error, Result};
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use futures_util::StreamExt as _;
use std::sync::Arc;
use tokio::time::Instant;

/// Bytes of any body that come without asking for room.
const FREE: usize = 16 << 10;
/// Bytes that any body may decompress to where it arrived: less than a millisecond of work.
const FREE_PLAIN: usize = 64 << 10;

/// Whose share a body counts to, by its beginning.
pub trait Whose: Fn(&[u8]) -> Arc<Share> + Send + Sync {}
impl<F: Fn(&[u8]) -> Arc<Share> + Send + Sync> Whose for F {}

/// Reads a body of at most `limit` bytes, on the wire and decompressed. The bytes hold their room until they are
/// dropped.
///
/// # Errors
/// 413 over the limit, 415 for an unknown encoding, 400 when it cannot be read or decompressed, 503 when there is no
/// room for it in time.
pub async fn read(headers: &HeaderMap, body: Body, limit: usize, whose: impl Whose) -> Result<Bytes> {
    let encoding = Encoding::of(headers)?;
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let most = usize::try_from(announced.unwrap_or(limit as u64)).unwrap_or(usize::MAX);
    if most > limit {
        return Err(too_large(limit));
    }
    let share = |beginning: &[u8]| match encoding {
        Encoding::Identity => whose(beginning),
        _ => whose(&super::beginning(encoding, beginning, FREE).0),
    };
    let wire = arrive(body, most, limit, share).await?;
    if encoding == Encoding::Identity {
        return Ok(wire);
    }
    let (beginning, whole) = super::beginning(encoding, &wire, FREE_PLAIN.min(limit + 1));
    if whole {
        return Ok(beginning.into());
    }
    let held = whose(&beginning).take(Of::Decoding).await?;
    let work = move || Ok(holding(decode(encoding, &wire, limit)?, held));
    // Up to a few milliseconds of work for the largest bodies: not on a thread that serves others.
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// The bytes of the wire.
async fn arrive(body: Body, most: usize, limit: usize, share: impl Whose) -> Result<Bytes> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let start = Instant::now();
    if !arrival(start + ARRIVAL, fill(&mut stream, &mut bytes, FREE, limit)).await?? {
        return Ok(bytes.into());
    }
    // The wait for room is not the client's.
    let left = ARRIVAL.saturating_sub(start.elapsed());
    let held = share(&bytes).take(Of::Wire(most)).await?;
    // At once: a buffer that grows by and by leaves as much behind as it has in the end, and pages that nothing is
    // written to cost nothing.
    bytes.reserve_exact(most.saturating_sub(bytes.len()));
    arrival(Instant::now() + left, fill(&mut stream, &mut bytes, usize::MAX, limit)).await??;
    Ok(holding(bytes.into(), held))
}

/// Appends what comes until there are more than `enough` bytes; whether there may be more to come.
async fn fill(stream: &mut BodyDataStream, bytes: &mut Vec<u8>, enough: usize, limit: usize) -> Result<bool> {
    while bytes.len() <= enough {
        let Some(piece) = stream.next().await else { return Ok(false) };
        let piece =
            piece.map_err(|error| Error::malformed(format!("The body could not be read: {error}")))?;
        if bytes.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(true)
}

/// Bytes that keep what they hold until they are dropped.
fn holding(bytes: Bytes, held: Held) -> Bytes {
    struct Holding(Bytes, #[expect(dead_code, reason = "held until it is dropped")] Held);
    impl AsRef<[u8]> for Holding {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    Bytes::from_owner(Holding(bytes, held))
}

#[cfg(test)]
mod tests;
