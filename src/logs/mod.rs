//! Structured logs.
//!
//! The path of a log entry: a body is skimmed for its key, then decoded into an [`crate::event::log_entry::Batch`] of entries
//! that borrow from it; unusable entries are dropped, long values are cut, and secrets are removed
//! ([`decode`]). An entry without a template gets one, made from its message without its variable parts
//! ([`template`]). The batch is packed ([`crate::event::log_batch`]) and written to `logs.db` before it is answered
//! ([`store`]); from there it is added to the [`mod@index`]. An entry is found by its words and its facts
//! ([`crate::search`]); a query consists of the same two.

pub mod correlation;
pub mod decode;
pub mod document;
pub mod http;
pub mod index;
pub mod jobs;
pub mod limits;
pub mod overview;
pub mod recent;
pub mod search;
pub mod sql;
pub mod store;
pub mod template;
