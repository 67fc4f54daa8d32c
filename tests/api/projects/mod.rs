//! Projects: made, read, changed, deleted.

mod create;
mod delete;
mod disk;
mod limits;
mod update;
