//! Reads bodies into memory: the beginning of every body at once, and the rest of a large one when there is
//! room for it.

use super::share::{Permit, Resource, Share};
use super::{ARRIVAL, Encoding, arrival, decode, too_large};
use crate::error::{Error, Result};
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use futures_util::StreamExt as _;
use std::sync::Arc;
use tokio::time::Instant;

/// Bytes of every body that are read without waiting for room.
const FREE: usize = 16 << 10;
/// Bytes up to which a body is decompressed where it arrived: less than a millisecond of work.
const FREE_PLAIN: usize = 64 << 10;

/// Tells whose share a body counts towards, judging by its beginning.
pub trait ShareFinder: Fn(&[u8]) -> Arc<Share> + Send + Sync {}
impl<F: Fn(&[u8]) -> Arc<Share> + Send + Sync> ShareFinder for F {}

/// Reads a body of at most `limit` bytes, both on the wire and decompressed. The returned bytes occupy their
/// room until they are dropped.
///
/// # Errors
/// 413 over the limit, 415 for an unknown encoding, 400 if it cannot be read or decompressed, 503 if no room
/// becomes free in time.
pub async fn read(headers: &HeaderMap, body: Body, limit: usize, whose: impl ShareFinder) -> Result<Bytes> {
    let share = |beginning: &[u8]| whose(beginning);
    let (encoding, wire) = read_wire(headers, body, limit, share).await?;
    if encoding == Encoding::Identity {
        return Ok(wire);
    }
    let (beginning, whole) = super::beginning(encoding, &wire, FREE_PLAIN.min(limit + 1));
    if whole {
        return Ok(beginning.into());
    }
    let held = whose(&beginning).take(Resource::Decoding).await?;
    let work = move || Ok(holding(decode(encoding, &wire, limit)?, held));
    // A few milliseconds of work for the largest bodies, so not on a thread that serves others.
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// Reads a body of at most `limit` bytes as it is on the wire. The returned bytes occupy their room until they are
/// dropped.
///
/// # Errors
/// 413 over the limit, 415 for an unknown encoding, 400 if it cannot be read, 503 if no room becomes free in time.
pub async fn read_wire(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    whose: impl ShareFinder,
) -> Result<(Encoding, Bytes)> {
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
    Ok((encoding, arrive(body, most, limit, share).await?))
}

/// The bytes on the wire.
async fn arrive(body: Body, most: usize, limit: usize, share: impl ShareFinder) -> Result<Bytes> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    let start = Instant::now();
    if !arrival(start + ARRIVAL, fill(&mut stream, &mut bytes, FREE, limit)).await?? {
        return Ok(bytes.into());
    }
    // The time spent waiting for room does not count against the client.
    let left = ARRIVAL.saturating_sub(start.elapsed());
    let held = share(&bytes).take(Resource::Wire(most)).await?;
    // All at once: a buffer that grows gradually leaves as much freed memory behind as it has in the end,
    // while reserved pages that are not written to cost nothing.
    bytes.reserve_exact(most.saturating_sub(bytes.len()));
    arrival(Instant::now() + left, fill(&mut stream, &mut bytes, usize::MAX, limit)).await??;
    Ok(holding(bytes.into(), held))
}

/// Appends what arrives until there are more than `enough` bytes; returns whether there may be more.
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

/// Bytes that keep `held` until they are dropped.
fn holding(bytes: Bytes, held: Permit) -> Bytes {
    struct Holding(Bytes, #[expect(dead_code, reason = "held until it is dropped")] Permit);
    impl AsRef<[u8]> for Holding {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    Bytes::from_owner(Holding(bytes, held))
}

#[cfg(test)]
mod tests;
