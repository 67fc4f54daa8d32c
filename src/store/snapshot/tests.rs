use super::*;
use crate::store::journal::{Form, frame};
use crate::store::{Database, Fatal, Main, schema};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

struct Bench {
    dir: tempfile::TempDir,
    main: Main,
    logs: Database,
    journal: Journal,
    maps: Blobs,
    replays: Blobs,
}

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let fatal = Fatal::new().0;
    let main = Main::open(dir.path(), &fatal).unwrap();
    let logs = Database::open_logs(dir.path(), &main.instance, &fatal).unwrap();
    let journal = Journal::open(&dir.path().join("intake"), 0, &fatal).unwrap();
    let maps = Blobs::open(dir.path().join("sourcemaps")).unwrap();
    let replays = Blobs::open(dir.path().join("replays")).unwrap();
    Bench { dir, main, logs, journal, maps, replays }
}

impl Bench {
    fn sources(&self) -> Sources<'_> {
        Sources {
            instance: &self.main.instance,
            main: &self.main.readers,
            logs: &self.logs.readers,
            journal: &self.journal,
            maps: &self.maps,
            replays: &self.replays,
        }
    }

    fn copy(&self) -> PathBuf {
        self.dir.path().join("copy")
    }
}

async fn append(journal: &Journal, records: usize) {
    for _ in 0..records {
        let mut framed = Vec::new();
        let write = |into: &mut Vec<u8>| {
            into.resize(into.len() + 1_000, b'.');
            Ok(())
        };
        frame(&mut framed, Form { kind: 1, version: 1 }, write).unwrap();
        journal.append(framed, 1).await.unwrap();
    }
}

/// The positions in a copy of the journal after `read`.
fn positions(copy: &Path, read: i64) -> Result<Vec<i64>> {
    let journal = Journal::open(&copy.join("intake"), read, &Fatal::new().0)?;
    Ok(journal.after(read, 100_000, 1 << 30)?.into_iter().map(|record| record.position).collect())
}

#[test]
fn a_new_instance_can_be_copied() {
    let bench = bench();
    let into = bench.copy();
    assert_eq!(bench.sources().copy_to(&into, &Stop::default()).unwrap(), Snapshot { last: 0 });
    let fatal = Fatal::new().0;
    let main = Main::open(&into, &fatal).unwrap();
    assert_eq!(main.instance, bench.main.instance);
    crate::store::instance::check_folders(&into, &main).unwrap();
    Database::open_logs(&into, &main.instance, &fatal).unwrap();
    assert_eq!(positions(&into, 0).unwrap(), [0; 0]);
}

#[test]
fn only_an_empty_directory_is_filled() {
    let bench = bench();
    let into = bench.copy();
    fs::create_dir(&into).unwrap();
    fs::write(into.join("main.db"), "of somebody").unwrap();
    let error = bench.sources().copy_to(&into, &Stop::default()).unwrap_err();
    assert!(matches!(&error, Error::Internal(cause) if cause.to_string().contains("is not empty")));
    assert_eq!(fs::read(into.join("main.db")).unwrap(), b"of somebody");
}

#[test]
fn a_database_is_copied_whole_and_for_its_owner_alone() {
    let bench = bench();
    let rows = "insert into organizations (name, slug, created_at, updated_at) values ('O', 'o', 1, 2);
        insert into projects (id, organization_id, name, slug, settings, created_at, updated_at)
            values (41, 1, 'P', 'p', '{}', 0, 0);
        delete from projects;";
    bench.main.write_blocking(move |tx| Ok(tx.execute_batch(rows)?)).unwrap();
    let into = bench.copy();
    bench.sources().copy_to(&into, &Stop::default()).unwrap();
    for name in ["main.db", "logs.db"] {
        assert_eq!(fs::metadata(into.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let copy = schema::open(&into.join("main.db"), false, &schema::MAIN, None).unwrap();
    let text = |query: &str| copy.query_row(query, (), |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("select name from organizations"), "O");
    // Assigned ids are not assigned again.
    assert_eq!(text("select cast(seq as text) from sqlite_sequence where name = 'projects'"), "41");
    assert_eq!(copy.pragma_query_value(None, "auto_vacuum", |row| row.get::<_, i64>(0)).unwrap(), 2);
}

#[tokio::test]
async fn a_copy_of_the_journal_has_all_that_is_not_digested() {
    let bench = bench();
    append(&bench.journal, 200).await;
    bench.journal.forget(100);
    let into = bench.copy();
    let folder = into.join("intake");
    fs::create_dir(&into).unwrap();
    assert_eq!(bench.journal.copy_to(&folder).unwrap(), 200);
    assert_eq!(positions(&into, 100).unwrap(), (101..=200).collect::<Vec<_>>());
    // It is a journal like any other.
    let copied = Journal::open(&folder, 150, &Fatal::new().0).unwrap();
    append(&copied, 1).await;
    assert_eq!(copied.after(200, 9, 1 << 20).unwrap()[0].position, 201);
    // A reader that has read further in the meantime continues above.
    let newer = tempfile::tempdir().unwrap();
    bench.journal.copy_to(newer.path().join("intake").as_path()).unwrap();
    assert_eq!(positions(newer.path(), 900).unwrap(), [0; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_journal_is_copied_while_it_is_written_and_given_up() {
    let bench = bench();
    append(&bench.journal, 200).await;
    let journal = bench.journal.clone();
    // The position that `main.db` would have.
    let digested = Arc::new(AtomicI64::new(0));
    let position = digested.clone();
    let writing = tokio::spawn(async move {
        for round in 0..30 {
            append(&journal, 40).await;
            // As the digest does, so that files are reused.
            position.store(200 + round * 40, Ordering::SeqCst);
            journal.forget(200 + round * 40);
        }
    });
    for round in 0..20 {
        let into = bench.dir.path().join(format!("copy {round}"));
        fs::create_dir(&into).unwrap();
        let acknowledged = bench.journal.newest();
        let journal = bench.journal.clone();
        let folder = into.join("intake");
        let last = tokio::task::spawn_blocking(move || journal.copy_to(&folder)).await.unwrap().unwrap();
        assert!(last >= acknowledged);
        // What had been digested by then, according to the database that is copied next.
        let digested = digested.load(Ordering::SeqCst);
        let found = positions(&into, digested).unwrap();
        assert!(found.iter().copied().eq(digested + 1..=digested + found.len() as i64), "{found:?}");
        assert!(digested + found.len() as i64 >= last);
    }
    writing.await.unwrap();
}

/// Why the order matters: events would be digested after the database was copied, and released before the
/// journal was.
#[tokio::test]
async fn a_database_that_is_copied_before_the_journal_misses_events() {
    let bench = bench();
    append(&bench.journal, 10).await;
    let into = bench.copy();
    make_empty(&into).unwrap();
    bench.sources().copy_databases(&into, &Stop::default()).unwrap();
    append(&bench.journal, 200).await;
    bench.journal.forget(200);
    bench.sources().copy_journal(&into).unwrap();
    // The position in the copied database is 0.
    let refused = positions(&into, 0).unwrap_err();
    assert!(
        matches!(&refused, Error::Internal(cause) if cause.to_string().contains("are missing")),
        "{refused:?}"
    );
}

#[test]
fn a_copy_stops_on_request() {
    let bench = bench();
    let stop = Stop::default();
    stop.ask();
    let error = bench.sources().copy_to(&bench.copy(), &stop).unwrap_err();
    assert!(
        matches!(&error, Error::Internal(cause) if cause.to_string().contains("ended early")),
        "{error:?}"
    );
    // Another one can be made at once.
    let into = bench.dir.path().join("another copy");
    bench.sources().copy_to(&into, &Stop::default()).unwrap();
}

#[test]
fn the_room_that_a_copy_needs_is_known_before() {
    let bench = bench();
    let expected = expected(bench.dir.path(), bench.dir.path()).unwrap();
    let into = bench.copy();
    bench.sources().copy_to(&into, &Stop::default()).unwrap();
    let copied = copied(&into);
    assert!(0 < copied && copied <= expected, "{copied} of {expected}");
    check_room(bench.dir.path(), &into, expected, 0).unwrap();
    let refused = check_room(bench.dir.path(), &into, u64::MAX / 2, 0).unwrap_err();
    assert!(
        matches!(&refused, Error::Internal(cause) if cause.to_string().contains("are free")),
        "{refused:?}"
    );
}
