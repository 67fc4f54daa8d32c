use super::*;
use crate::event::log_batch::Plain;
use crate::event::log_entry::tests::plain;
use crate::time::Timestamp;

const OURS: ProjectId = ProjectId(1);
const OTHERS: ProjectId = ProjectId(2);

fn batch(id: i64, project: ProjectId, entries: usize) -> StoredBatch {
    let plain = Plain::new("production", None, &vec![plain("hello"); entries]).unwrap();
    StoredBatch { id, project, received_at: Timestamp::from_millis(0), plain }
}

fn taken(next: Next) -> Vec<i64> {
    match next {
        Next::Batches(batches) => batches.iter().map(|batch| batch.id).collect(),
        Next::Nothing => Vec::new(),
        Next::OnDisk => vec![-1],
    }
}

#[test]
fn batches_after_a_position_are_taken_once_and_then_read_from_disk() {
    let recent = Recent::new(4);
    assert_eq!(
        (recent.waiting(4), recent.waiting(3)),
        (0, usize::MAX),
        "what was before the start is on disk"
    );
    (5..=8).for_each(|id| recent.add(batch(id, OURS, 1)));
    assert!((1..1_000).contains(&recent.waiting(4)));
    assert_eq!(taken(recent.take(4, 1)), [5], "at least one");
    assert_eq!(taken(recent.take(5, 1_000)), [6, 7, 8]);
    assert_eq!(taken(recent.take(8, 1_000)), [0; 0]);
    assert_eq!(taken(recent.take(5, 1_000)), [-1]);
    assert_eq!(recent.waiting(5), usize::MAX);
}

/// A batch of six million bytes.
fn large(id: i64) -> StoredBatch {
    let long = vec![crate::event::log_entry::Entry { message: "m".repeat(60_000).into(), ..plain("x") }; 100];
    let plain = Plain::new("production", None, &long).unwrap();
    StoredBatch { id, project: OURS, received_at: Timestamp::from_millis(0), plain }
}

#[test]
fn batches_over_the_limit_are_read_from_disk() {
    let recent = Recent::new(0);
    (1..=4).for_each(|id| recent.add(large(id)));
    assert_eq!(recent.waiting(0), usize::MAX);
    assert_eq!(taken(recent.take(0, 1)), [-1]);
    assert_eq!(taken(recent.take(2, usize::MAX)), [3, 4], "the newest stay");
}

#[test]
fn a_watcher_that_misses_batches_knows_how_many_entries_they_had() {
    let recent = Recent::new(0);
    recent.add(batch(1, OURS, 7));
    let (mut watched, seen) = recent.watch(OURS);
    assert_eq!(seen, 7);
    for id in 2..=1_000 {
        recent.add(batch(id, if id % 2 == 0 { OURS } else { OTHERS }, 2));
    }
    assert!(watched.try_recv().is_err(), "it lags");
    let first = std::iter::from_fn(|| watched.try_recv().ok()).find(|watched| watched.project == OURS);
    let first = first.unwrap();
    let batch = first.batch().unwrap();
    assert_eq!(first.before, 7 + 2 * (batch.id as u64 / 2 - 1));
    assert_eq!(recent.count(OURS), 7 + 2 * 500);
    assert_eq!(recent.count(OTHERS), 2 * 499);
}

#[test]
fn a_watcher_that_does_not_read_holds_few_batches() {
    let recent = Recent::new(0);
    let (mut watched, _) = recent.watch(OURS);
    (1..=6).for_each(|id| recent.add(large(id)));
    assert_eq!(taken(recent.take(6, 1)), [0; 0], "the indexer has them");
    let batches: Vec<_> = std::iter::from_fn(|| watched.try_recv().ok()).collect();
    let held: Vec<_> = batches.iter().filter_map(|watched| Some(watched.batch()?.id)).collect();
    assert_eq!((batches.len(), held), (6, vec![6]));
    assert_eq!(batches[5].before, 500, "who misses some can tell how many entries they had");
    drop(watched);
    recent.add(batch(7, OURS, 1));
    assert!(batches.iter().all(|watched| watched.batch().is_none()), "nobody watches any more");
}
