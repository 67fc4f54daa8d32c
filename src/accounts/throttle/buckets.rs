//! Requests of a person or an organization's key: a bucket that holds an hour's worth and fills evenly.

use crate::error::{Error, Result};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Callers that are remembered at once; one that is forgotten has a full bucket.
const CALLERS_MAX: usize = 20_000;
const HOUR: Duration = Duration::from_hours(1);

/// Whose bucket it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bearer {
    User(i64),
    OrganizationKey(i64),
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// What was in it at that time.
    tokens: f64,
    at: Instant,
}

/// The buckets of all callers.
#[derive(Default)]
pub struct Buckets(Mutex<HashMap<Bearer, Bucket>>);

impl Buckets {
    /// Takes one request out of the bucket; `per_hour` of 0 has no bound.
    ///
    /// # Errors
    /// Too many, with the time until the next one fits.
    pub fn take(&self, bearer: Bearer, per_hour: u32) -> Result<()> {
        if per_hour == 0 {
            return Ok(());
        }
        self.take_at(bearer, per_hour, Instant::now())
    }

    pub(super) fn take_at(&self, bearer: Bearer, per_hour: u32, now: Instant) -> Result<()> {
        let (full, rate) = (f64::from(per_hour), f64::from(per_hour) / HOUR.as_secs_f64());
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CALLERS_MAX {
            // After an hour every bucket is full again, as a new one is.
            buckets.retain(|_, bucket| now.duration_since(bucket.at) < HOUR);
        }
        if buckets.len() >= CALLERS_MAX {
            buckets.clear();
        }
        let bucket = buckets.entry(bearer).or_insert(Bucket { tokens: full, at: now });
        let elapsed = now.saturating_duration_since(bucket.at).as_secs_f64();
        let tokens = elapsed.mul_add(rate, bucket.tokens).min(full);
        if tokens < 1.0 {
            *bucket = Bucket { tokens, at: now };
            let some = f64::from((per_hour / 50).clamp(1, 20));
            return Err(refused(per_hour, (some - tokens) / rate));
        }
        *bucket = Bucket { tokens: tokens - 1.0, at: now };
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds of an hour")]
fn refused(per_hour: u32, seconds: f64) -> Error {
    Error::TooMany {
        text: format!("More than {per_hour} requests in an hour. They go on one by one; wait a little.")
            .into(),
        retry_after: seconds.ceil().max(1.0) as u32,
        limit: Some(per_hour),
    }
}
