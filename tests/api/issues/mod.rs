//! Issues: how events become one, and what people do with them.

mod bulk;
mod counts;
mod delete;
mod filter;
mod grouping;
mod ignore;
mod list;
mod query;
mod resolve;
mod tags;
mod trend;
mod update;
