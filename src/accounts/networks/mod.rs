//! From which networks keys are used: whoever stole one usually comes from another.
//!
//! The first network of a key is its usual one. Whoever can revoke the key is warned of each further one, at most
//! once an hour, until the key has been used from so many that it evidently moves.

pub mod sql;

use crate::time::HOUR;
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// After this many networks of a key, no further one is reported.
pub const NETWORKS_MAX: i64 = 10;
/// How long after a warning there is no further one about the same key, in milliseconds.
pub const QUIET: i64 = HOUR;
/// Uses remembered; a forgotten one is looked up again.
const REMEMBERED: usize = 20_000;

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A personal access token.
    Personal,
    Organization,
    Project,
}

impl Holder {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Personal => "personal",
            Self::Organization => "organization",
            Self::Project => "project",
        }
    }
}

/// A key, and the network that it was used from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Use {
    pub holder: Holder,
    pub key: i64,
    /// `203.0.113.0/24`
    pub network: String,
}

impl Use {
    pub fn new(holder: Holder, key: i64, address: IpAddr) -> Self {
        Self { holder, key, network: network(address) }
    }
}

/// What providers usually give to one customer: 256 addresses, or a /48.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(address) => format!("{}/48", std::net::Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)),
    }
}

/// The uses that are already stored, so that most requests cost only a look-up in memory.
#[derive(Debug, Default)]
pub struct KnownUses(Mutex<HashSet<Use>>);

impl KnownUses {
    /// Whether this use is new. It is known from now on.
    pub fn is_new(&self, one: &Use) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(one) {
            return false;
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(one.clone())
    }

    /// Forgets a use that could not be stored.
    pub fn forget(&self, one: &Use) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(one);
    }
}

#[cfg(test)]
mod tests;
