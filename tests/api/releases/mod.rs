//! Releases: what CI makes and finalizes, what the dashboard reads and deletes.

mod bearer;
mod create;
mod delete;
mod finalize;
mod health;
mod list;
mod unresolved;
