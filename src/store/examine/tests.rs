use super::*;
use crate::crypto::secret::Secret;
use crate::store::{Fatal, MAIN, Main};
use std::fs;

#[test]
fn a_schema_that_makes_looking_dear_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dear.db");
    let dear = Connection::open(&path).unwrap();
    let columns =
        |each: &dyn Fn(usize) -> String, between| (0..200).map(each).collect::<Vec<_>>().join(between);
    let table = format!(
        "create table origin (id integer primary key, {}, instance text as ({}));
         insert into origin (id) values (1);",
        columns(&|n| format!("c{n} as (length(hex(zeroblob(1000000 + {n} + id))))"), ", "),
        columns(&|n| format!("c{n}"), " || ")
    );
    dear.execute_batch(&table).unwrap();
    drop(dear);
    let looked = open_for(&path, Duration::from_millis(20))
        .unwrap()
        .query_row(INSTANCE, (), |row| row.get::<_, String>(0));
    assert!(looked.unwrap_err().to_string().contains("interrupted"));
}

#[test]
fn a_database_is_looked_into_without_a_trace() {
    let folder = tempfile::Builder::new().prefix("a %41?#b").tempdir().unwrap();
    let main = Main::open(folder.path(), &Fatal::new().0).unwrap();
    let seal = Seal::new(&Secret::new("the right key of this instance"));
    let copy = folder.path().join("copy.db");
    let into = copy.display().to_string();
    let dump = move |main: &Main| {
        let c = main.readers.dedicated().unwrap();
        c.pragma_update(None, "query_only", false).unwrap();
        c.execute("vacuum into ?1", [&into]).unwrap();
    };
    dump(&main);
    assert!(opens(&copy, &seal).unwrap(), "nothing is sealed yet");
    fs::remove_file(&copy).unwrap();
    crate::store::check_key(&main, &seal).unwrap();
    dump(&main);
    let before = fs::read(&copy).unwrap();
    let facts = facts(&copy).unwrap();
    assert_eq!(facts, Facts { schema: MAIN.version, instance: main.instance.to_string() });
    check(&copy).unwrap();
    assert!(opens(&copy, &seal).unwrap());
    assert!(!opens(&copy, &Seal::new(&Secret::new("another key"))).unwrap());
    assert_eq!(fs::read(&copy).unwrap(), before);
    assert!(!folder.path().join("copy.db-shm").exists() && !folder.path().join("copy.db-wal").exists());
}

#[test]
fn a_file_that_is_not_a_database_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.db");
    fs::write(&path, vec![7; 9_000]).unwrap();
    for found in [facts(&path).map(drop), check(&path)] {
        let Err(Error::Internal(cause)) = found else { panic!("{found:?}") };
        assert!(cause.to_string().starts_with("main.db is damaged"), "{cause}");
    }
}
