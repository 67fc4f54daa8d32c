//! Issues: how events are grouped into them, and how people change them.

mod activity;
mod bulk;
mod comments;
mod counts;
mod delete;
pub(crate) mod escalating;
mod events;
mod filter;
mod grouping;
mod high_value;
mod ignore;
mod list;
mod query;
mod resolve;
mod suspect;
mod tags;
mod trend;
mod update;
mod views;
mod within;
