//! Releases: CI creates and finalizes them, people read and delete them.

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
