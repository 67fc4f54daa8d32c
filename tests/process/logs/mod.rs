//! Logs under kills, full disks and damage: what was acknowledged is found by search, each entry once.

mod damage;
mod disk;
pub(crate) mod flood;
mod history;
mod kill;
mod malformed;
pub(crate) mod stream;
mod sync_kill;
