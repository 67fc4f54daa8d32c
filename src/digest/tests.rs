use super::*;
use crate::ids::ProjectId;
use crate::intake::decode;
use crate::intake::store::Row;
use crate::organizations;
use crate::projects;
use crate::store::Fatal;
use crate::time::Timestamp;
use serde_json::{Value, json};
use std::path::Path;

struct Bench {
    dir: tempfile::TempDir,
    main: Main,
    intake: Store,
    maps: Arc<Maps>,
}

const PROJECT: ProjectId = ProjectId(1);

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let fatal = Fatal::new().0;
    let main = Main::open(dir.path(), &fatal).unwrap();
    let intake = Store::open(dir.path(), 0, &fatal).unwrap();
    let maps = Arc::new(Maps::open(&dir.path().join("sourcemaps"), &main).unwrap());
    main.write_blocking(|tx| {
        let organization = organizations::sql::create(tx, "O", Timestamp::now())?;
        let new = projects::sql::NewProject {
            organization,
            name: "P".into(),
            platform: None,
            settings: projects::Settings::default(),
        };
        projects::sql::create(tx, &new, Timestamp::now()).map(drop)
    })
    .unwrap();
    Bench { dir, main, intake, maps }
}

impl Bench {
    fn worker(&self) -> Worker {
        Worker {
            main: self.main.clone(),
            intake: self.intake.clone(),
            resolver: Resolver::new(self.maps.clone()),
            position: self.main.readers.read_blocking(apply::position).unwrap(),
            stopping: Arc::default(),
        }
    }

    fn add(&self, event: &Value) {
        let body = event.to_string();
        let accepted = decode::event(decode::parse(body.as_bytes()).unwrap(), Timestamp::now()).unwrap();
        let row = Row::new(PROJECT, &accepted).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.intake.add(vec![row])).unwrap();
    }

    fn count(&self, query: &'static str) -> i64 {
        self.main.readers.read_blocking(|c| Ok(c.query_row(query, (), |row| row.get(0))?)).unwrap()
    }
}

#[test]
fn a_batch_applied_twice_counts_once() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "exception": {"type": "E"}}));
    bench.add(&json!({"event_id": "b", "exception": {"type": "E"}}));
    let mut first = bench.worker();
    // As after a crash between the commit and the clean-up: the rows are there again.
    let pending = bench.intake.after(0, 10, 1 << 20).unwrap();
    let last = pending.last().unwrap().position;
    let outcomes = first.prepare_all(pending.clone()).unwrap();
    first.apply(outcomes, last).unwrap();
    let outcomes = first.prepare_all(pending).unwrap();
    first.apply(outcomes, last).unwrap();
    assert_eq!(bench.count("select event_count from issues"), 2);
    assert_eq!(bench.count("select count(*) from events"), 2);
    assert_eq!(bench.count("select position from digest"), last);
}

#[test]
fn the_same_event_id_is_stored_once_and_the_first_stays() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "first"}));
    bench.add(&json!({"event_id": "a", "message": "second"}));
    assert!(bench.worker().step().unwrap());
    assert_eq!(bench.count("select count(*) from events"), 1);
    assert_eq!(bench.count("select count(*) from issues where message = 'first'"), 1);
}

#[test]
fn an_event_that_cannot_be_read_is_set_aside_and_blocks_none_behind_it() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "x"}));
    bench.add(&json!({"event_id": "b", "message": "x"}));
    damage(bench.dir.path(), "a");
    assert!(bench.worker().step().unwrap());
    assert_eq!(bench.count("select count(*) from set_aside where event_id = 'a' and reason <> ''"), 1);
    assert_eq!(bench.count("select count(*) from events where event_id = 'b'"), 1);
    assert!(!bench.worker().step().unwrap(), "it is not tried again");
}

fn damage(dir: &Path, event_id: &str) {
    let connection = crate::store::open_intake(&dir.join("intake.db")).unwrap();
    let changed = connection
        .execute("update accepted set payload = x'00112233' where event_id = ?1", [event_id])
        .unwrap();
    assert_eq!(changed, 1);
}

#[test]
fn events_of_a_deleted_project_are_passed_over() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "x"}));
    bench.main.write_blocking(|tx| projects::sql::delete(tx, PROJECT)).unwrap();
    assert!(bench.worker().step().unwrap());
    assert_eq!(bench.count("select count(*) from events"), 0);
    assert_eq!(bench.count("select count(*) from set_aside"), 0);
}

#[test]
fn equal_stacks_of_an_issue_are_stored_once() {
    let bench = bench();
    let stack = "E: x\n    at pay (https://shop.example/a.js:1:2)\n    at https://shop.example/a.js:3:4";
    for id in ["a", "b", "c"] {
        bench.add(&json!({"event_id": id, "exception": {"type": "E", "message": "x", "stack": stack}}));
    }
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from stacks"), 1);
    assert_eq!(bench.count("select count(*) from events where stack_id is not null"), 3);
}

#[test]
fn a_map_without_sources_names_a_function_by_its_call() {
    let bench = bench();
    // One line: `b` at column 0 calls `a` whose body is at column 20.
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    builder.add(0, 0, 9, 2, Some("src/x.ts"), Some("thrower"), false);
    builder.add(0, 20, 3, 4, Some("src/x.ts"), Some("Error"), false);
    let mut json = Vec::new();
    builder.into_sourcemap().to_writer(&mut json).unwrap();
    upload(&bench, "1.0", "~/x.js", &json);
    let stack = "E: x\n    at a (https://x.example/x.js:1:21)\n    at b (https://x.example/x.js:1:1)";
    bench.add(
        &json!({"event_id": "a", "release": "1.0", "exception": {"type": "E", "message": "x", "stack": stack}}),
    );
    bench.worker().step().unwrap();
    let stored =
        bench.main.readers.read_blocking(|c| crate::events::sql::get(c, PROJECT, "a")).unwrap().unwrap();
    let named: Vec<_> = stored.frames[0]
        .iter()
        .map(|frame| {
            let resolved = frame.resolved.as_ref().unwrap();
            (resolved.function.as_deref(), resolved.line)
        })
        .collect();
    assert_eq!(named, [(Some("thrower"), 4), (None, 10)]);
}

fn upload(bench: &Bench, version: &'static str, url: &'static str, map: &[u8]) {
    let mut incoming = crate::releases::upload::Incoming::new(&bench.maps.blobs, 1 << 20).unwrap();
    incoming.write(map).unwrap();
    let file = incoming.keep(&bench.maps.blobs).unwrap();
    bench
        .main
        .write_blocking(move |tx| {
            let now = Timestamp::now();
            let (release, _) = crate::releases::sql::create(tx, PROJECT, version, "~/", now)?;
            crate::releases::sql::put_map(tx, release.id, url, &file, now).map(drop)
        })
        .unwrap();
    bench.maps.changed();
}
