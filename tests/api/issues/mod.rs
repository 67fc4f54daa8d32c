//! Issues: how events become one, and what people do with them.

mod activity;
mod bulk;
mod comments;
mod counts;
mod delete;
mod escalating;
mod events;
mod filter;
mod grouping;
mod ignore;
mod list;
mod query;
mod resolve;
mod tags;
mod trend;
mod update;
