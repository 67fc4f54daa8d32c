use super::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};

mod plans;

fn main_in(dir: &Path) -> (Main, tokio::sync::watch::Receiver<Option<String>>) {
    let (fatal, receiver) = Fatal::new();
    (Main::open(dir, &fatal).unwrap(), receiver)
}

#[tokio::test]
async fn a_failing_job_undoes_its_own_writes_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let insert = |slug: &'static str, fail: bool| {
        main.write(move |tx| {
            tx.execute(
                "insert into organizations (name, slug, created_at, updated_at) values ('x', ?1, 0, 0)",
                [slug],
            )?;
            if fail { Err(Error::invalid("no")) } else { Ok(()) }
        })
    };
    let (kept, undone, also_kept) = tokio::join!(insert("a", false), insert("b", true), insert("c", false));
    assert!(kept.is_ok() && also_kept.is_ok());
    assert!(matches!(undone, Err(Error::Invalid(_))));
    let slugs: String = main
        .read(|c| {
            Ok(c.query_row("select group_concat(slug order by slug) from organizations", (), |r| r.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(slugs, "a,c");
}

#[tokio::test]
async fn a_refusal_is_returned_unchanged_and_rolls_back() {
    #[derive(Debug, PartialEq)]
    enum Refusal {
        Late,
    }
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let insert = "insert into organizations (name, slug, created_at, updated_at) values ('x', ?1, 0, 0)";
    let write = |slug: &'static str, outcome: Result<Result<(), Refusal>>| {
        main.write_unless_refused(move |tx| {
            tx.execute(insert, [slug])?;
            outcome
        })
    };
    assert_eq!(write("kept", Ok(Ok(()))).await.unwrap(), Ok(()));
    assert_eq!(write("undone", Ok(Err(Refusal::Late))).await.unwrap(), Err(Refusal::Late));
    assert!(matches!(write("failed", Err(Error::invalid("no"))).await, Err(Error::Invalid(_))));
    let slugs = |c: &Connection| {
        Ok(c.query_row("select group_concat(slug) from organizations", (), |r| r.get::<_, String>(0))?)
    };
    assert_eq!(main.read(slugs).await.unwrap(), "kept");
}

#[tokio::test]
async fn a_job_that_panics_is_undone_alone_and_the_writer_lives() {
    let dir = tempfile::tempdir().unwrap();
    let (main, fatal) = main_in(dir.path());
    let insert = "insert into organizations (name, slug, created_at, updated_at) values ('x', ?1, 0, 0)";
    let panicking = main.write(move |tx| {
        tx.execute(insert, ["undone"])?;
        if tx.is_autocommit() { Ok(()) } else { panic!("on purpose") }
    });
    let kept = main.write(move |tx| Ok(tx.execute(insert, ["kept"])?));
    let (panicked, kept) = tokio::join!(panicking, kept);
    assert!(matches!(panicked, Err(Error::Internal(_))), "{panicked:?}");
    assert_eq!(kept.unwrap(), 1);
    let count =
        |c: &Connection| Ok(c.query_row("select count(*) from organizations", (), |r| r.get::<_, i64>(0))?);
    assert_eq!(main.read(count).await.unwrap(), 1);
    assert!(fatal.borrow().is_none());
}

#[test]
fn a_full_queue_is_an_error_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let (release, held) = mpsc::channel::<()>();
    let _first = main.writer.call(move |_| held.recv().map_err(Error::internal)).unwrap();
    let mut answers = Vec::new();
    let refused = (0..10_000).find_map(|_| match main.writer.call(|_| Ok(())) {
        Ok(answer) => {
            answers.push(answer);
            None
        }
        Err(error) => Some(error),
    });
    assert!(matches!(refused, Some(Error::Unavailable { .. })));
    release.send(()).unwrap();
    for answer in answers {
        answer.blocking_recv().unwrap().unwrap();
    }
}

#[test]
fn stopping_commits_what_is_queued_and_refuses_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let (release, held) = mpsc::channel::<()>();
    let _first = main.writer.call(move |_| held.recv().map_err(Error::internal)).unwrap();
    let insert = "insert into organizations (name, slug, created_at, updated_at) values ('x', 'x', 0, 0)";
    let queued = main.writer.call(move |tx| Ok(tx.execute(insert, ())?)).unwrap();
    let stopping = std::thread::spawn({
        let writer = main.writer.clone();
        move || writer.stop()
    });
    release.send(()).unwrap();
    stopping.join().unwrap();
    assert_eq!(queued.blocking_recv().unwrap().unwrap(), 1);
    assert!(main.write_blocking(|_| Ok(())).is_err());
    assert_eq!(std::fs::metadata(dir.path().join("main.db-wal")).map_or(0, |file| file.len()), 0);
}

#[test]
fn a_query_past_its_deadline_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    let result = main.readers.read_blocking(|c| Ok(c.query_row(endless, (), |row| row.get::<_, i64>(0))?));
    assert!(matches!(result, Err(Error::Unavailable { .. })), "{result:?}");
    // The connection is usable again.
    main.readers.read_blocking(|c| Ok(c.query_row("select 1", (), |row| row.get::<_, i64>(0))?)).unwrap();
}

#[tokio::test]
async fn a_sign_in_waits_for_no_list() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    let (release, held) = mpsc::channel::<()>();
    let held = Arc::new(Mutex::new(held));
    let lists: Vec<_> = (0..20)
        .map(|_| {
            let (main, held) = (main.clone(), held.clone());
            tokio::spawn(async move {
                main.read(move |_| held.lock().unwrap().recv().map_err(Error::internal)).await
            })
        })
        .collect();
    tokio::task::yield_now().await;
    for _ in 0..10 {
        assert_eq!(main.look_up(|_| Ok(1)).await.unwrap(), 1);
    }
    assert!(lists.iter().all(|list| !list.is_finished()));
    (0..lists.len()).for_each(|_| release.send(()).unwrap());
    for list in lists {
        list.await.unwrap().unwrap();
    }
}

#[test]
fn readers_cannot_write() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    assert!(main.readers.read_blocking(|c| Ok(c.execute("delete from instance", ())?)).is_err());
}

#[test]
fn a_newer_schema_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    open(&path, false, &MAIN, None).unwrap().pragma_update(None, "user_version", MAIN.version + 1).unwrap();
    let error = open(&path, false, &MAIN, None).unwrap_err();
    assert!(matches!(&error, Error::Internal(cause) if cause.to_string().contains("newer version")));
}

#[test]
fn a_schema_between_two_releases_is_refused_and_its_own_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    drop(open(&path, false, &MAIN, None).unwrap());
    open(&path, false, &MAIN, None)
        .unwrap()
        .execute("alter table users add column nickname text", ())
        .unwrap();
    let error = open(&path, false, &MAIN, None).unwrap_err();
    assert!(matches!(&error, Error::Internal(cause) if cause.to_string().contains("development version")));
}

#[test]
fn what_a_development_version_made_is_refused_and_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let (main, _fatal) = main_in(dir.path());
    main.stop();
    drop(main);
    drop(DataDir::take_usable(dir.path()).unwrap());
    let other = Connection::open(dir.path().join("main.db")).unwrap();
    other.execute_batch("alter table users add column nickname text").unwrap();
    drop(other);
    let before = files(dir.path());
    let refused = DataDir::take_usable(dir.path()).err().unwrap();
    assert!(matches!(&refused, Error::Internal(cause) if cause.to_string().contains("development version")));
    assert!(before.contains_key("main.db.clean") && before == files(dir.path()));
}

/// Every file of a directory.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(dir).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    entries
        .map(|each| (each.file_name().into_string().unwrap(), std::fs::read(each.path()).unwrap()))
        .collect()
}

#[test]
fn schemas_end_with_their_versions() {
    for Schema { sql, version, .. } in [MAIN, LOGS] {
        assert!(sql.trim_end().ends_with(&format!("pragma user_version = {version};")));
    }
}

#[test]
fn the_sqlite_library_has_no_wal_reset_bug() {
    check_sqlite_version().unwrap();
}

#[test]
fn a_kept_file_is_found_by_content_and_an_abandoned_one_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(dir.path().join("maps")).unwrap();
    let hash = *blake3::hash(b"x").as_bytes();
    let abandoned = blobs.temporary().unwrap().path().to_owned();
    blobs.keep(blobs.temporary().unwrap(), &hash, "v1").unwrap();
    assert!(blobs.path(&hash, "v1").exists());
    assert!(!abandoned.exists());
    blobs.remove(&hash, &["v1", "other"]).unwrap();
    assert!(!blobs.path(&hash, "v1").exists());
}

#[tokio::test]
async fn pages_of_deleted_rows_are_given_back_and_the_file_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
    let fill = "create table filler (text blob); insert into filler values (zeroblob(20000000))";
    main.write(move |tx| Ok(tx.execute_batch(fill)?)).await.unwrap();
    main.write(|tx| Ok(tx.execute_batch("drop table filler")?)).await.unwrap();
    main.writer.checkpoint();
    let start = std::time::Instant::now();
    while std::fs::metadata(&path).unwrap().len() < 20_000_000 {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "the file does not grow");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    main.give_back().await.unwrap();
    // The checkpoint follows the commit, and with it the answer.
    let start = std::time::Instant::now();
    while std::fs::metadata(&path).unwrap().len() > 5_000_000 {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "the file is as long as before");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(main.read(free_pages::count).await.unwrap(), 0);
}
