//! The whole path in one process: stored, indexed, searched, deleted.

use super::*;
use crate::error::Error;
use crate::event::log_batch::Plain;
use crate::event::log_entry::tests::plain;
use crate::search::{Order, Scope};
use std::time::{Duration, Instant};
use tantivy::collector::Count;

const PROJECT: ProjectId = ProjectId(1);
const OTHER: ProjectId = ProjectId(2);

fn open(folder: &Path) -> Result<LogStore> {
    let disk = Arc::new(Disk::new(folder, 0));
    tokio::task::block_in_place(|| LogStore::open(folder, "instance", &disk, &Fatal::new().0))
}

fn new(logs: &LogStore, project: ProjectId, message: &str, key: Option<u8>) -> New {
    let plain = Plain::new("production", None, &[plain(message), plain("and another")]).unwrap();
    let packed = plain.pack(&logs.db.packer).unwrap();
    let repeat = key.map(|byte| sql::Repeat { key: [byte; 16], body: [0; 16] });
    New { project, received_at: Timestamp::now(), plain, packed, dropped: 1, repeat }
}

fn all(project: ProjectId) -> Scope {
    let (start, end) = (Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX));
    Scope { project, start, end, query: None }
}

async fn indexed(logs: &LogStore, project: ProjectId) -> Option<u64> {
    let search = logs.index.search(move |view| view.page(&all(project), Order::Newest, 0, 1));
    search.await.ok().map(|(_, total)| total)
}

async fn until_indexed(logs: &LogStore, project: ProjectId, expected: u64) {
    let start = Instant::now();
    while indexed(logs, project).await != Some(expected) {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", indexed(logs, project).await);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The number of a project's entries in the index that are not deleted; pages do not check that.
async fn alive(logs: &LogStore, project: ProjectId) -> usize {
    let search = logs.index.search(move |view| {
        view.searcher.search(&view.fields.project(project), &Count).map_err(Error::internal)
    });
    search.await.unwrap()
}

/// Waits until the index reports that it has no more entries of deleted projects.
async fn until_unindexed(logs: &LogStore) {
    let start = Instant::now();
    while !logs.db.read(sql::closing).await.unwrap().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn messages(logs: &LogStore, ids: &[EntryId]) -> Vec<(EntryId, String)> {
    let show = |id, entry: Entry<'_>, _: Shared<'_>| (id, entry.message.into_owned());
    logs.entries(PROJECT, ids.to_vec(), show).await.unwrap()
}

fn count(c: &Connection) -> Result<i64> {
    Ok(c.query_row("select count(*) from batches", (), |row| row.get(0))?)
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_found_after_a_stop_and_without_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    for number in 0..3 {
        let taken = logs.add(new(&logs, PROJECT, &format!("Number {number}"), None)).await.unwrap();
        assert_eq!(taken, BatchOutcome { accepted: 2, dropped: 1 });
    }
    until_indexed(&logs, PROJECT, 6).await;
    let ids = logs.index.search(|view| view.page(&all(PROJECT), Order::Newest, 0, 9)).await.unwrap().0;
    let before = messages(&logs, &ids).await;
    // Another project has no entries with these ids.
    assert!(logs.entries(OTHER, ids.clone(), |id, _, _| id).await.unwrap().is_empty());
    logs.stop();
    drop(logs);
    for lost in [false, true] {
        if lost {
            std::fs::remove_dir_all(folder.path().join("logs/index")).unwrap();
        }
        let logs = open(folder.path()).unwrap();
        until_indexed(&logs, PROJECT, 6).await;
        assert_eq!(messages(&logs, &ids).await, before);
        logs.stop();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_stores_nothing_for_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    let (day, now) = (crate::time::DAY, Timestamp::now());
    let first = logs.add(new(&logs, PROJECT, "once", Some(1))).await.unwrap();
    assert_eq!(logs.add(new(&logs, PROJECT, "twice", Some(1))).await.unwrap(), first);
    logs.add(new(&logs, OTHER, "theirs", Some(1))).await.unwrap();
    assert_eq!(logs.db.read(count).await.unwrap(), 2);
    logs.db.write(move |tx| sql::sweep(tx, now.plus(day - 1_000))).await.unwrap();
    logs.add(new(&logs, PROJECT, "still known", Some(1))).await.unwrap();
    assert_eq!(logs.db.read(count).await.unwrap(), 2);
    logs.db.write(move |tx| sql::sweep(tx, now.plus(day + crate::time::HOUR))).await.unwrap();
    logs.add(new(&logs, PROJECT, "forgotten", Some(1))).await.unwrap();
    assert_eq!(logs.db.read(count).await.unwrap(), 3);
    logs.stop();
}

/// Batches on their way into the index while their project is deleted must not be added afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_project_its_entries_leave_the_database_and_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    logs.add(new(&logs, OTHER, "kept", None)).await.unwrap();
    for round in 0..4 {
        let project = ProjectId(10 + round);
        for _ in 0..20 {
            logs.add(new(&logs, project, "gone", None)).await.unwrap();
        }
        if round % 2 == 0 {
            until_indexed(&logs, project, 40).await;
        }
        logs.delete_project(project).await.unwrap();
        // Late batches are refused: nothing is acknowledged that is not stored.
        let late = logs.add(new(&logs, project, "late", None)).await;
        assert!(matches!(late, Err(Error::Unauthenticated(_))));
        until_unindexed(&logs).await;
        assert_eq!(alive(&logs, project).await, 0);
    }
    logs.add(new(&logs, OTHER, "kept", None)).await.unwrap();
    until_indexed(&logs, OTHER, 4).await;
    for round in 0..4 {
        assert_eq!(alive(&logs, ProjectId(10 + round)).await, 0);
    }
    assert_eq!(alive(&logs, OTHER).await, 4);
    assert_eq!(logs.db.read(count).await.unwrap(), 2);
    // Deleting again works, and so does finishing an interrupted deletion.
    logs.db.write(|tx| sql::close(tx, OTHER)).await.unwrap();
    logs.tidy().await.unwrap();
    until_unindexed(&logs).await;
    assert_eq!(logs.db.read(count).await.unwrap(), 0);
    logs.stop();
}

fn copy_index(from: &Path, to: &Path) {
    let (from, to) = (from.join("logs/index"), to.join("logs/index"));
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// An older copy of `logs.db`, restored beside the index, is recognized.
#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_is_ahead_of_the_database_is_of_another_history() {
    let folder = tempfile::tempdir().unwrap();
    // In separate directories, because this process may still have the files open.
    let (older, without) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let logs = open(folder.path()).unwrap();
    logs.add(new(&logs, PROJECT, "kept", None)).await.unwrap();
    until_indexed(&logs, PROJECT, 2).await;
    logs.stop();
    drop(logs);
    std::fs::copy(folder.path().join("logs.db"), older.path().join("logs.db")).unwrap();
    let logs = open(folder.path()).unwrap();
    for _ in 0..3 {
        logs.add(new(&logs, PROJECT, "lost", None)).await.unwrap();
    }
    until_indexed(&logs, PROJECT, 8).await;
    let lost = logs.index.search(|view| view.page(&all(PROJECT), Order::Newest, 0, 1)).await.unwrap().0[0];
    logs.stop();
    drop(logs);
    copy_index(folder.path(), older.path());
    for round in 0..2 {
        let logs = open(older.path()).unwrap();
        until_indexed(&logs, PROJECT, 2 + 2 * round).await;
        logs.add(new(&logs, PROJECT, "after it", None)).await.unwrap();
        until_indexed(&logs, PROJECT, 4 + 2 * round).await;
        let ids = logs.index.search(|view| view.page(&all(PROJECT), Order::Newest, 0, 9)).await.unwrap().0;
        let shown = messages(&logs, &ids).await;
        assert_eq!(shown.len() as u64, 4 + 2 * round);
        assert!(shown.iter().all(|(_, message)| message != "lost"), "{shown:?}");
        assert!(ids.iter().max().unwrap().batch() > lost.batch(), "no id is given twice");
        logs.stop();
    }
    // A new one continues above the index as well.
    copy_index(older.path(), without.path());
    let logs = open(without.path()).unwrap();
    assert!(logs.db.read(sql::newest).await.unwrap() >= lost.batch() + 2);
    logs.add(new(&logs, PROJECT, "new", None)).await.unwrap();
    until_indexed(&logs, PROJECT, 2).await;
    logs.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hit_without_an_entry_has_the_index_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    logs.add(new(&logs, PROJECT, "kept", None)).await.unwrap();
    logs.add(new(&logs, PROJECT, "gone", None)).await.unwrap();
    until_indexed(&logs, PROJECT, 4).await;
    let ids = logs.index.search(|view| view.page(&all(PROJECT), Order::Newest, 0, 9)).await.unwrap().0;
    assert_eq!(logs.found(PROJECT, ids.clone(), |id, _, _| id).await.unwrap().len(), 4);
    logs.db.write(|tx| Ok(tx.execute("delete from batches where id = 2", ())?)).await.unwrap();
    let found = logs.found(PROJECT, ids, |id, _, _| id).await;
    assert!(matches!(found, Err(Error::Unavailable { .. })), "{found:?}");
    until_indexed(&logs, PROJECT, 2).await;
    logs.stop();
}

/// A search in progress may still find entries that were just removed, which is not damage.
#[tokio::test(flavor = "multi_thread")]
async fn hits_of_removed_batches_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    for message in ["oldest", "old", "kept"] {
        logs.add(new(&logs, PROJECT, message, None)).await.unwrap();
    }
    logs.add(new(&logs, OTHER, "theirs", None)).await.unwrap();
    until_indexed(&logs, PROJECT, 6).await;
    let ids = logs.index.search(|view| view.page(&all(PROJECT), Order::Newest, 0, 9)).await.unwrap().0;
    logs.db.write(|tx| sql::oldest::mark(tx, PROJECT, 2)).await.unwrap();
    logs.db.write(|tx| sql::oldest::delete_some(tx, PROJECT, 100)).await.unwrap();
    assert_eq!(logs.found(PROJECT, ids.clone(), |id, _, _| id).await.unwrap().len(), 2);
    logs.index.look();
    until_indexed(&logs, PROJECT, 2).await;
    assert_eq!(alive(&logs, OTHER).await, 2);
    // Entries that are missing for another reason are damage.
    logs.db.write(|tx| Ok(tx.execute("delete from batches where id = 3", ())?)).await.unwrap();
    let found = logs.found(PROJECT, ids, |id, _, _| id).await;
    assert!(matches!(found, Err(Error::Unavailable { .. })), "{found:?}");
    logs.stop();
}

fn total(c: &Connection) -> Result<crate::usage::DataAmount> {
    sql::DAYS.total(c, PROJECT)
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_beyond_a_limit_are_found_and_what_is_stored_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let logs = open(folder.path()).unwrap();
    let (day, now) = (crate::time::DAY, Timestamp::now());
    for ago in [40, 31, 29, 0] {
        let batch = New { received_at: now.plus(-ago * day), ..new(&logs, PROJECT, "x", None) };
        logs.add(batch).await.unwrap();
    }
    let limits = |days, count, megabytes| crate::retention::RetentionLimits { days, count, megabytes };
    for (limits, last) in [
        (limits(None, None, None), None),
        (limits(Some(30), None, None), Some(2)),
        (limits(Some(30), Some(2), None), Some(3)),
        (limits(None, Some(8), Some(1)), None),
        (limits(None, None, Some(0)), Some(4)),
    ] {
        let cut = logs.db.read(move |c| sql::oldest::find(c, PROJECT, &limits, now)).await.unwrap();
        assert_eq!(cut.map(|cut| cut.last), last, "{limits:?}");
    }
    assert_eq!(logs.db.read(total).await.unwrap().count, 8);
    logs.db.write(|tx| sql::oldest::mark(tx, PROJECT, 3)).await.unwrap();
    logs.db.write(|tx| sql::oldest::delete_some(tx, PROJECT, 2)).await.unwrap();
    assert!(logs.db.read(|c| sql::oldest::has_removed(c, PROJECT)).await.unwrap());
    logs.db.write(|tx| sql::oldest::delete_some(tx, PROJECT, 2)).await.unwrap();
    assert!(!logs.db.read(|c| sql::oldest::has_removed(c, PROJECT)).await.unwrap());
    let counted = |c: &Connection| {
        let query = "select sum(count), sum(length(entries)) from batches";
        Ok(c.query_row(query, (), |row| Ok((row.get(0)?, row.get(1)?)))?)
    };
    let left = logs.db.read(total).await.unwrap();
    assert_eq!((left.count, left.bytes), logs.db.read(counted).await.unwrap());
    assert_eq!(left.count, 2);
    logs.stop();
}
