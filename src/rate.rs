//! Token buckets on the monotonic clock. A bucket is one number, so using it takes no lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// How fast a bucket fills, and how much it holds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rate {
    /// Tokens per `per` nanoseconds; 0: unlimited.
    limit: u32,
    per: u64,
    burst: u32,
}

impl Rate {
    /// Holds one second's worth, and never less than `batch`.
    pub fn per_second(limit: u32, batch: u32) -> Self {
        Self { limit, per: SECOND, burst: limit.max(batch) }
    }

    /// Holds ten seconds' worth, and never less than `batch`.
    pub fn of_bytes(limit: u32, batch: u32) -> Self {
        Self { limit, per: SECOND, burst: limit.saturating_mul(10).max(batch) }
    }

    /// Holds one minute's worth.
    pub fn per_minute(limit: u32) -> Self {
        Self { limit, per: MINUTE, burst: limit }
    }

    /// Holds one hour's worth.
    pub fn per_hour(limit: u32) -> Self {
        Self { limit, per: HOUR, burst: limit }
    }

    /// Tokens per unit of time; 0: unlimited.
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// How long `tokens` take to flow in.
    pub fn time_of(self, tokens: u32) -> Duration {
        Duration::from_nanos(self.nanos_of(tokens))
    }

    /// Rounded up, so that many small requests never get more than a few large ones. An hour's nanoseconds
    /// times 2^22 tokens do not overflow.
    fn nanos_of(self, tokens: u32) -> u64 {
        (u64::from(tokens).saturating_mul(self.per)).div_ceil(u64::from(self.limit).max(1))
    }

    fn tokens_in(self, nanos: u64) -> u32 {
        let tokens = nanos.saturating_mul(u64::from(self.limit)) / self.per.max(1);
        u32::try_from(tokens).unwrap_or(u32::MAX)
    }
}

/// A refusal: nothing was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateRefusal {
    /// The time until the same request would succeed, if nobody else takes anything.
    pub wait: Duration,
    /// Tokens that are left.
    pub remaining: u32,
}

impl RateRefusal {
    /// The wait in seconds, at least 1.
    pub fn seconds(self) -> u32 {
        seconds(self.wait)
    }
}

/// Rounded up, at least 1: for `Retry-After`.
pub fn seconds(wait: Duration) -> u32 {
    u32::try_from(wait.as_nanos().div_ceil(u128::from(SECOND))).unwrap_or(u32::MAX).max(1)
}

/// A bucket, full at first. It stores when it will be full again, in nanoseconds of [`nanos`].
#[derive(Debug, Default)]
pub struct Bucket(AtomicU64);

impl Bucket {
    /// Takes `cost` tokens, all or none. More tokens than the bucket holds are always refused.
    ///
    /// # Errors
    /// If there are not enough tokens.
    pub fn take(&self, rate: Rate, cost: u32, now: Instant) -> Result<(), RateRefusal> {
        if rate.limit == 0 {
            return Ok(());
        }
        let (now, room, cost) = (nanos(now), rate.nanos_of(rate.burst), rate.nanos_of(cost));
        let take = |full_at: u64| {
            let next = full_at.max(now).saturating_add(cost);
            (next - now <= room).then_some(next)
        };
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map(drop).map_err(|full_at| {
            let missing = full_at.saturating_sub(now);
            RateRefusal {
                wait: Duration::from_nanos((missing + cost).saturating_sub(room)),
                remaining: rate.tokens_in(room.saturating_sub(missing)),
            }
        })
    }

    /// Returns tokens that were taken but not used.
    pub fn give_back(&self, rate: Rate, cost: u32) {
        let give = |full_at: u64| Some(full_at.saturating_sub(rate.nanos_of(cost)));
        // Never refused.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, give);
    }

    /// Tokens that are left, and the time until it is full.
    pub fn state(&self, rate: Rate, now: Instant) -> (u32, Duration) {
        let missing = self.0.load(Ordering::Relaxed).saturating_sub(nanos(now));
        let remaining = rate.tokens_in(rate.nanos_of(rate.burst).saturating_sub(missing));
        (remaining.min(rate.burst), Duration::from_nanos(missing))
    }

    /// Whether it is full, like a new one.
    pub fn is_full(&self, now: Instant) -> bool {
        self.0.load(Ordering::Relaxed) <= nanos(now)
    }
}

/// Nanoseconds since one second before the first call, because the first call's time may be later than
/// another's. 584 years fit.
pub fn nanos(now: Instant) -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let first = *FIRST.get_or_init(|| now.checked_sub(Duration::from_secs(1)).unwrap_or(now));
    u64::try_from(now.saturating_duration_since(first).as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
