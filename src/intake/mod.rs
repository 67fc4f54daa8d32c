//! 1. HTTP → checked → durable. Intake never touches `main.db`.
//!
//! The path of an event: [`http`] reads the body within its limits; `admit` decides by the key in the
//! in-memory [`directory`] whether it is accepted; `prepare` [`decode`]s every field into an event of
//! [`crate::event`], removes secrets from it, and puts it on the writer's queue ([`store`]). The answer 202
//! is sent after the commit: it promises that the event is on disk, not that it is visible yet.

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
