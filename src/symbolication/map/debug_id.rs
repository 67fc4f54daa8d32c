//! The debug id that a bundler or `mayday sourcemaps inject` wrote into a source map.

use super::json::{text, without_guard};
use crate::event::DebugId;
use memchr::memmem;
use serde_json::value::RawValue;

/// `debugId` is the name in the proposal, `debug_id` an earlier one.
#[derive(serde::Deserialize)]
struct Ids<'a> {
    #[serde(borrow, rename = "debugId")]
    proposed: Option<&'a RawValue>,
    #[serde(borrow, rename = "debug_id")]
    former: Option<&'a RawValue>,
}

/// The debug id of an uploaded map; `None` if it has none that can be read.
pub fn debug_id(upload: &[u8]) -> Option<DebugId> {
    // Most maps have none, and reading a large one takes a while.
    ["\"debugId\"", "\"debug_id\""].iter().find(|name| memmem::find(upload, name.as_bytes()).is_some())?;
    let ids: Ids<'_> = serde_json::from_str(without_guard(std::str::from_utf8(upload).ok()?)).ok()?;
    [ids.proposed, ids.former].into_iter().flatten().find_map(|raw| DebugId::parse(&text(raw)?))
}
