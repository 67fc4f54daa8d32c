//! What the handlers about people share.

use crate::accounts::flows::methods::Providers;
use crate::accounts::throttle::Throttle;
use crate::config::{Addresses, Config, Secrets};
use crate::crypto::password::Passwords;
use crate::live::Hub;
use crate::mail::Outbox;
use crate::store::Main;
use std::sync::Arc;

/// Accounts, sign-in and membership: where they are stored, and under which configuration.
pub struct People {
    pub config: Config,
    pub addresses: Addresses,
    pub secrets: Secrets,
    pub main: Main,
    /// Learns of everything that ends somebody's access.
    pub live: Arc<Hub>,
    pub passwords: Passwords,
    pub throttle: Throttle,
    pub providers: Providers,
    pub outbox: Arc<Outbox>,
    /// One organization only, as it was when the instance was claimed.
    pub single_org: bool,
}
