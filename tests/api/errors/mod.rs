//! `POST /api/v1/errors` and `/errors/batch`: which events are accepted, and how they are stored.

mod batch;
mod beacon;
pub(crate) mod encodings;
mod event_id;
mod fields;
mod frames;
mod invalid;
mod key;
mod limits;
mod rate;
mod scrubbing;
mod timestamp;
