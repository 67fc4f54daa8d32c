//! What the handlers for accounts share.

use crate::accounts::flows::methods::Providers;
use crate::accounts::throttle::Throttle;
use crate::config::{Addresses, Config, Secrets};
use crate::crypto::password::Passwords;
use crate::deliveries::Deliveries;
use crate::live::Hub;
use crate::signals::Subscribers;
use crate::store::Main;
use std::sync::Arc;

/// Accounts, sign-in and membership: their stores and their configuration.
pub struct People {
    pub config: Config,
    pub addresses: Addresses,
    pub secrets: Secrets,
    pub main: Main,
    /// Notified whenever somebody's access is revoked.
    pub live: Arc<Hub>,
    pub passwords: Passwords,
    pub throttle: Throttle,
    pub providers: Providers,
    pub deliveries: Arc<Deliveries>,
    pub subscribers: Arc<Subscribers>,
    /// Whether there is only one organization, as fixed by the claim.
    pub single_org: bool,
}
