//! From an error to the entries of its trace, and back.

use super::{entry, iso, messages, now, store, with};
use crate::support::project::encoded;
use crate::support::{Project, Value, json};

const WINDOW: i64 = 5 * 60_000;

fn error(time: i64, trace: &Value) -> Value {
    let id = crate::support::project::fresh_id();
    json!({"event_id": format!("trace-{id}"), "timestamp": iso(time), "message": "an error", "trace_id": trace})
}

/// The entries of an event's trace.
fn around(project: &Project, event: &Value, query: &str) -> Value {
    let id = encoded(event["event_id"].as_str().unwrap());
    let path = format!("/api/v1/events/{id}/logs?project_id={}{query}", project.id);
    project.owner.get(&path).send().expect(200)
}

#[test]
fn entries_of_the_trace_within_five_minutes_are_shown_in_the_order_of_time() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let time = now() - 3_600_000;
    let at = |after: i64, trace: &str, message: &str| {
        with(entry(0, message), &json!({"timestamp": time + after, "trace_id": trace}))
    };
    store(
        &project,
        &[
            at(WINDOW + 1, "Trace", "too late"),
            at(WINDOW, "Trace", "at the end"),
            at(1, "trace", "just behind"),
            at(0, "TRACE", "at once"),
            at(-1, "Trace", "just before"),
            at(-WINDOW, "Trace", "at the start"),
            at(-WINDOW - 1, "Trace", "too early"),
            at(0, "Trace2", "another's"),
            entry(0, "without"),
        ],
    );
    store(&other, &[at(0, "Trace", "theirs")]);
    let event = project.digest(&error(time, &json!("Trace")));
    let list = around(&project, &event, "");
    assert_eq!(messages(&list), ["at the start", "just before", "at once", "just behind", "at the end"]);
    assert_eq!((&list["total"], &list["has_more"]), (&json!(5), &json!(false)));
    let page = around(&project, &event, "&limit=2&offset=2");
    assert_eq!(messages(&page), ["at once", "just behind"]);
    assert_eq!((&page["total"], &page["has_more"]), (&json!(5), &json!(true)));
    for wrong in ["&limit=0", "&limit=1001", "&offset=100001"] {
        let id = encoded(event["event_id"].as_str().unwrap());
        let path = format!("/api/v1/events/{id}/logs?project_id={}{wrong}", project.id);
        project.owner.get(&path).send().refuse(422, "");
    }
}

#[test]
fn a_trace_whose_id_looks_like_a_secret_is_found_by_it() {
    let project = Project::new();
    for id in ["4111111111111111", "ghp_0123456789abcdefghijABCDEFGHIJ012345"] {
        let message = format!("of {}", &id[..4]);
        store(&project, &[with(entry(0, &message), &json!({"trace_id": id, "span_id": id}))]);
        let event = project.digest(&error(now() - 60_000, &json!(id)));
        assert_eq!(event["trace_id"], id);
        let list = around(&project, &event, "");
        assert_eq!(messages(&list), [message]);
        assert_eq!((&list["logs"][0]["trace_id"], &list["logs"][0]["span_id"]), (&json!(id), &json!(id)));
    }
}

#[test]
fn an_event_without_a_trace_or_entries_has_none() {
    let project = Project::new();
    store(&project, &[entry(0, "without"), with(entry(1, "with"), &json!({"trace_id": "t"}))]);
    for trace in [Value::Null, json!(""), json!("another")] {
        let event = project.digest(&error(now() - 60_000, &trace));
        let list = around(&project, &event, "");
        assert_eq!((&list["logs"], &list["total"]), (&json!([]), &json!(0)), "{trace}");
    }
    let unknown = format!("/api/v1/events/nope/logs?project_id={}", project.id);
    project.owner.get(&unknown).send().refuse(404, "");
}

#[test]
fn only_people_who_may_read_the_project_see_it() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let event = project.digest(&error(now(), &json!("t")));
    let path = format!("/api/v1/events/{}/logs", encoded(event["event_id"].as_str().unwrap()));
    project.world.bearer(&project.key_for(&["read"])).get(&path).send().expect(200);
    project.world.bearer(&project.key_for(&["ingest"])).get(&path).send().refuse(403, "");
    project.world.bearer(&other.key_for(&["read"])).get(&path).send().refuse(404, "");
    project.world.anonymous().get(&path).send().refuse(401, "");
}

#[test]
fn the_errors_of_a_trace_are_listed_the_newest_first() {
    let (project, other) = (Project::new(), Project::named("Other"));
    let time = now() - 60_000;
    let first = project.digest(&error(time, &json!("Trace")));
    let second = project.digest(&error(time + 1, &json!("Trace")));
    project.digest(&error(time, &json!("Trace2")));
    other.digest(&error(time, &json!("Trace")));
    let list = project.owner.get(&project.path("/traces/Trace/errors")).send().expect(200);
    let ids: Vec<_> =
        list["errors"].as_array().unwrap().iter().map(|event| event["event_id"].clone()).collect();
    assert_eq!(ids, [second["event_id"].clone(), first["event_id"].clone()], "{list}");
    assert_eq!(list["has_more"], false);
    let none = project.owner.get(&project.path("/traces/nope/errors")).send().expect(200);
    assert_eq!(none, json!({"errors": [], "has_more": false}));
}
