//! The style sheets of a release. A page may not read those that come from another origin, so replays of it lack them; the
//! upload of its build brings them.

pub mod http;
pub mod sql;

/// Bytes of a style sheet.
pub const SIZE_MAX: u64 = 4 << 20;
/// The most style sheets of a release, and bytes of all of them.
pub const COUNT_MAX: u64 = 2_000;
pub const TOTAL_MAX: u64 = 128 << 20;
