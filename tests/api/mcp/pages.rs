//! Answers are short enough for a model.

use super::{next_cursor, object, parted, refused, told, with};
use crate::support::{Project, Value, eventually, json};
use std::collections::{BTreeMap, BTreeSet};

/// Every line of outside text in the answers of `tool`, page by page.
fn all_pages(project: &Project, tool: &str, arguments: &Value) -> (Vec<String>, usize) {
    let (mut lines, mut pages, mut arguments) = (Vec::new(), 0, arguments.clone());
    loop {
        let text = told(&project.owner, tool, &arguments);
        lines.extend(parted(&text).0.lines().map(str::to_owned));
        pages += 1;
        assert!(pages < 200, "{tool} does not end");
        let Some(cursor) = next_cursor(&text) else { return (lines, pages) };
        assert!(!text.contains("This is all."), "{text}");
        arguments["cursor"] = json!(cursor);
    }
}

/// The rows of a list of the results of `tool`, page by page.
fn all_rows(project: &Project, tool: &str, arguments: &Value, list: &str) -> Vec<Value> {
    let (mut rows, mut arguments) = (Vec::new(), arguments.clone());
    loop {
        let page = object(&project.owner, tool, &arguments);
        rows.extend(page[list].as_array().unwrap().clone());
        let Some(cursor) = page["next_cursor"].as_str() else { return rows };
        arguments["cursor"] = json!(cursor);
    }
}

/// How often each id after `what` occurs.
fn counted(lines: &[String], what: &str) -> BTreeMap<String, usize> {
    let ids = lines.iter().filter_map(|line| line.trim().strip_prefix(what)?.split([' ', ':']).next());
    ids.fold(BTreeMap::new(), |mut counts, id| {
        *counts.entry(id.to_owned()).or_default() += 1;
        counts
    })
}

#[test]
fn cursors_list_every_issue_once() {
    let project = Project::new();
    let long = "é".repeat(250);
    for number in 0..70 {
        let event = json!({"fingerprint": [number.to_string()], "message": format!("{number} {long}")});
        project.accept(&event);
    }
    eventually("all issues", || (project.issues("?limit=1")["total"] == 70).then_some(()));
    for limit in [7, 25, 100] {
        let arguments = json!({"project_id": project.id, "limit": limit});
        let (lines, pages) = all_pages(&project, "list_issues", &arguments);
        let counts = counted(&lines, "issue_id ");
        assert_eq!((counts.len(), counts.values().max()), (70, Some(&1)), "limit {limit}");
        assert!(pages >= 2, "limit {limit}: {pages}");
        let rows = all_rows(&project, "list_issues", &arguments, "issues");
        let ids: BTreeSet<i64> = rows.iter().map(|row| row["issue_id"].as_i64().unwrap()).collect();
        assert_eq!((rows.len(), ids.len()), (70, 70), "limit {limit}");
    }
}

#[test]
fn cursors_list_every_event_and_entry_once_while_more_arrive() {
    let project = Project::new();
    let event = project.digest(&json!({"message": "again"}));
    let ids: Vec<String> = (0..29).map(|_| project.accept(&json!({"message": "again"}))).collect();
    ids.iter().for_each(|id| drop(project.event(id)));
    let arguments = json!({"project_id": project.id, "issue_id": event["issue_id"], "limit": 4});
    let first = told(&project.owner, "list_events", &arguments);
    let last = counted(&parted(&first).0.lines().map(str::to_owned).collect::<Vec<_>>(), "event_id ");
    let cursor = next_cursor(&first).unwrap();
    assert!(last.keys().all(|id| !cursor.contains(id.as_str())), "an id is text from outside: {cursor}");
    project.digest(&json!({"message": "again"}));
    let rest = with(&arguments, &json!({"cursor": next_cursor(&first).unwrap()}));
    let (mut lines, pages) = all_pages(&project, "list_events", &rest);
    lines.extend(parted(&first).0.lines().map(str::to_owned));
    let counts = counted(&lines, "event_id ");
    assert_eq!((counts.len(), counts.values().max(), pages), (30, Some(&1), 7));

    let send = |from: i64, count: i64| {
        let entry = |number: i64| json!({"timestamp": 1_795_000_000 + number, "level": "info", "message": format!("n{number} is")});
        let logs = project.with_key(&json!({"logs": (from..from + count).map(entry).collect::<Vec<_>>()}));
        project.world.anonymous().post("/api/v1/logs/batch").json(&logs).send().expect(202);
        eventually("the entries", || {
            let total = &project.owner.get(&project.path("/logs?limit=1")).send().expect(200)["total"];
            (*total == from + count).then_some(())
        });
    };
    send(0, 30);
    let arguments = json!({"project_id": project.id, "limit": 8});
    let first = told(&project.owner, "search_logs", &arguments);
    send(30, 9);
    let rest = with(&arguments, &json!({"cursor": next_cursor(&first).unwrap()}));
    let (mut lines, _) = all_pages(&project, "search_logs", &rest);
    lines.extend(parted(&first).0.lines().map(str::to_owned));
    for number in 0..30 {
        let found = lines.iter().filter(|line| line.contains(&format!(": n{number} is"))).count();
        assert_eq!(found, 1, "entry {number}");
    }
    assert!(!lines.iter().any(|line| line.contains("n31 is")), "what arrived later moved the pages");
}

/// As much of everything as an event may have.
fn huge() -> Value {
    let long = "é".repeat(3_000);
    let frames: String = (0..200)
        .map(|line| format!("\n    at f{line}{} (https://a.example/{line}.js:1:1)", "x".repeat(100)))
        .collect();
    let mut exception = json!({"type": "Root", "message": long, "stack": format!("Root: x{frames}")});
    for depth in 0..5 {
        exception = json!({"type": format!("E{depth}"), "message": long, "stack": format!("E: x{frames}"), "cause": exception});
    }
    let crumbs: Vec<Value> =
        (0..100).map(|number| json!({"category": "ui", "message": format!("{number} {long}")})).collect();
    let tags: serde_json::Map<String, Value> =
        (0..40).map(|number| (format!("tag{number}"), json!("v".repeat(190)))).collect();
    json!({"exception": exception, "breadcrumbs": crumbs, "tags": tags, "extra": {"note": "n".repeat(6_000)}})
}

#[test]
fn a_huge_issue_stays_within_the_limit_and_all_of_its_event_can_be_read() {
    let project = Project::new();
    project.digest(&json!({"exception": {"type": "E4", "message": "alike", "stack": "E4: alike\n    at y (https://b.example/y.js:1:1)"}}));
    let event = project.digest(&huge());
    let ids = json!({"project_id": project.id, "issue_id": event["issue_id"]});
    let comments = project.path(&format!("/issues/{}/comments", event["issue_id"]));
    for _ in 0..10 {
        project.owner.post(&comments).json(&json!({"text": "c".repeat(9_000)})).send().expect(201);
    }
    let text = told(&project.owner, "get_issue", &ids);
    for part in
        ["## Tags", "## Comments", "## What happened just before", "which led to", "The rest was left out"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("E4") && text.contains("Root"), "{text}");
    let arguments = json!({"project_id": project.id, "event_id": event["event_id"]});
    let (lines, pages) = all_pages(&project, "get_event", &arguments);
    assert!(pages > 3, "{pages}");
    let crumbs = event["breadcrumbs"].as_array().unwrap().len();
    for number in [0, crumbs / 2, crumbs - 1] {
        let message = event["breadcrumbs"][number]["message"].as_str().unwrap();
        let start: String = message.chars().take(20).collect();
        assert_eq!(lines.iter().filter(|line| line.contains(&format!("ui: {start}"))).count(), 1, "{start}");
    }
    let rows = all_rows(&project, "get_event", &arguments, "breadcrumbs");
    let messages: Vec<&Value> = rows.iter().map(|row| &row["message"]).collect();
    let numbered = messages.iter().enumerate().all(|(number, text)| {
        let sent = event["breadcrumbs"][number]["message"].as_str().unwrap();
        text.as_str().unwrap().chars().take(20).eq(sent.chars().take(20))
    });
    assert!(messages.len() == crumbs && numbered, "{messages:?}");
    let fields = all_rows(&project, "get_event", &arguments, "fields");
    let note =
        fields.iter().filter(|row| row["path"] == "extra.note").map(|row| row["value"].as_str().unwrap());
    assert_eq!(note.collect::<String>(), event["extra"]["note"].as_str().unwrap());
    let frames = all_rows(&project, "get_event", &arguments, "frames");
    let sent = std::iter::successors(Some(&event["exception"]), |one| Some(&one["cause"]));
    let sent = sent.take_while(|one| one.is_object()).map(|one| one["frames"].as_array().unwrap().len());
    assert_eq!(frames.len(), sent.sum::<usize>());
    let left = object(&project.owner, "get_issue", &ids)["left_out"].clone();
    assert!(
        ["frames", "breadcrumbs", "comments"]
            .iter()
            .all(|name| left.as_array().unwrap().contains(&json!(name))),
        "{left}"
    );
    let far = with(&arguments, &json!({"cursor": "999999"}));
    refused(&project.owner, "get_event", &far, "cursor");
}
