//! How logs are searched: the layout of the tantivy index, the query language, and the terms of an entry, its
//! [`words`] and its [`facts`]. The worker in `logs/index` adds to the index.

pub mod blocks;
pub mod build;
pub mod document;
pub mod facts;
pub(crate) mod fault;
pub mod fields;
pub mod hits;
pub mod lookup;
pub mod merging;
pub mod nearest;
pub mod open;
pub mod order;
pub mod query;
pub mod terms;
pub mod view;
pub mod words;

#[cfg(test)]
mod tests;

pub use fields::{EntryId, PROJECTS_MAX, SortPosition, place};
pub use lookup::Scope;
pub use order::Order;
