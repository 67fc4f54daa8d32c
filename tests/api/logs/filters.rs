//! Each filter alone, and together.

use super::{entry, iso, messages, now, read, store, total, with};
use crate::support::{Project, json};

#[test]
fn levels_are_a_list() {
    let project = Project::new();
    let levels = ["trace", "debug", "info", "warn", "error", "fatal"];
    let logs: Vec<_> =
        (0..).zip(levels).map(|(at, level)| with(entry(at, level), &json!({"level": level}))).collect();
    store(&project, &logs);
    for level in levels {
        assert_eq!(messages(&read(&project, &format!("?levels={level}"))), [level]);
    }
    assert_eq!(messages(&read(&project, "?levels=ERROR,%20warning,")), ["error", "warn"]);
    assert_eq!(total(&project, "?levels=trace,debug,info,warn,error,fatal"), 6);
    assert_eq!(total(&project, "?levels="), 6);
    for wrong in ["loud", "error,loud", "%00", "error;fatal", "5"] {
        project.owner.get(&project.path(&format!("/logs?levels={wrong}"))).send().refuse(422, "levels");
    }
}

#[test]
fn times_are_inclusive_to_the_millisecond() {
    let project = Project::new();
    let base = now() - 3_600_000;
    let at = |after: i64, message: &str| with(entry(0, message), &json!({"timestamp": base + after}));
    store(&project, &[at(0, "first"), at(1, "second"), at(2, "third")]);
    let of = |start: Option<i64>, end: Option<i64>| {
        let start = start.map(|start| format!("start_time={}", iso(base + start))).unwrap_or_default();
        let end = end.map(|end| format!("end_time={}", iso(base + end))).unwrap_or_default();
        messages(&read(&project, &format!("?{start}&{end}")))
    };
    assert_eq!(of(None, None), ["third", "second", "first"]);
    assert_eq!(of(Some(1), None), ["third", "second"]);
    assert_eq!(of(None, Some(1)), ["second", "first"]);
    assert_eq!(of(Some(1), Some(1)), ["second"]);
    assert_eq!(of(Some(3), None), [""; 0]);
    assert_eq!(of(None, Some(-1)), [""; 0]);
    let get = |query: &str| project.owner.get(&project.path(&format!("/logs?{query}"))).send();
    get(&format!("start_time={}&end_time={}", iso(base + 1), iso(base))).refuse(422, "end_time");
    for wrong in ["x", "-1", "1795000000", "NaN", "2026-13-01T00:00:00Z", "99999-01-01T00:00:00Z", "%00"] {
        get(&format!("start_time={wrong}")).refuse(422, "start_time");
        get(&format!("end_time={wrong}")).refuse(422, "end_time");
    }
}

#[test]
fn a_trace_is_found_in_any_case() {
    let project = Project::new();
    let of = |at: i64, trace: &str| with(entry(at, trace), &json!({"trace_id": trace}));
    store(&project, &[of(0, "4bf92f3577b34da6"), of(1, "4BF92F3577B34DA6"), of(2, "4bf9"), entry(3, "none")]);
    assert_eq!(total(&project, "?trace_id=4bf92f3577B34DA6"), 2);
    assert_eq!(total(&project, "?trace_id=4bf9"), 1);
    assert_eq!(total(&project, "?trace_id=nope"), 0);
    assert_eq!(total(&project, "?trace_id="), 4);
    let long = project.path(&format!("/logs?trace_id={}", "t".repeat(201)));
    project.owner.get(&long).send().refuse(422, "trace_id");
}

#[test]
fn all_filters_hold_together() {
    let project = Project::new();
    let base = now() - 60_000;
    let make = |at: i64, level: &str, trace: &str, message: &str| json!({"timestamp": base + at, "level": level, "trace_id": trace, "message": message});
    let logs = [
        make(0, "error", "t", "disk full"),
        make(10, "error", "t", "disk full"),
        make(10, "info", "t", "disk full"),
        make(10, "error", "u", "disk full"),
        make(10, "error", "t", "disk empty"),
        make(20, "error", "t", "disk full"),
    ];
    store(&project, &logs);
    let (start, end) = (iso(base + 5), iso(base + 15));
    let range = format!("levels=error,fatal&trace_id=T&start_time={start}&end_time={end}");
    let list = read(&project, &format!("?{range}&search=full"));
    assert_eq!((&list["total"], &list["has_more"]), (&json!(1), &json!(false)), "{list}");
    assert_eq!(list["logs"][0]["message"], "disk full");
    assert_eq!(list["logs"][0]["highlights"], json!([[5, 9]]));
    assert_eq!(total(&project, &format!("?{range}&search=full%20-disk")), 0);
}
