//! Limits the requests of a person or an organization key: each has a bucket that holds an hour's worth and
//! refills evenly.

use crate::error::{Error, Quota, Result};
use crate::rate::{self, Bucket, Rate};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Callers remembered at once; one that is forgotten has a full bucket again.
const CALLERS_MAX: usize = 20_000;

/// The owner of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bearer {
    User(i64),
    OrganizationKey(i64),
    Key(i64),
}

/// The buckets of all callers.
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
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CALLERS_MAX {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        if buckets.len() >= CALLERS_MAX {
            buckets.clear();
        }
        let rate = Rate::per_hour(per_hour);
        buckets.entry(bearer).or_default().take(rate, 1, now).map_err(|refused| {
            // A page sends several requests at once.
            let some = (per_hour / 50).clamp(1, 20);
            let retry_after = rate::seconds(refused.wait + rate.time_of(some - 1));
            let text = format!("More than {per_hour} requests in an hour. Wait a little.");
            let quota = Some(Quota { limit: per_hour, remaining: 0 });
            Error::TooMany { text: text.into(), retry_after, quota }
        })
    }
}
