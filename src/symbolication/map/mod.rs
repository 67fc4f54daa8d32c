//! Source maps: the uploaded JSON is turned **once** into a compact file that is mapped into
//! memory and searched without being parsed.
//!
//! ```text
//! upload ─▶ convert(bytes, &Budget, writer) ─▶ compact file ─▶ Map::open ─▶ lookup ─▶ context
//!             json → mappings → scopes            (format.rs)      └─ Cache keeps opened maps
//! ```
//!
//! What the results promise:
//!
//! - `convert` never panics and never holds more than the limits of [`Budget`] allow, whatever
//!   the upload is; its [`MapError`] is written for the uploader (a 422 carries it verbatim).
//! - `Map::open` refuses a file whose length, version or checksum is wrong. Every later read is
//!   bounds-checked: bytes that change under a mapping give `None`, never a panic.
//! - Lines and columns are 1-based on both sides; columns count UTF-16 units, as browsers do.
//! - A position belongs to the greatest mapping at or before it **on the same generated line**;
//!   nothing spills over from the line before. Where two mappings share a position the later wins.
//! - Original lines end at `\n`, `\r\n` or `\r`. U+2028 and U+2029 do not end a line: bundlers and
//!   editors disagree about them, and every editor shows them inside a line.
//! - Function names come from the scopes of the original source, so that they do not depend on
//!   the minifier: see `names.rs` for how each kind of function is called. Without
//!   `sourcesContent` there is no scope and [`Location::function`] is `None`.
//!
//! [`Location::identifier`] is what the map's `names` say is at exactly that position. That is the identifier
//! being evaluated there (in a call: the *callee*), hence never the name of the function that contains the
//! position. It names the function of the frame *above*: if frame `i` has no `function`, the `identifier` of
//! its caller's frame `i + 1` is its best name.

mod budget;
mod cache;
mod convert;
mod debug_id;
mod error;
mod flaws;
mod format;
mod guard;
mod json;
mod labels;
mod lines;
mod lookup;
mod mappings;
mod names;
mod paths;
mod scopes;
mod sink;
mod sources;
mod strings;
mod tokens;

#[cfg(test)]
mod tests;

pub use budget::Budget;
pub use cache::Cache;
pub use convert::{Summary, convert};
pub use debug_id::debug_id;
pub use error::{MapError, OpenError};
pub use flaws::{Flaw, Flaws};
pub use format::VERSION as FORMAT_VERSION;
pub use lookup::{Context, Location, MAX_CONTEXT, Map, SourceId};
