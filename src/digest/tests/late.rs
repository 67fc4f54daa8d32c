//! How old events may be to be resolved again by late source maps.

use super::*;
use crate::jobs::Stopping;
use crate::releases::late::service::LateMaps;
use crate::time::DAY;

const SOURCE: &str = "function young() { x() }\nfunction old() { x() }\n";

/// Generated column 1 is in `young`, column 21 in `old`.
fn map() -> Vec<u8> {
    let mut builder = sourcemap::SourceMapBuilder::new(None);
    builder.add(0, 0, 0, 18, Some("src/x.ts"), None, false);
    builder.add(0, 20, 1, 16, Some("src/x.ts"), None, false);
    builder.set_source_contents(0, Some(SOURCE));
    let mut json = Vec::new();
    builder.into_sourcemap().to_writer(&mut json).unwrap();
    json
}

fn throw(bench: &Bench, kind: &str, column: u32, days: i64) {
    let stack = format!("{kind}: x\n    at a (https://x.example/x.js:1:{column})");
    let exception = json!({"type": kind, "message": "x", "stack": stack});
    let event = json!({"event_id": format!("{kind}{days}"), "release": "1.0", "exception": exception});
    bench.add_at(&event, Timestamp::now().plus(-days * DAY));
}

/// Uploads the source map, and resolves again.
fn upload_late(bench: &Bench) {
    upload(bench, "1.0", "~/x.js", &map());
    let long_ago = Timestamp::now().plus(-DAY).millis();
    let ask = "insert into late_maps (release_id, requested_at) select id, ?1 from releases";
    bench.main.write_blocking(move |tx| Ok(tx.execute(ask, [long_ago]).map(drop)?)).unwrap();
    let late = LateMaps {
        main: bench.main.clone(),
        maps: bench.maps.clone(),
        live: Arc::default(),
        texts: Arc::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(late.run(&Stopping::never())).unwrap();
    assert_eq!(bench.count("select count(*) from late_maps where finished_at is null"), 0);
}

#[test]
fn events_of_the_last_thirty_days_are_resolved_again_and_older_ones_stay() {
    let bench = bench();
    throw(&bench, "Past", 1, 31);
    throw(&bench, "Recent", 1, 29);
    bench.worker().step().unwrap();
    upload_late(&bench);
    let named = |kind: &str| {
        bench.count(&format!(
            "select count(*) from issues where type = '{kind}' and culprit like '%src/x.ts%'"
        ))
    };
    assert_eq!((named("Past"), named("Recent")), (0, 1));
    assert_eq!(bench.count("select issues_changed from late_maps"), 1);
}

#[test]
fn an_issue_is_found_only_by_its_recent_events() {
    let bench = bench();
    throw(&bench, "E", 21, 31);
    throw(&bench, "E", 1, 1);
    bench.worker().step().unwrap();
    assert_eq!(bench.count("select count(*) from issues"), 1);
    upload_late(&bench);
    assert_eq!(bench.count("select count(*) from issue_fingerprints"), 2, "its own, and that of `young`");
    assert_eq!(bench.count("select count(*) from issues where culprit like '%young%'"), 1);
}
