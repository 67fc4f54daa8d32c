//! Decides when segments are merged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tantivy::index::SegmentMeta;
use tantivy::indexer::{LogMergePolicy, MergeCandidate, MergePolicy};

/// A segment with this many entries is no longer merged, and no merge has more: each entry takes memory.
const MERGED_MAX: u32 = 300_000;
const AT_ONCE_MAX: u32 = 600_000;
/// The most segments that may wait for a merge while entries wait to be indexed.
const WAITING_MAX: usize = 64;

/// The share of deleted documents (of deleted projects and removed batches) above which a segment is rewritten
/// without them, however large it is.
const DELETED_MAX: f32 = 0.2;

/// Merges segments of similar size. While much waits to be indexed, merging can wait, too: searches hardly
/// become slower.
#[derive(Debug)]
pub(super) struct Merging {
    usual: LogMergePolicy,
    is_behind: Arc<AtomicBool>,
}

impl Merging {
    pub(super) fn new(is_behind: Arc<AtomicBool>) -> Self {
        let mut usual = LogMergePolicy::default();
        usual.set_max_docs_before_merge(MERGED_MAX as usize);
        usual.set_del_docs_ratio_before_merge(DELETED_MAX);
        Self { usual, is_behind }
    }
}

impl MergePolicy for Merging {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        if segments.len() < WAITING_MAX && self.is_behind.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let candidates = self.usual.compute_merge_candidates(segments);
        let of_usual = candidates.into_iter().map(|candidate| bounded(candidate, segments));
        let of_large =
            segments.iter().filter(|segment| segment.num_docs() > MERGED_MAX && is_sparse(segment));
        of_usual.chain(of_large.map(|segment| MergeCandidate(vec![segment.id()]))).collect()
    }
}

fn is_sparse(segment: &SegmentMeta) -> bool {
    segment.num_deleted_docs() as f32 > DELETED_MAX * segment.max_doc() as f32
}

/// As many of the segments as may be merged at once.
fn bounded(MergeCandidate(ids): MergeCandidate, segments: &[SegmentMeta]) -> MergeCandidate {
    let mut entries = 0;
    let size = |id| segments.iter().find(|segment| segment.id() == id).map_or(0, SegmentMeta::num_docs);
    let fits = |id: &_| {
        entries += size(*id);
        entries <= AT_ONCE_MAX
    };
    MergeCandidate(ids.into_iter().take_while(fits).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::Index;
    use tantivy::index::SegmentId;
    use tantivy::schema::Schema;

    fn segments(sizes: &[u32]) -> Vec<SegmentMeta> {
        let index = Index::create_in_ram(Schema::builder().build());
        let segment = |size: &u32| index.new_segment_meta(SegmentId::generate_random(), *size);
        sizes.iter().map(segment).collect()
    }

    fn merged(is_behind: bool, sizes: &[u32]) -> Vec<usize> {
        let policy = Merging::new(Arc::new(AtomicBool::new(is_behind)));
        let candidates = policy.compute_merge_candidates(&segments(sizes));
        candidates.into_iter().map(|MergeCandidate(ids)| ids.len()).collect()
    }

    #[test]
    fn segments_of_a_like_size_are_merged_unless_entries_wait() {
        assert_eq!(merged(false, &[9_000; 8]), [8]);
        assert_eq!(merged(true, &[9_000; 8]), [0; 0]);
        assert_eq!(merged(true, &[9_000; WAITING_MAX]), [WAITING_MAX], "they do not pile up");
        assert_eq!(merged(false, &[9_000; 7]), [0; 0]);
    }

    #[test]
    fn a_large_segment_with_many_deleted_documents_is_rewritten() {
        let policy = Merging::new(Arc::default());
        let candidates = |deleted| {
            let segment = segments(&[600_000]).remove(0).with_delete_meta(deleted, 1);
            policy.compute_merge_candidates(&[segment]).len()
        };
        assert_eq!((candidates(100_000), candidates(130_000), candidates(300_000)), (0, 1, 1));
    }

    #[test]
    fn large_ones_are_left_and_a_merge_is_bounded() {
        assert_eq!(merged(false, &[600_000; 9]), [0; 0]);
        assert_eq!(merged(false, &[150_000; 20]), [4]);
        assert_eq!(merged(false, &[300_000; 8]), [2]);
    }
}
