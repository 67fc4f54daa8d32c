//! Frames as they are stored and shown: what the stack says, and the original position from the source map.

use crate::event::DebugId;
use crate::ids::SourceMapId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A frame of a stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    pub in_app: bool,
    /// Whether a source map may apply: it is a position in a script.
    pub mappable: bool,
    /// Of the script, if the client sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug_id: Option<DebugId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<ResolvedFrame>,
    /// The source lines that the client sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pre_context: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_line: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub post_context: Vec<String>,
}

/// A frame's position in the original source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct ResolvedFrame {
    pub file: String,
    /// `null` in top-level code, and if neither the map nor the engine has a name worth showing.
    pub function: Option<String>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 units.
    pub column: u32,
    /// Up to five lines before; empty if the map contains no sources.
    #[serde(default)]
    #[schema(required)]
    pub pre_context: Vec<String>,
    #[serde(default)]
    pub context_line: Option<String>,
    /// Columns (UTF-16 units) omitted at the start of `context_line`; 0 except for very long lines.
    #[serde(default)]
    #[schema(required)]
    pub context_start: u32,
    #[serde(default)]
    #[schema(required)]
    pub post_context: Vec<String>,
    pub source_map_id: SourceMapId,
    /// Whether the address matched only without its `?…` and `#…`.
    #[serde(default)]
    #[schema(required)]
    pub matched_without_query: bool,
    /// Whether script and source map have the same debug id, so that release and address did not matter.
    #[serde(default)]
    #[schema(required)]
    pub matched_by_debug_id: bool,
}
