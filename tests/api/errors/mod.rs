//! `POST /api/v1/errors` and `/errors/batch`: what is accepted, and what becomes of it.

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
