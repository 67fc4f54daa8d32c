//! Limits connections, in total and for one address, and chooses which one to close for a new one.

use super::activity::Activity;
use crate::sabotage;
use ipnet::IpNet;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Connections at once.
const CONNECTIONS: usize = 2_048;
/// Connections at once for one address: half, so that no single address can keep the others out.
const OF_ADDRESS: usize = 1_024;
/// Idle connections closed together, because finding the idlest means looking at all of them.
const SWEEP: usize = 32;

pub(super) struct Places {
    trusted: Vec<IpNet>,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    next: u64,
    held: HashMap<u64, Connection>,
    by_network: HashMap<Network, usize>,
}

struct Connection {
    /// `None` for a trusted proxy.
    network: Option<Network>,
    activity: Arc<Activity>,
}

/// The addresses of one client: one in IPv4, 2^64 in IPv6.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Network {
    V4(u32),
    V6(u64),
}

impl Network {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => Self::V6((address.to_bits() >> 64) as u64),
        }
    }
}

/// A connection's place, which becomes free when it is dropped.
pub(super) struct Slot {
    places: Arc<Places>,
    number: u64,
    pub(super) activity: Arc<Activity>,
}

impl Places {
    pub(super) fn new(trusted: Vec<IpNet>) -> Self {
        Self { trusted, open: Mutex::default() }
    }

    /// A place for a connection from `peer`; if there is none, idle connections are closed. `None` if all are
    /// busy.
    pub(super) fn take(self: &Arc<Self>, peer: IpAddr) -> Option<Slot> {
        let is_trusted = self.trusted.iter().any(|net| net.contains(&peer.to_canonical()));
        let network = (!is_trusted).then(|| Network::of(peer));
        let mut open = self.open();
        if !sabotage::on("plain_serve") {
            let of_network = network.and_then(|network| open.by_network.get(&network)).copied();
            if of_network.unwrap_or_default() >= OF_ADDRESS {
                open.end_idlest(network)?;
            }
            if open.held.len() >= CONNECTIONS {
                open.end_idlest(None)?;
            }
        }
        let (number, activity) = (open.next, Activity::new());
        open.next += 1;
        open.held.insert(number, Connection { network, activity: activity.clone() });
        if let Some(network) = network {
            *open.by_network.entry(network).or_default() += 1;
        }
        Some(Slot { places: self.clone(), number, activity })
    }

    /// Closes idle connections, however many connections there are.
    pub(super) fn make_room(&self) {
        self.open().end_idlest(None);
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Closes the idlest connections, only those of `network` if one is given; `None` if all are busy.
    fn end_idlest(&mut self, network: Option<Network>) -> Option<()> {
        let held = self.held.iter().filter(|(_, held)| network.is_none() || held.network == network);
        let mut idle: Vec<_> =
            held.filter_map(|(number, held)| Some((held.activity.idle_since()?, *number))).collect();
        idle.sort_unstable();
        for (_, number) in idle.iter().take(SWEEP) {
            // Freed at once: closing takes a moment, and a connection must not be chosen twice.
            if let Some(held) = self.free(*number) {
                held.activity.give_away();
            }
        }
        (!idle.is_empty()).then_some(())
    }

    fn free(&mut self, number: u64) -> Option<Connection> {
        let held = self.held.remove(&number)?;
        if let Some(network) = held.network
            && let Some(count) = self.by_network.get_mut(&network)
        {
            *count -= 1;
            if *count == 0 {
                self.by_network.remove(&network);
            }
        }
        Some(held)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.places.open().free(self.number);
    }
}

#[cfg(test)]
mod tests;
