//! The model of what clients send: an error event with its frames, a log entry, their levels, a segment of a replay; and the layout
//! of accepted records in the journal.

pub mod accepted;
mod debug_id;
pub mod facets;
pub mod frame;
pub mod key;
pub mod log_batch;
pub mod log_entry;
pub mod record;
pub mod replay;
pub mod trace;

pub use debug_id::DebugId;

/// The largest stored JSON of an event, in bytes before compression. Larger than what the decoder accepts,
/// because texts and numbers may become longer when serialized again (`1e15`).
pub const STORED_MAX: usize = 8 << 20;
