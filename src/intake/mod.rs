//! 1. HTTP → checked → durable. Intake never touches `main.db`.
//!
//! The path of an event: [`http`] reads the body within its bounds, `admit` judges by the key in the in-memory
//! [`directory`] whether it is taken, `prepare` [`decode`]s every field to an event of [`crate::event`], from which what is
//! secret is removed, and puts it on the writer's queue ([`store`]). The answer 202 is given after the commit: it
//! promises that the event is on disk, not yet that it is visible.

pub(crate) mod admit;
pub mod decode;
pub mod directory;
pub mod document;
pub mod http;
pub mod jobs;
pub(crate) mod prepare;
pub mod rate;
pub mod room;
pub mod store;
