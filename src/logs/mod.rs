//! Structured logs.
//!
//! The path of a log entry: a body is looked through for its key, then decoded to a [`entry::Batch`] of entries
//! that borrow from it: what cannot be used is dropped, what is too long is cut, secrets are removed
//! ([`decode`]). An entry without a template gets one, made of its message without what varies ([`template`]).
//! The batch is packed ([`batch`]) and written to `logs.db` before it is answered ([`store`]); from there it goes
//! into the [`mod@index`]. What an entry is found by is its [`words`] and its [`facts`]; a [`query`] is written in the
//! same two.

pub mod correlation;
pub mod decode;
pub mod document;
pub mod export;
pub mod index;
pub mod ingest;
pub mod limits;
pub mod overview;
pub mod recent;
pub mod search;
pub mod sql;
pub mod store;
pub mod tail;
pub mod template;
