//! What is kept of each field, in characters unless said otherwise. Longer values are cut.

/// Exception and breadcrumb messages, and the event's own.
pub(super) const MESSAGE: usize = 8_192;
/// Tag keys and values, and parts of a fingerprint.
pub(super) const TAG: usize = 200;
pub(super) const URL: usize = 2_048;
pub(super) const RELEASE: usize = 128;
pub(super) const ENVIRONMENT: usize = 64;
pub(super) const EVENT_ID: usize = 128;
/// Ids of sessions, windows, replays, traces and spans.
pub(super) const ID: usize = 128;
/// Ids, e-mails and names of users and accounts.
pub(super) const IDENTITY: usize = 256;
pub(super) const USER_AGENT: usize = 512;
/// Short names: platform, category, SDK.
pub(super) const NAME: usize = 128;
pub(super) const EXCEPTION_TYPE: usize = 256;
/// Functions and modules of sent frames.
pub(super) const FUNCTION: usize = 512;
/// A line of sent source.
pub(super) const SOURCE_LINE: usize = 512;
/// An unusable time that is kept to be shown.
pub(super) const SENT_TIME: usize = 64;
/// The text of a stack: the innermost 250 frames take about 25,000.
pub(super) const STACK: usize = 262_144;

/// Counts.
pub(super) const TAGS: usize = 100;
pub(super) const BREADCRUMBS: usize = 100;
pub(super) const FINGERPRINT: usize = 20;
pub(super) const FRAMES: usize = 250;
pub(super) const CAUSES: usize = 10;
/// Lines of sent source on each side.
pub(super) const CONTEXT_LINES: usize = 5;

/// Bytes of `extra` and `contexts` together, as JSON.
pub(super) const FREE_BYTES: usize = 64 << 10;
/// Bytes of the `data` of a breadcrumb, and of all of an event together, as JSON. The newest come first.
pub(super) const BREADCRUMB_BYTES: usize = 16 << 10;
pub(super) const BREADCRUMBS_BYTES: usize = 256 << 10;
