//! The one model of what clients send: an error event with its frames, a log entry, their levels; and how what was
//! accepted is laid out in the journal.

pub mod accepted;
pub mod frame;
pub mod key;
pub mod log_batch;
pub mod log_entry;
pub mod record;

/// Bytes of an event's JSON as it is stored, before compression. Above what the decoder lets through, but for texts
/// and numbers that are longer when written anew (`1e15`).
pub const STORED_MAX: usize = 8 << 20;
