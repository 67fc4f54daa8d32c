//! Limits of a batch and of its entries. Limits of texts are in characters; longer ones are cut.

/// The largest body, in bytes decompressed: a hundred entries of the largest size, and some more.
pub const BODY_MAX: usize = 8 << 20;
/// Entries of a batch; more are refused.
pub const ENTRIES: usize = 100;
/// The largest JSON of an entry, in bytes; a larger one is dropped. This limits the message and the
/// attributes.
pub const ENTRY_BYTES: usize = 64 << 10;

pub const ENVIRONMENT: usize = 64;
pub const RELEASE: usize = 128;
pub const TEMPLATE: usize = 8_192;
/// Ids of traces, spans, users and accounts.
pub const ID: usize = 128;
/// E-mails of users and names of accounts.
pub const IDENTITY: usize = 256;
/// Names of loggers, files and functions.
pub const NAME: usize = 256;
