use super::*;
use crate::store::Main;
use std::io::{Seek as _, SeekFrom, Write as _};

type Raised = tokio::sync::watch::Receiver<Option<String>>;

fn open(dir: &Path) -> (Result<Main>, Raised) {
    let (fatal, raised) = Fatal::new();
    (Main::open(dir, &fatal), raised)
}

/// A database of about a hundred pages, after a clean stop.
fn filled(dir: &Path) -> PathBuf {
    let main = open(dir).0.unwrap();
    let fill = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into organizations (name, slug, created_at, updated_at)
        select hex(randomblob(600)), 'slug' || i, 0, 0 from n";
    main.write_blocking(move |tx| Ok(tx.execute(fill, ())?)).unwrap();
    main.stop();
    dir.join("main.db")
}

/// Overwrites a page (the first is 1).
fn spoil(path: &Path, page: u64) {
    let mut file = fs::File::options().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * 4_096)).unwrap();
    file.write_all(&[0xa5; 4_096]).unwrap();
    file.sync_all().unwrap();
}

/// Overwrites the last pages, which hold what was filled in.
fn spoil_data(path: &Path) {
    let pages = fs::metadata(path).unwrap().len() / 4_096;
    (pages - 100..=pages).for_each(|page| spoil(path, page));
}

#[test]
fn a_spoiled_page_is_found_at_the_start_wherever_it_is() {
    for page in [1, 2, 3, 5, 50, 120] {
        let dir = tempfile::tempdir().unwrap();
        let path = filled(dir.path());
        assert!(fs::metadata(&path).unwrap().len() > 120 * 4_096);
        spoil(&path, page);
        let Err(Error::Internal(cause)) = open(dir.path()).0 else { panic!("page {page} was not noticed") };
        let text = cause.to_string();
        assert!(
            text.contains("main.db is damaged") && text.contains("the data directory from a backup"),
            "{text}"
        );
    }
}

#[test]
fn a_file_that_is_not_a_database_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("main.db"), [b'x'; 8_192]).unwrap();
    let Err(Error::Internal(cause)) = open(dir.path()).0 else { panic!("it was taken") };
    assert!(cause.to_string().contains("main.db is damaged"), "{cause}");
}

#[test]
fn a_clean_stop_is_believed_once_and_for_the_same_file_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    assert!(take_clean(&path));
    assert!(!take_clean(&path), "believed twice");
    mark_clean(&path);
    spoil(&path, 7);
    assert!(!take_clean(&path), "the file is another one now");
    mark_clean(&path);
    fs::write(joined(&path, "-wal"), "x").unwrap();
    assert!(!take_clean(&path), "there is more in the WAL");
}

#[test]
fn damage_met_while_running_is_unavailable_and_ends_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let (main, raised) = open(dir.path());
    let main = main.unwrap();
    assert!(raised.borrow().is_none());
    spoil_data(&path);
    let all = "select sum(length(name)) from organizations";
    let read = main.readers.read_blocking(|c| Ok(c.query_row(all, (), |row| row.get::<_, i64>(0))?));
    assert!(matches!(read, Err(Error::Unavailable { .. })), "{read:?}");
    let reason = raised.borrow().clone().unwrap();
    assert!(
        reason.contains("main.db is damaged") && reason.contains("the data directory from a backup"),
        "{reason}"
    );
}

#[test]
fn a_write_that_meets_damage_ends_the_process_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let (main, raised) = open(dir.path());
    let main = main.unwrap();
    spoil_data(&path);
    let write = main.write_blocking(|tx| Ok(tx.execute("update organizations set name = 'x'", ())?));
    assert!(matches!(write, Err(Error::Unavailable { .. })), "{write:?}");
    assert!(raised.borrow().is_some());
}

#[test]
fn other_faults_are_passed_on() {
    let (fatal, raised) = Fatal::new();
    let damage = Damage::new(Path::new("main.db"), &fatal);
    let wrong = damage.judge::<()>(Err(rusqlite::Error::InvalidQuery.into()));
    assert!(matches!(wrong, Err(Error::Internal(_))));
    assert!(matches!(damage.judge::<()>(Err(Error::internal("x"))), Err(Error::Internal(_))));
    assert!(raised.borrow().is_none());
}
