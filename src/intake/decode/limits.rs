//! The limit of each field, in characters unless stated otherwise. Longer values are cut.

/// Exception and breadcrumb messages, and the event's own.
pub const MESSAGE: usize = 8_192;
/// Tag keys and values, and parts of a fingerprint.
pub const TAG: usize = 200;
pub const URL: usize = 2_048;
pub const RELEASE: usize = 128;
pub const ENVIRONMENT: usize = 64;
pub const EVENT_ID: usize = 128;
/// Ids of sessions, windows, replays, traces and spans.
pub const ID: usize = 128;
/// Ids, e-mails and names of users and accounts.
pub const IDENTITY: usize = 256;
pub const USER_AGENT: usize = 512;
/// Short names: platform, category, SDK.
pub const NAME: usize = 128;
pub const EXCEPTION_TYPE: usize = 256;
/// Functions and modules of sent frames.
pub const FUNCTION: usize = 512;
/// A line of sent source.
pub const SOURCE_LINE: usize = 512;
/// An unusable time, kept for display.
pub const SENT_TIME: usize = 64;
/// The text of a stack; its innermost 250 frames take about 25,000.
pub const STACK: usize = 262_144;

/// Counts.
pub const TAGS: usize = 100;
pub const BREADCRUMBS: usize = 100;
pub const FINGERPRINT: usize = 20;
pub const FRAMES: usize = 250;
pub const DEBUG_IMAGES: usize = 100;
pub const CAUSES: usize = 10;
/// Lines of sent source on each side.
pub const CONTEXT_LINES: usize = 5;

/// Bytes of `extra` and `contexts` together, as JSON.
pub const FREE_BYTES: usize = 64 << 10;
/// Bytes of the `vars` of one frame, and of all of an event's together, as JSON. Those of the root cause take
/// precedence, and in each exception those nearest to the throw.
pub const FRAME_VARS_BYTES: usize = 16 << 10;
pub const VARS_BYTES: usize = 128 << 10;
/// Bytes of the `data` of one breadcrumb, and of all of an event's together, as JSON. The newest take
/// precedence.
pub const BREADCRUMB_BYTES: usize = 16 << 10;
pub const BREADCRUMBS_BYTES: usize = 256 << 10;
