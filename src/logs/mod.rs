//! Structured logs.
//!
//! The path of a log entry: a body is skimmed for its key, then decoded into an [`crate::event::log_entry::Batch`] of
//! entries that borrow from it; unusable entries are dropped, long values are cut, and secrets are removed
//! ([`decode`]). An entry without a template gets one, made from its message without its variable parts
//! ([`template`]). The batch is packed ([`crate::event::log_batch`]) and written to `logs.db` before the request is
//! answered ([`store`]); then it is added to the [`mod@index`]. Searches find entries by their words and their facts
//! ([`crate::search`]).

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
