//! The platform API: automations, repositories, sessions, runners.

mod automations;
mod caps;
mod claims;
pub(crate) mod fixture;
mod gateway;
mod limits;
mod mode;
mod organization;
mod protocol;
mod reports;
mod repositories;
mod results;
mod run;
mod runners;
mod sessions;
mod signals;
mod transcripts;
mod triggers;
mod views;
mod webhooks;
