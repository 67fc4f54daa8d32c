//! How often somebody may try: guesses at passwords and tokens, and requests of a person.
//!
//! Failures are counted in memory for a sliding quarter of an hour. A try takes its place before
//! anything is compared and gives it back when it was right, so that many at once are no way round.
//! An account is only ever closed for the address that guesses, never for its owner elsewhere.

mod buckets;
mod windows;

pub use buckets::{Bearer, Buckets};
pub use windows::{Place, Windows};

use crate::error::{Error, Quota, Result};
use std::net::IpAddr;
use std::time::Duration;

/// How long a failure counts.
const WINDOW: Duration = Duration::from_mins(15);
/// Failures of one account from one address in that time,
const ACCOUNT_MAX: usize = 5;
/// and of one address, whatever the account. The other doors have this bound, each a counter of its own.
const ADDRESS_MAX: usize = 50;

/// Where one may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Door {
    Login,
    Register,
    Forgot,
    Setup,
    /// Links: tokens of 256 bit, so this is against load more than against guesses.
    Link,
    /// Returns from a provider to a flow of this browser.
    Callback,
}

/// Sign-ins at providers that one address may begin in a quarter of an hour: each is a row.
const STARTS_MAX: usize = 200;

/// All counters of the process.
#[derive(Default)]
pub struct Throttle {
    addresses: Windows<(Door, IpAddr)>,
    accounts: Windows<(String, IpAddr)>,
    /// Refusals that were told of.
    told: Windows<IpAddr>,
    starts: Windows<IpAddr>,
    pub requests: Buckets,
}

/// A try that has begun. Dropped, it counts as a failure.
#[must_use]
pub struct Attempt<'a> {
    throttle: &'a Throttle,
    address: ((Door, IpAddr), Place),
    account: Option<((String, IpAddr), Place)>,
}

impl Throttle {
    /// Begins a try at `door`.
    ///
    /// # Errors
    /// Too many, with the time after which the oldest failure does not count any more.
    pub fn begin(&self, door: Door, address: IpAddr) -> Result<Attempt<'_>> {
        let key = (door, network(address));
        let place = self.addresses.take(key, ADDRESS_MAX, WINDOW).map_err(too_many(ADDRESS_MAX))?;
        Ok(Attempt { throttle: self, address: (key, place), account: None })
    }

    /// Begins a try at the password of `email`, which need not be anybody's.
    ///
    /// # Errors
    /// Like [`Throttle::begin`], and after 5 failures of this account from this address.
    pub fn begin_login(&self, email: &str, address: IpAddr) -> Result<Attempt<'_>> {
        let mut attempt = self.begin(Door::Login, address)?;
        let key = (email.to_owned(), network(address));
        match self.accounts.take(key.clone(), ACCOUNT_MAX, WINDOW) {
            Ok(place) => attempt.account = Some((key, place)),
            // It was not tried: it is no failure of the address.
            Err(wait) => {
                attempt.succeed();
                return Err(refused(ACCOUNT_MAX, wait));
            }
        }
        Ok(attempt)
    }

    /// Begins a sign-in at a provider.
    ///
    /// # Errors
    /// Too many of this address.
    pub fn start(&self, address: IpAddr) -> Result<()> {
        self.starts.take(network(address), STARTS_MAX, WINDOW).map(drop).map_err(too_many(STARTS_MAX))
    }

    /// Whether a refusal is to be told of: the first few of an address in a quarter of an hour are, so
    /// that nobody can fill the audit log.
    pub fn is_news(&self, address: IpAddr) -> bool {
        self.told.take(network(address), ACCOUNT_MAX, WINDOW).is_ok()
    }
}

impl Attempt<'_> {
    /// Takes how it was judged; one that could not be, for a fault of ours, does not count.
    ///
    /// # Errors
    /// The given one.
    pub fn judged<T>(self, outcome: Result<T>) -> Result<(T, Self)> {
        match outcome {
            Ok(judged) => Ok((judged, self)),
            Err(error) => {
                if matches!(error, Error::Unavailable { .. } | Error::Internal(_)) {
                    self.succeed();
                }
                Err(error)
            }
        }
    }

    /// It was right: it does not count.
    pub fn succeed(self) {
        self.throttle.addresses.give_back(&self.address.0, self.address.1);
        if let Some((key, place)) = &self.account {
            self.throttle.accounts.give_back(key, *place);
        }
    }
}

/// Who has an IPv6 address has a whole /64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let bits = v6.to_bits() >> 64 << 64;
            IpAddr::V6(bits.into())
        }
    }
}

fn too_many(limit: usize) -> impl Fn(Duration) -> Error {
    move |wait| refused(limit, wait)
}

fn refused(limit: usize, wait: Duration) -> Error {
    let seconds = u32::try_from(wait.as_secs() + 1).unwrap_or(u32::MAX);
    let minutes = seconds.div_ceil(60);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    Error::TooMany {
        text: format!("Too many tries. Try again in {minutes} {unit}.").into(),
        retry_after: seconds,
        quota: u32::try_from(limit).ok().map(|limit| Quota { limit, remaining: 0 }),
    }
}

#[cfg(test)]
mod tests;
