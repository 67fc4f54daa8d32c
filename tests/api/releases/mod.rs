//! Releases: what CI makes and finalizes, what the dashboard reads and deletes.

mod bearer;
mod compare;
mod create;
mod delete;
mod deploys;
mod finalize;
mod health;
mod late;
mod list;
mod seen;
mod unresolved;
