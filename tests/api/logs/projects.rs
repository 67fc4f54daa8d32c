//! Entries of another project are never shown, and those of a deleted project are gone.

use super::{entry, iso, now, read, store, total, with};
use crate::support::{Project, Value, eventually, json};

/// Every route that shows entries, with a query that matches entries of both projects.
const ROUTES: [&str; 12] = [
    "/logs",
    "/logs?search=shared",
    "/logs?trace_id=shared-trace",
    "/logs?search=user:shared%20OR%20level:info%20OR%20-x",
    "/logs/histogram",
    "/logs/templates",
    "/logs/fields",
    "/logs/fields?field=user",
    "/logs/fields?field=attributes.shared",
    "/logs/fields?field=trace",
    "/logs/export",
    "/logs/export?search=shared",
];

fn marked(at: i64, mark: &str) -> Value {
    let attributes = json!({"shared": format!("canary-{mark}"), format!("canary-{mark}-field"): 1});
    let fields = json!({"trace_id": "shared-trace", "user": {"id": "shared", "email": format!("canary-{mark}")},
        "template": format!("shared canary-{mark}"), "attributes": attributes});
    with(entry(at, &format!("shared words canary-{mark}")), &fields)
}

#[test]
fn entries_of_another_project_never_show() {
    let (mine, theirs) = (Project::new(), Project::named("Theirs"));
    // Neighbours in the index: the same words, traces and moments.
    for round in 0..3 {
        store(&mine, &[marked(round, "mine"), marked(round + 1, "mine")]);
        store(&theirs, &[marked(round, "theirs"), marked(round + 1, "theirs")]);
    }
    for (project, stranger) in [(&mine, "canary-theirs"), (&theirs, "canary-mine")] {
        for route in ROUTES {
            let answer = project.owner.get(&project.path(route)).send();
            assert_eq!(answer.status(), 200, "{route}");
            assert!(!answer.text().contains(stranger), "{route}: {}", answer.text());
        }
        assert_eq!(total(project, "?search=shared"), 6);
        assert_eq!(total(project, &format!("?search={stranger}")), 0);
        assert_eq!(read(project, "/histogram?search=shared")["total"], 6);
        let values = read(project, "/fields?field=user")["values"].clone();
        assert!(values.as_array().unwrap().contains(&json!({"value": "shared", "count": 6})), "{values}");
        let id = read(project, "?limit=1")["logs"][0]["id"].clone();
        let context = read(project, &format!("/context?id={id}&before=100&after=100"));
        assert!(!context.to_string().contains(stranger), "{context}");
        assert_eq!(
            context["before"].as_array().unwrap().len() + context["after"].as_array().unwrap().len(),
            5
        );
    }
    let id = read(&mine, "?limit=1")["logs"][0]["id"].clone();
    theirs.owner.get(&theirs.path(&format!("/logs/context?id={id}"))).send().refuse(404, "");
}

#[test]
fn a_key_that_reads_may_and_one_that_sends_may_not() {
    let project = Project::new();
    store(&project, &[entry(0, "x")]);
    let id = read(&project, "")["logs"][0]["id"].clone();
    let routes = [
        "/logs".to_owned(),
        "/logs/histogram".into(),
        "/logs/templates".into(),
        "/logs/fields".into(),
        "/logs/export".into(),
        format!("/logs/context?id={id}"),
        "/traces/t/errors".into(),
    ];
    let client = |scope: &str| project.world.bearer(&project.key_for(&[scope]));
    let (reads, sends, uploads) = (client("read"), client("ingest"), client("releases"));
    for route in &routes {
        let path = project.path(route);
        assert_eq!(reads.get(&path).send().status(), 200, "{route}");
        sends.get(&path).send().refuse(403, "");
        uploads.get(&path).send().refuse(403, "");
        project.world.anonymous().get(&path).send().refuse(401, "");
        reads.get(&project.other().path(route)).send().refuse(403, "");
    }
    let tail = project.path("/logs/tail");
    sends.get(&tail).send().refuse(403, "");
    project.world.anonymous().get(&tail).send().refuse(401, "");
}

#[test]
fn with_a_project_its_entries_end() {
    let (project, other) = (Project::new(), Project::named("Other"));
    store(&project, &[marked(0, "gone"), marked(1, "gone")]);
    store(&other, &[marked(0, "kept")]);
    let range = format!("?start_time={}", iso(now() - 3_600_000));
    assert_eq!(total(&project, &range), 2);
    project.owner.delete(&project.path("")).send().expect(204);
    for route in ["/logs", "/logs/histogram", "/logs/export", "/logs/fields?field=user", "/logs/tail"] {
        project.owner.get(&project.path(route)).send().refuse(403, "");
    }
    let body = project.with_key(&json!({"logs": [entry(0, "late")]}));
    let late = eventually("the key to end", || {
        let answer = project.world.anonymous().post("/api/v1/logs/batch").json(&body).send();
        (answer.status() == 401).then_some(answer)
    });
    late.refuse(401, "Invalid API key");
    assert_eq!(total(&other, &range), 1);
    store(&other, &[marked(1, "kept")]);
}
