//! Limits how often somebody may guess passwords and tokens, and how many requests a person may send.
//!
//! Failures are counted in memory over a sliding quarter of an hour. An attempt takes a slot before anything
//! is compared, and returns it if it was right, so sending many at once does not help. An account is only
//! ever closed to the address that guesses, never to its owner elsewhere.

mod buckets;
mod windows;

pub use buckets::{Allowance, Bearer, Buckets};
pub use windows::{SlotTime, Windows};

use crate::error::{Error, Quota, Result};
use std::net::IpAddr;
use std::time::Duration;

/// How long a failure counts.
const WINDOW: Duration = Duration::from_mins(15);
/// Failures allowed for one account from one address in that time,
const ACCOUNT_MAX: usize = 5;
/// and for one address, whatever the account. The other doors have the same limit, each with its own counter.
const ADDRESS_MAX: usize = 50;

/// The places where an attempt can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Door {
    Login,
    Register,
    Forgot,
    Setup,
    /// Links: their tokens have 256 bits, so this limits load rather than guessing.
    Link,
    /// Callbacks from a provider to a flow of this browser.
    Callback,
}

/// Sign-ins at providers that one address may start in a quarter of an hour; each is a row in the database.
const STARTS_MAX: usize = 200;

/// How often the owner of an account is warned of guesses at it: once in this time, from wherever they come.
const WARN: Duration = Duration::from_hours(1);

/// All counters of the process.
#[derive(Default)]
pub struct Throttle {
    addresses: Windows<(Door, IpAddr)>,
    accounts: Windows<(String, IpAddr)>,
    /// Refusals that were reported.
    told: Windows<IpAddr>,
    /// Accounts whose owners were warned.
    warned: Windows<String>,
    starts: Windows<IpAddr>,
    pub requests: Buckets,
    /// Requests to the platform API,
    pub platform: Buckets,
    /// and those of them that start a session.
    pub session_starts: Buckets,
}

/// An attempt in progress. If it is dropped, it counts as a failure.
#[must_use]
pub struct Attempt<'a> {
    throttle: &'a Throttle,
    address: ((Door, IpAddr), SlotTime),
    account: Option<((String, IpAddr), SlotTime)>,
}

impl Throttle {
    /// Starts an attempt at `door`.
    ///
    /// # Errors
    /// Too many attempts, with the time until the oldest failure no longer counts.
    pub fn begin(&self, door: Door, address: IpAddr) -> Result<Attempt<'_>> {
        let key = (door, network(address));
        let place = self.addresses.take(key, ADDRESS_MAX, WINDOW).map_err(too_many(ADDRESS_MAX))?;
        Ok(Attempt { throttle: self, address: (key, place), account: None })
    }

    /// Starts an attempt at the password of `email`, which need not have an account.
    ///
    /// # Errors
    /// Like [`Throttle::begin`], and after 5 failures of this account from this address.
    pub fn begin_login(&self, email: &str, address: IpAddr) -> Result<Attempt<'_>> {
        let mut attempt = self.begin(Door::Login, address)?;
        let key = (email.to_owned(), network(address));
        match self.accounts.take(key.clone(), ACCOUNT_MAX, WINDOW) {
            Ok(place) => attempt.account = Some((key, place)),
            // The password was not tried, so this is not a failure of the address.
            Err(wait) => {
                attempt.succeed();
                return Err(refused(ACCOUNT_MAX, wait));
            }
        }
        Ok(attempt)
    }

    /// Starts a sign-in at a provider.
    ///
    /// # Errors
    /// Too many from this address.
    pub fn start(&self, address: IpAddr) -> Result<()> {
        self.starts.take(network(address), STARTS_MAX, WINDOW).map(drop).map_err(too_many(STARTS_MAX))
    }

    /// Whether to report a refusal. Only an address's first few in a quarter of an hour are reported, so that
    /// nobody can fill the audit log.
    pub fn is_news(&self, address: IpAddr) -> bool {
        self.told.take(network(address), ACCOUNT_MAX, WINDOW).is_ok()
    }

    /// Whether to warn the owner of an account, if it exists, that somebody at this address guesses at it.
    pub fn is_warning(&self, email: &str, address: IpAddr) -> bool {
        let key = (email.to_owned(), network(address));
        self.accounts.is_full(&key, ACCOUNT_MAX, WINDOW) && self.warned.take(key.0, 1, WARN).is_ok()
    }
}

impl Attempt<'_> {
    /// Takes the outcome of the attempt; one that could not be checked because of an internal error does not
    /// count.
    ///
    /// # Errors
    /// The given error.
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

    /// The attempt was right: it does not count.
    pub fn succeed(self) {
        self.throttle.addresses.give_back(&self.address.0, self.address.1);
        if let Some((key, place)) = &self.account {
            self.throttle.accounts.give_back(key, *place);
        }
    }
}

/// The network of an address: a client with one IPv6 address usually has a whole /64.
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
        text: format!("Too many attempts. Try again in {minutes} {unit}.").into(),
        retry_after: seconds,
        quota: u32::try_from(limit).ok().map(|limit| Quota { limit, remaining: 0 }),
    }
}

#[cfg(test)]
mod tests;
