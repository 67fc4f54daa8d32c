//! Limits the requests of a person or key: each has a bucket that refills evenly.

use crate::error::{Error, Quota, Result};
use crate::ids::{RunnerId, TriggerId};
use crate::rate::{self, Bucket, Rate};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Callers remembered at once; one that is forgotten has a full bucket again.
const CALLERS_MAX: usize = 20_000;

/// The owner of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bearer {
    User(i64),
    OrganizationKey(i64),
    Key(i64),
    Runner(RunnerId),
    Trigger(TriggerId),
}

/// What a caller has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    pub quota: Quota,
    /// The time until the bucket is full, at least; if it refused, until it would not.
    pub reset: Duration,
}

/// The buckets of all callers, each with an hour's or a minute's worth.
#[derive(Default)]
pub struct Buckets(Mutex<HashMap<Bearer, Bucket>>);

impl Buckets {
    /// Takes one request from the bucket; `per_hour` of 0 means unlimited.
    ///
    /// # Errors
    /// Too many requests, with the time until a few more are allowed.
    pub fn take(&self, bearer: Bearer, per_hour: u32) -> Result<()> {
        if per_hour == 0 {
            return Ok(());
        }
        self.take_at(bearer, per_hour, Instant::now())
    }

    pub(super) fn take_at(&self, bearer: Bearer, per_hour: u32, now: Instant) -> Result<()> {
        let rate = Rate::per_hour(per_hour);
        self.with(bearer, now, |bucket| bucket.take(rate, 1, now)).map_err(|refused| {
            // A page sends several requests at once.
            let some = (per_hour / 50).clamp(1, 20);
            let retry_after = rate::seconds(refused.wait + rate.time_of(some - 1));
            let text = format!("More than {per_hour} requests in an hour. Wait a little.");
            let quota = Some(Quota { limit: per_hour, remaining: 0 });
            Error::TooMany { text: text.into(), retry_after, quota }
        })
    }

    /// Like [`Buckets::take`] with a minute's worth; returns what is left. `what` names the requests in the refusal.
    /// `per_minute` of 0 means unlimited; then what is left is unknown.
    ///
    /// # Errors
    /// The refusal, with what is left.
    pub fn take_of_minute(
        &self,
        bearer: Bearer,
        per_minute: u32,
        what: &str,
    ) -> Result<Option<Allowance>, (Allowance, Error)> {
        if per_minute == 0 {
            return Ok(None);
        }
        let (rate, now) = (Rate::per_minute(per_minute), Instant::now());
        let (taken, state) =
            self.with(bearer, now, |bucket| (bucket.take(rate, 1, now), bucket.state(rate, now)));
        let of = |remaining| Quota { limit: per_minute, remaining };
        match taken {
            Ok(()) => Ok(Some(Allowance { quota: of(state.0), reset: state.1 })),
            Err(refused) => {
                let text = format!("More than {per_minute} {what} in a minute. Wait a little.");
                let (retry_after, quota) = (refused.seconds(), of(0));
                let error = Error::TooMany { text: text.into(), retry_after, quota: Some(quota) };
                Err((Allowance { quota, reset: Duration::from_secs(u64::from(retry_after)) }, error))
            }
        }
    }

    fn with<T>(&self, bearer: Bearer, now: Instant, work: impl FnOnce(&Bucket) -> T) -> T {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CALLERS_MAX {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        if buckets.len() >= CALLERS_MAX {
            buckets.clear();
        }
        work(buckets.entry(bearer).or_default())
    }
}
