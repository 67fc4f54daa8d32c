//! Large bodies that must get on: one that comes byte by byte would hold its connection and its place
//! for ever.

use super::ARRIVAL;
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use std::time::{Duration, Instant};

/// Bytes that must come within each [`ARRIVAL`] that is spent waiting: 2.6 KB a second, far below the
/// slowest line that source maps are sent over.
const PIECE: usize = 64 << 10;

/// A client that sends too slowly.
#[derive(Debug, thiserror::Error)]
#[error("The body came too slowly: at least {PIECE} bytes are expected in each {} seconds", ARRIVAL.as_secs())]
pub struct TooSlow;

/// The same body, ending with [`TooSlow`] when its client does not keep up. Only time that is spent
/// waiting for the client counts.
pub fn paced(body: Body) -> Body {
    paced_by(body, ARRIVAL)
}

fn paced_by(body: Body, limit: Duration) -> Body {
    let state = Pace { wire: body.into_data_stream(), limit, bytes: 0, waited: Duration::ZERO };
    Body::from_stream(stream::try_unfold(state, Pace::next))
}

struct Pace {
    wire: BodyDataStream,
    /// How long a piece may be waited for.
    limit: Duration,
    /// Bytes that came since the last piece was full.
    bytes: usize,
    /// How long they were waited for.
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
