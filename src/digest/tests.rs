use super::*;
use crate::ids::ProjectId;
use crate::intake::decode;
use crate::intake::store::Row;
use crate::organizations;
use crate::projects;
use crate::set_aside;
use crate::store::Fatal;
use crate::store::journal::Form;
use crate::time::Timestamp;
use serde_json::{Value, json};

mod awaited;
mod by_facet;
mod causes;
mod facets;
mod fits;
mod former;
mod high_value;
mod late;
mod releases;
mod replays;
mod retention;
mod signals;
mod sums;
mod texts;
mod training;
mod turns;
mod within;
mod words;

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
    let intake = Store::open(dir.path(), 0, main.packer.clone(), &fatal).unwrap();
    let maps = Arc::new(Maps::open(&dir.path().join("sourcemaps"), &main, 50 << 20).unwrap());
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
        let position = self.main.readers.read_blocking(sql::position).unwrap();
        Worker {
            parts: Parts {
                main: self.main.clone(),
                intake: self.intake.clone(),
                live: Arc::default(),
                texts: Arc::default(),
                metrics: Arc::default(),
                disk: Arc::new(Disk::new(self.dir.path(), 0)),
            },
            reader: self.main.readers.dedicated().unwrap(),
            resolver: Resolver::new(self.maps.clone()),
            trainer: Arc::new(Trainer::new(&dictionaries::EVENTS)),
            position,
            prepared: position,
            turns: self.main.readers.read_blocking(Turns::load).unwrap(),
            is_stale: false,
            flight: None,
            digested: 0,
            applied: Duration::ZERO,
            begun: None,
            stopping: Arc::default(),
        }
    }

    /// An event with unreadable bytes.
    fn add_damaged(&self, event_id: &str) {
        self.store(Row::damaged(PROJECT, event_id));
    }

    fn add(&self, event: &Value) {
        self.add_at(event, Timestamp::now());
    }

    /// An event received at a given time.
    fn add_at(&self, event: &Value, at: Timestamp) {
        let body = event.to_string();
        let accepted = decode::event(decode::parse(body.as_bytes()).unwrap(), None, at).unwrap();
        self.store(Row::new(&self.main.packer, PROJECT, &accepted).unwrap());
    }

    fn store(&self, row: Row) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.intake.add(vec![row])).unwrap();
    }

    fn count(&self, query: &str) -> i64 {
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
    first.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(first.land().unwrap());
    let outcomes = first.prepare_all(pending).unwrap();
    first.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(first.land().unwrap());
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
fn an_unreadable_event_is_set_aside_and_blocks_none_after_it() {
    let bench = bench();
    bench.add_damaged("a");
    bench.add(&json!({"event_id": "b", "message": "x"}));
    assert!(bench.worker().step().unwrap());
    assert_eq!(bench.count("select count(*) from set_aside where event_id = 'a' and reason <> ''"), 1);
    assert_eq!(bench.count("select count(*) from events where event_key = cast(x'0062' as blob)"), 1);
    assert!(!bench.worker().step().unwrap(), "it is not tried again");
}

#[test]
fn events_of_a_deleted_project_are_skipped() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "x"}));
    bench.main.write_blocking(|tx| projects::sql::delete(tx, PROJECT).map(drop)).unwrap();
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

#[test]
fn long_source_lines_are_cut_around_the_column() {
    let bench = bench();
    let line = format!("{}throwHere();{}", "a;".repeat(1_000), "b;".repeat(1_000));
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    let source = builder.add_source("src/vendor.js");
    builder.set_source_contents(source, Some(&[line.as_str(); 11].join("\n")));
    builder.add(0, 0, 5, 2_000, Some("src/vendor.js"), None, false);
    let mut json = Vec::new();
    builder.into_sourcemap().to_writer(&mut json).unwrap();
    upload(&bench, "1.0", "~/x.js", &json);
    let frames = "\n    at https://x.example/x.js:1:1".repeat(240);
    let exception = |cause: Value| json!({"type": "E", "stack": format!("E: x{frames}"), "cause": cause});
    let chain = (0..10).fold(Value::Null, |cause, _| exception(cause));
    for id in 0..5 {
        bench.add(
            &json!({"event_id": id.to_string(), "release": "1.0", "exception": exception(chain.clone())}),
        );
    }
    let mut worker = bench.worker();
    let pending = bench.intake.after(0, 256, BATCH_BYTES).unwrap();
    let outcomes = worker.prepare_all(pending).unwrap();
    let held: usize = outcomes.iter().map(Outcome::size).sum();
    assert!(held < 2 * PREPARED_BYTES, "{held} bytes are held");
    assert!(!outcomes.is_empty() && outcomes.len() < 5, "{} events fit", outcomes.len());
    while worker.step().unwrap() {}
    assert_eq!(bench.count("select count(*) from events"), 5);
    let stored =
        bench.main.readers.read_blocking(|c| crate::events::sql::get(c, PROJECT, "4")).unwrap().unwrap();
    let nearest = stored.frames[0][0].resolved.as_ref().unwrap();
    let shown = nearest.context_line.as_deref().unwrap();
    assert!(shown.contains("throwHere();") && shown.chars().count() <= 400, "{shown}");
    let column = usize::try_from(nearest.column - 1 - nearest.context_start).unwrap();
    assert!(shown[column..].starts_with("throwHere();"));
    let furthest = stored.frames[10][239].resolved.as_ref().unwrap();
    assert_eq!((furthest.line, furthest.context_line.as_deref()), (6, None), "no room is left for its lines");
}

#[test]
fn an_event_accepted_before_its_issue_was_resolved_does_not_reopen_it() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "x"}));
    bench.worker().step().unwrap();
    bench.add(&json!({"event_id": "b", "message": "x"}));
    std::thread::sleep(Duration::from_millis(2));
    let resolve =
        crate::issues::Change { status: Some(crate::issues::Status::Resolved), ..Default::default() };
    bench
        .main
        .write_blocking(move |tx| {
            crate::issues::sql::change(tx, PROJECT, crate::ids::IssueId(1), &resolve, None, Timestamp::now())
                .map(drop)
        })
        .unwrap();
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues where status = 'resolved' and event_count = 2"), 1);
    std::thread::sleep(Duration::from_millis(2));
    bench.add(&json!({"event_id": "c", "message": "x"}));
    bench.worker().step().unwrap();
    assert_eq!(
        bench.count("select count(*) from issues where status = 'unresolved' and regressed_at > 0"),
        1
    );
}

#[test]
fn facets_are_bounded_and_users_are_counted_exactly() {
    let bench = bench();
    for event in 0..120 {
        let tags: serde_json::Map<_, _> =
            (0..100).map(|tag| (format!("k{event}-{tag}"), json!("v"))).collect();
        bench.add(&json!({"message": "x", "user": {"id": event}, "tags": tags}));
    }
    let mut worker = bench.worker();
    while worker.step().unwrap() {}
    let others = bench.count(
        "select count(*) from issue_facets f join facets k on k.id = f.facet_id
         where k.name not in ('user', 'account')",
    );
    assert_eq!(others, crate::issues::FACETS_MAX);
    let named = "select count(*) from facets where name not in ('user', 'account')";
    assert_eq!(bench.count(named), others, "what an issue refuses gets no name");
    assert_eq!(bench.count("select user_count from issues"), 120);
    let tags =
        bench.main.readers.read_blocking(|c| crate::issues::sql::tags(c, crate::ids::IssueId(1))).unwrap();
    assert_eq!(tags.len(), 200);
    assert_eq!(tags.iter().find(|tag| tag.key == "environment").unwrap().total, 120);
}

fn upload(bench: &Bench, version: &'static str, url: &'static str, map: &[u8]) {
    let mut incoming = crate::releases::service::upload::UploadFile::new(&bench.maps.blobs, 1 << 20).unwrap();
    incoming.write(map).unwrap();
    let file = incoming.keep(&bench.maps.blobs, &Default::default(), |_| true).unwrap();
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

/// Resolved as it was prepared, it has its minified names; applied after the upload, which saw no events.
#[test]
fn an_event_that_was_prepared_before_its_source_map_came_is_resolved_again() {
    let (bench, late) = (bench(), "select count(*) from late_maps where finished_at is null");
    let throw = |id: &str, file: &str| {
        let stack = format!("E: x\n    at a (https://x.example/{file}:1:1)");
        let exception = json!({"type": "E", "message": "x", "stack": stack});
        bench.add(&json!({"event_id": id, "release": "1.0", "exception": exception}));
    };
    let map = br#"{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}"#;
    let mut worker = bench.worker();
    throw("a", "x.js");
    let prepared = |worker: &mut Worker| {
        let pending = bench.intake.after(worker.position, 10, 1 << 20).unwrap();
        let last = pending.last().unwrap().position;
        (worker.prepare_all(pending).unwrap(), last)
    };
    let (outcomes, last) = prepared(&mut worker);
    upload(&bench, "1.0", "~/x.js", map);
    assert_eq!(bench.count(late), 0, "so far it has no events");
    worker.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(worker.land().unwrap());
    assert_eq!(bench.count(late), 1);
    // An event prepared with the current source maps changes nothing, whether it resolves or not.
    bench
        .main
        .write_blocking(|tx| Ok(tx.execute("update late_maps set finished_at = 1", ()).map(drop)?))
        .unwrap();
    throw("b", "x.js");
    throw("c", "other.js");
    let (outcomes, last) = prepared(&mut worker);
    worker.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(worker.land().unwrap());
    assert_eq!(bench.count(late), 0);
    // A replaced map counts as well.
    throw("d", "other.js");
    let (outcomes, last) = prepared(&mut worker);
    upload(&bench, "1.0", "~/x.js", &[map.as_slice(), b" "].concat());
    worker.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(worker.land().unwrap());
    assert_eq!(bench.count(late), 1);
}

/// What a newer Mayday accepted is neither lost nor misread, and blocks nothing.
#[test]
fn a_record_that_a_newer_version_wrote_is_set_aside_as_it_is() {
    let bench = bench();
    bench.add(&json!({"event_id": "a", "message": "x"}));
    for form in [Form { kind: 1, version: 2 }, Form { kind: 9, version: 1 }] {
        bench.store(Row::unknown(form, PROJECT, 5, b"\x01\x00z as it was sent"));
    }
    bench.add(&json!({"event_id": "b", "message": "x"}));
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from events"), 2);
    assert_eq!(bench.count("select position from digest"), 4);
    let kept = bench.main.readers.read_blocking(|c| {
        let page = crate::store::Page { limit: 9, offset: 0 };
        let list = set_aside::sql::list(c, PROJECT, page)?;
        let get = |event: &set_aside::SetAsideEvent| {
            let (event, accepted) = set_aside::sql::get(c, PROJECT, event.id)?.unwrap();
            Ok((event.received_at.millis(), event.reason, accepted))
        };
        list.iter().map(get).collect::<Result<Vec<_>>>()
    });
    for ((received_at, reason, accepted), (kind, version)) in kept.unwrap().into_iter().zip([(9, 1), (1, 2)])
    {
        assert_eq!((received_at, accepted.form), (5, Form { kind, version }));
        assert_eq!(accepted.body, b"\x01\x00z as it was sent");
        assert!(
            reason.contains(&format!("newer version of Mayday accepted this (record kind {kind}")),
            "{reason}"
        );
    }
    assert_eq!(bench.count("select count(*) from set_aside"), 2);
}
