//! Compares what the index finds with a scan of every entry.

mod borders;
mod format;
mod oracle;
mod random;

use super::fields::place;
use super::lookup::Scope;
use super::open::{OpenIndex, is_whole};
use super::order::{Hit, Order};
use super::view::View;
use crate::event::log_batch::Plain;
use crate::event::log_batch::StoredBatch;
use crate::event::log_entry::Entry;
use crate::event::log_entry::tests::plain;
use crate::ids::ProjectId;
use crate::logs::overview::{length, starts};
use crate::search::facts::facts;
use crate::time::{MINUTE, Timestamp};
use oracle::Oracle;
use random::Random;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// Documents that a page may skip.
const OFFSET: usize = 60;

/// An index filled the way the worker fills it, and everything in it.
struct Filled {
    folder: TempDir,
    open: OpenIndex,
    oracle: Oracle,
    view: View,
    /// What the next commit adds.
    waiting: Vec<Arc<StoredBatch>>,
}

impl Filled {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut open = OpenIndex::new(folder.path(), "history").unwrap();
        open.commit(folder.path()).unwrap();
        let view = open.view(None).unwrap();
        Self { folder, open, oracle: Oracle::default(), view, waiting: Vec::new() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn add(&mut self, batch: impl Into<Arc<StoredBatch>>) {
        let batch = batch.into();
        self.waiting.push(batch.clone());
        self.oracle.batches.push(batch);
    }

    fn commit(&mut self) {
        self.open.add(&std::mem::take(&mut self.waiting)).unwrap();
        let path = self.path().to_owned();
        self.open.commit(&path).unwrap();
        self.look();
    }

    fn look(&mut self) {
        self.view = self.open.view(Some(&self.view)).unwrap();
    }

    /// Merges all segments into one.
    fn merge(&mut self) {
        for _ in 0..3_000 {
            let ids = self.open.index.searchable_segment_ids().unwrap();
            // tantivy may be merging some of them by itself.
            if ids.len() == 1 || self.open.writer.merge(&ids).wait().is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.commit();
        assert_eq!(self.view.segments(), 1);
    }
}

fn is_same_page(filled: &Filled, scope: &Scope, order: Order, offset: usize, limit: usize) {
    let (ids, total) = filled.view.page(scope, order, offset, limit).unwrap();
    let mut expected = filled.oracle.found(scope);
    assert_eq!(total, expected.len() as u64, "{scope:?}");
    if order == Order::Newest {
        expected.reverse();
    }
    let expected: Vec<_> = expected.into_iter().skip(offset).take(limit).map(|(_, id)| id).collect();
    assert_eq!(ids, expected, "{order:?} {offset} {limit} {scope:?}");
}

fn are_same_counts(filled: &Filled, scope: &Scope) {
    let within = Scope { start: Timestamp::from_millis(random::EPOCH - 10 * MINUTE), ..scope.clone() };
    let within = Scope { end: within.start.plus(30 * MINUTE), ..within };
    let starts = starts(&within, length(&within, None).unwrap());
    let counts = filled.view.histogram(&within, &starts).unwrap();
    assert_eq!(counts, filled.oracle.histogram(&within, &starts), "{within:?}");

    let templates = filled.view.templates(scope).unwrap();
    let templates: BTreeMap<_, _> = templates
        .into_iter()
        .map(|(id, (count, ((key, _), _)))| (String::from_utf8(id).unwrap(), (count, key)))
        .collect();
    assert_eq!(templates, filled.oracle.templates(scope), "{scope:?}");

    let fields = filled.oracle.fields(scope);
    let names = filled.view.names(scope, 1_000).unwrap();
    assert!(!names.is_cut);
    assert_eq!(
        names.by_text.into_iter().collect::<BTreeMap<_, _>>(),
        filled.oracle.names(scope),
        "{scope:?}"
    );
    for field in ["level", "user", "attributes.a", "attributes.ab", "environment", "nonsense"] {
        let values = filled.view.values(scope, field, 100_000).unwrap();
        assert!(!values.is_cut);
        let values: BTreeMap<_, _> = values.by_text.into_iter().collect();
        assert_eq!(values, fields.get(field).cloned().unwrap_or_default(), "{field} of {scope:?}");
    }
}

/// Any entry of the project, found or not, and the entries around it.
fn is_same_context(filled: &Filled, scope: &Scope, random: &mut Random) {
    let all = Scope { query: None, ..scope.clone() };
    let all = Scope { start: Timestamp::from_millis(0), end: Timestamp::from_millis(i64::MAX), ..all };
    let entries = filled.oracle.found(&all);
    if entries.is_empty() {
        return;
    }
    let at: Hit = entries[random.below(entries.len())];
    let scope = Scope { query: scope.query.clone(), ..all };
    let (before, after) = (random.below(8), random.below(8));
    let found = filled.view.around(&scope, at, before, after).unwrap();
    let expected = filled.oracle.found(&scope);
    let earlier: Vec<_> = expected.iter().filter(|other| **other < at).map(|(_, id)| *id).collect();
    let later = expected.iter().filter(|other| **other > at).take(after).map(|(_, id)| *id).collect();
    let earlier = earlier[earlier.len().saturating_sub(before)..].to_vec();
    assert_eq!(found, [earlier, later], "{before} before, {after} after {at:?} of {scope:?}");
}

fn ask(filled: &Filled, random: &mut Random, questions: usize) {
    for _ in 0..questions {
        let scope = random.scope();
        for order in [Order::Newest, Order::Oldest] {
            let (offset, limit) = (random.below(OFFSET), 1 + random.below(40));
            is_same_page(filled, &scope, order, random.below(2) * offset, limit);
        }
        are_same_counts(filled, &scope);
        is_same_context(filled, &scope, random);
    }
}

#[test]
fn every_search_finds_the_same_as_a_scan_of_all_entries() {
    for seed in [1, 2, 3] {
        let mut random = Random(seed);
        let mut filled = Filled::new();
        let mut id = 0;
        for commit in 0..14 {
            for _ in 0..=random.below(4) {
                id += 1 + i64::from(random.below(10) == 0);
                let batch = random.batch(id);
                filled.add(batch);
            }
            filled.commit();
            ask(&filled, &mut random, if commit % 4 == 3 { 25 } else { 3 });
        }
        filled.merge();
        ask(&filled, &mut random, 40);
    }
}

#[test]
fn a_batch_too_large_for_a_segment_becomes_several() {
    let mut filled = Filled::new();
    let word =
        |id: i64, entry: usize, number: usize| format!("w{:x}", (id as usize * 100 + entry) * 64 + number);
    for id in 1..=40 {
        let message = |entry| (0..64).map(|number| word(id, entry, number)).collect::<Vec<_>>().join(" ");
        let entry = |entry| Entry {
            timestamp: (id * 977 % 41) * 1_000_000,
            message: message(entry).into(),
            ..plain("x")
        };
        let plain = Plain::new("production", None, &(0..100).map(entry).collect::<Vec<_>>()).unwrap();
        let project = ProjectId(random::PROJECTS[(id % 2) as usize]);
        filled.add(StoredBatch { id, project, received_at: Timestamp::from_millis(0), plain });
    }
    filled.commit();
    assert!(filled.view.segments() > 2, "two threads, and more than one segment of each");
    ask(&filled, &mut Random(6), 3);
    for id in [1, 19, 20, 40] {
        let project = ProjectId(random::PROJECTS[(id % 2) as usize]);
        let query = crate::search::query::parse(&word(id, 99, 63)).unwrap();
        let (start, end) = (Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX));
        is_same_page(&filled, &Scope { project, start, end, query }, Order::Newest, 0, 5);
    }
}

#[test]
fn an_index_that_is_opened_again_answers_the_same_and_knows_where_it_got_to() {
    let mut random = Random(4);
    let mut filled = Filled::new();
    for id in 1..=6 {
        let batch = random.batch(id);
        filled.add(batch);
        filled.commit();
    }
    // Added but not committed: a crash loses it, and the position says so.
    let lost = Arc::new(random.batch(7));
    filled.open.add(std::slice::from_ref(&lost)).unwrap();
    let Filled { folder, open, oracle, view, waiting } = filled;
    drop((open, view));
    let open = OpenIndex::existing(folder.path(), "history").unwrap();
    assert_eq!(open.added, 6);
    let view = open.view(None).unwrap();
    let mut filled = Filled { folder, open, oracle, view, waiting };
    ask(&filled, &mut random, 10);
    filled.add(lost);
    filled.commit();
    ask(&filled, &mut random, 10);
}

/// The directory of an index with one batch, not open.
fn closed(seed: u64) -> TempDir {
    let mut filled = Filled::new();
    filled.add(Random(seed).batch(1));
    filled.commit();
    assert!(is_whole(&filled.open.index, &AtomicBool::new(false)).unwrap());
    filled.folder
}

/// One of its files.
fn file(folder: &TempDir, kind: &str) -> PathBuf {
    let mut files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|found| found == kind)).unwrap()
}

/// Whatever is damaged, the index is opened or an error says that it cannot be, without a panic.
#[test]
fn damage_of_columns_is_an_error_at_opening() {
    let folder = closed(7);
    let columns = file(&folder, "fast");
    let whole = std::fs::read(&columns).unwrap();
    let mut refused = 0;
    for at in (0..whole.len()).step_by((whole.len() / 150).max(1)) {
        let mut bytes = whole.clone();
        bytes[at..].iter_mut().step_by(37).for_each(|byte| *byte ^= 0x55);
        std::fs::remove_file(&columns).unwrap();
        std::fs::write(&columns, bytes).unwrap();
        refused += usize::from(OpenIndex::with_view(folder.path(), "history").is_err());
    }
    assert!(refused > 10, "{refused} were refused");
}

/// `.managed.json` has no checksum: a list that lacks a file's name must not hide damage to that file.
#[test]
fn damage_is_found_in_files_that_the_librarys_list_lacks() {
    let folder = closed(6);
    std::fs::write(folder.path().join(".managed.json"), "[]").unwrap();
    assert!(
        is_whole(&OpenIndex::existing(folder.path(), "history").unwrap().index, &AtomicBool::new(false))
            .unwrap()
    );
    let terms = file(&folder, "term");
    let mut bytes = std::fs::read(&terms).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x15;
    // A new file beside it, so that what is mapped stays unchanged.
    std::fs::remove_file(&terms).unwrap();
    std::fs::write(&terms, bytes).unwrap();
    assert!(
        !is_whole(&OpenIndex::existing(folder.path(), "history").unwrap().index, &AtomicBool::new(false))
            .unwrap()
    );
}

#[test]
fn only_a_deleted_projects_entries_are_gone() {
    let mut random = Random(5);
    let mut filled = Filled::new();
    for id in 1..=30 {
        let batch = random.batch(id);
        filled.add(batch);
        if id % 6 == 0 {
            filled.commit();
        }
    }
    let gone = ProjectId(random::PROJECTS[0]);
    filled.open.delete(gone).unwrap();
    filled.commit();
    filled.merge();
    filled.oracle.batches.retain(|batch| batch.project != gone);
    ask(&filled, &mut random, 60);
}

/// Deleted documents stay in their segments until these are merged: every answer leaves them out all the same.
#[test]
fn what_retention_removed_is_gone_before_segments_are_merged_and_nothing_else() {
    let mut had_deleted = false;
    for seed in [8, 9] {
        let mut random = Random(seed);
        let mut filled = Filled::new();
        for id in 1..=40 {
            let batch = random.batch(id);
            filled.add(batch);
            if id % 13 == 0 {
                filled.commit();
            }
        }
        filled.commit();
        for (project, last) in
            [(random::PROJECTS[0], 9), (random::PROJECTS[1], 27), (random::PROJECTS[0], 14)]
        {
            let project = ProjectId(project);
            filled.open.delete_through(project, last).unwrap();
            filled.commit();
            filled.oracle.batches.retain(|batch| batch.project != project || batch.id > last);
            had_deleted |= filled.view.searcher.segment_readers().iter().any(|segment| segment.has_deletes());
            ask(&filled, &mut random, 40);
        }
        filled.merge();
        ask(&filled, &mut random, 20);
    }
    assert!(had_deleted, "tantivy had merged all of them before anybody asked");
}
