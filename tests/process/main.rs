//! The process as its operator sees it: killed, stopped, started twice, configured wrongly, out of
//! disk, of file descriptors and of luck. Each promise is a scenario (`report.rs`) with a short test, a
//! long one under `make soak`, and a server that breaks the promise on purpose.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod crowd;
mod instance;
mod journal;
mod report;
mod resources;
mod strace;

mod agents;
mod alerts;
mod backup;
mod bodies;
mod clock;
mod configuration;
mod damage;
mod deletion;
mod descriptors;
mod disk_full;
mod fairness;
mod flood;
mod hostile;
mod inbox;
mod intake_files;
mod kill;
mod late_maps;
mod lock;
mod logs;
mod mail;
mod malformed;
mod memory_limit;
mod notifications;
mod one_instance;
mod replays;
mod retention;
mod revoked;
mod room;
mod runner;
mod same_id;
mod searches;
mod secrets;
mod sign_ins;
mod signals;
mod slow_clients;
mod stalled_disk;
mod stop;
mod streams;
mod sync_delay;
mod sync_failure;
mod sync_kill;
mod systemd;
mod unread;
mod uploads;
mod usage;
