//! Projects: made, read, changed, deleted.

mod create;
mod delete;
mod limits;
mod update;
