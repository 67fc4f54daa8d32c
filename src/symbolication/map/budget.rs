//! The cost limits of a conversion.

/// Limits on one conversion. They limit memory, so they count what makes memory grow; a map that exceeds one
/// is refused with [`MapError::OverBudget`](super::MapError::OverBudget), except for the `scope_*` limits,
/// beyond which a source merely gets no function names.
///
/// The defaults hold the peak under 256 MiB above the process's idle memory for any upload of 50 MiB, the
/// upload itself included (the most measured is 204 MiB, for sources of 1 MiB that are both wide and nested
/// as deeply as allowed).
#[derive(Debug, Clone)]
pub struct Budget {
    /// Entries of `sources`, over all sections. 64 bytes each while converting. The largest
    /// public maps have some 30,000.
    pub sources: usize,
    /// Entries of `names`, over all sections. 4 bytes each, plus their text.
    pub names: usize,
    /// Entries of `sections`, at all levels. 128 bytes each.
    pub sections: usize,
    /// Levels of `sections` within `sections`. The specification allows one.
    pub section_depth: usize,
    /// Mappings of a map whose mappings are not in order; only those are held (24 bytes each)
    /// and sorted. Ordered mappings are streamed and have no limit.
    pub unordered_mappings: usize,
    /// Bytes of distinct function names. Real maps of 50 MiB stay under 10 MiB.
    pub function_name_bytes: usize,
    /// Longest source, in bytes, that is parsed for function names. The syntax tree takes up to about 60
    /// times the text.
    pub scope_source_bytes: usize,
    /// Stack reserved for parsing sources, in bytes; touched only by deeply nested ones. A source
    /// that might need more is not parsed: the parser recurses without a limit of its own.
    pub scope_stack_bytes: usize,
    /// The same need summed over all sources, beyond which the others get no names. This limits the time,
    /// because nesting is slow to parse (1 µs per level). Code needs about 150 per byte.
    pub scope_total_stack_bytes: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            sources: 250_000,
            names: 4_000_000,
            sections: 100_000,
            section_depth: 4,
            unordered_mappings: 4_000_000,
            function_name_bytes: 32 << 20,
            scope_source_bytes: 1 << 20,
            scope_stack_bytes: 64 << 20,
            scope_total_stack_bytes: 24 << 30,
        }
    }
}
