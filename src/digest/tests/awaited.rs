//! Debug ids that wait for their source maps.

use super::*;

const AWAITED: &str = "select count(*) from awaited_maps";
const LATE: &str = "select count(*) from late_maps where finished_at is null";

fn throw(bench: &Bench, event_id: &str, release: &str, id: u8, line: u32) {
    let file = "https://x.example/x.js";
    let image = json!({"code_file": file, "debug_id": debug_id(id)});
    let exception =
        json!({"type": "E", "message": "x", "stack": format!("E: x\n    at a ({file}:{line}:1)")});
    bench.add(&json!({"event_id": event_id, "release": release, "exception": exception, "debug_meta": {"images": [image]}}));
}

fn debug_id(id: u8) -> String {
    crate::event::DebugId([id; 16]).to_string()
}

fn map_of(id: u8) -> Vec<u8> {
    let id = debug_id(id);
    format!(r#"{{"version":3,"debugId":"{id}","sources":["a.ts"],"names":[],"mappings":"AAAA"}}"#)
        .into_bytes()
}

/// Digests the stored events; calls `between` after they were prepared.
fn digest(bench: &Bench, worker: &mut Worker, between: impl FnOnce()) {
    let pending = bench.intake.after(worker.position, 100, 1 << 20).unwrap();
    let last = pending.last().unwrap().position;
    let outcomes = worker.prepare_all(pending).unwrap();
    between();
    worker.launch(outcomes, Reach::UpTo(last)).unwrap();
    assert!(worker.land().unwrap());
}

#[test]
fn an_event_waits_for_the_source_map_of_its_debug_id() {
    let bench = bench();
    let mut worker = bench.worker();
    throw(&bench, "a", "1.0", 1, 1);
    throw(&bench, "b", "2.0", 1, 1);
    digest(&bench, &mut worker, || ());
    assert_eq!((bench.count(AWAITED), bench.count(LATE)), (1, 0));
    // The map arrived after the event was prepared and before it was applied.
    throw(&bench, "c", "3.0", 2, 1);
    digest(&bench, &mut worker, || upload(&bench, "build", "~/y.js", &map_of(2)));
    assert_eq!((bench.count(AWAITED), bench.count(LATE)), (2, 1));
    bench
        .main
        .write_blocking(|tx| Ok(tx.execute("update late_maps set finished_at = 1", ()).map(drop)?))
        .unwrap();
    // Its source map exists, but has nothing for that line.
    throw(&bench, "d", "3.0", 2, 9);
    digest(&bench, &mut worker, || ());
    assert_eq!((bench.count(AWAITED), bench.count(LATE)), (2, 0));
}

#[test]
fn an_issue_waits_for_a_limited_number_and_the_latest() {
    let bench = bench();
    let mut worker = bench.worker();
    let most = u8::try_from(crate::releases::late::AWAITED_MAX).unwrap();
    for id in 0..most {
        throw(&bench, &format!("e{id}"), "1.0", id + 1, 1);
    }
    digest(&bench, &mut worker, || ());
    bench
        .main
        .write_blocking(|tx| Ok(tx.execute("update awaited_maps set last_seen = 1", ()).map(drop)?))
        .unwrap();
    throw(&bench, "more", "1.0", most + 1, 1);
    digest(&bench, &mut worker, || ());
    assert_eq!(bench.count(AWAITED), i64::from(most));
    assert_eq!(bench.count(&format!("{AWAITED} where last_seen > 1")), 1);
}
