//! The cost limits of a conversion.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What one upload may spend on finding function names. Ordinary sources take 20 ms per MB, and the largest bundle that
/// is accepted 20 s; hostile ones within the other limits take minutes.
const SCOPE_TIME: Duration = Duration::from_mins(2);

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
    /// Time for parsing sources, beyond which the others get no names. Clones of a budget share it, so that a bundle
    /// of many maps has no more than one map.
    pub scope_time: Allowance,
}

/// Time that is spent in parts, and by whom is all the same.
#[derive(Debug, Clone)]
pub struct Allowance(Arc<AtomicU64>);

impl Allowance {
    pub fn new(time: Duration) -> Self {
        Self(Arc::new(AtomicU64::new(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))))
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    /// Takes this away, or what is left.
    pub(super) fn spend(&self, time: Duration) {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let _ =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(time)));
    }
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
            scope_time: Allowance::new(SCOPE_TIME),
        }
    }
}
