//! Logs under kills, full disks and damage: acknowledged entries are found by search, each once.

mod damage;
mod disk;
pub(crate) mod flood;
mod history;
mod kill;
mod malformed;
pub(crate) mod stream;
mod sync_kill;
