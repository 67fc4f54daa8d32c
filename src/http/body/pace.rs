//! Requires large bodies to make progress: one that arrives byte by byte would hold its connection and its
//! place forever.

use super::ARRIVAL;
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use std::time::{Duration, Instant};

/// Bytes that must arrive within each [`ARRIVAL`] spent waiting: 2.6 KB per second, far below the slowest
/// line over which source maps are sent.
const PIECE: usize = 64 << 10;

/// A client that sends too slowly.
#[derive(Debug, thiserror::Error)]
#[error("The body arrived too slowly: at least {PIECE} bytes are expected every {} seconds", ARRIVAL.as_secs())]
pub struct TooSlow;

/// The same body, which ends with [`TooSlow`] if its client does not keep up. Only time spent waiting for the
/// client counts.
pub fn paced(body: Body) -> Body {
    paced_by(body, ARRIVAL)
}

fn paced_by(body: Body, limit: Duration) -> Body {
    let state = Pace { wire: body.into_data_stream(), limit, bytes: 0, waited: Duration::ZERO };
    Body::from_stream(stream::try_unfold(state, Pace::next))
}

struct Pace {
    wire: BodyDataStream,
    /// How long a piece may take.
    limit: Duration,
    /// Bytes that arrived since the last full piece.
    bytes: usize,
    /// Time spent waiting for them.
    waited: Duration,
}

impl Pace {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, axum::BoxError> {
        let start = Instant::now();
        let arrived = tokio::time::timeout(self.limit.saturating_sub(self.waited), self.wire.next()).await;
        let Some(bytes) = arrived.map_err(|_| TooSlow)?.transpose()? else { return Ok(None) };
        self.waited += start.elapsed();
        self.bytes += bytes.len();
        if self.bytes >= PIECE {
            (self.bytes, self.waited) = (0, Duration::ZERO);
        }
        Ok(Some((bytes, self)))
    }
}

#[cfg(test)]
mod tests;
