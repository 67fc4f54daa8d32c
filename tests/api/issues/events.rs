//! `GET …/issues/{issue_id}/events`.

use super::counts::hours_ago;
use crate::support::project::encoded;
use crate::support::{Project, Response, Value, json};

/// A project with one issue of events from `0`, the newest, one an hour back; `describe` adds what each carries.
fn with_events(count: i64, describe: impl Fn(i64) -> Value) -> (Project, String) {
    let project = Project::new();
    for number in (0..count).rev() {
        let mut event =
            json!({"event_id": number.to_string(), "message": "x", "timestamp": hours_ago(number)});
        event.as_object_mut().unwrap().extend(describe(number).as_object().unwrap().clone());
        project.accept(&event);
    }
    project.event("0");
    let path = format!("{}/events", project.issue_path(&project.issue()));
    (project, path)
}

fn list(project: &Project, path: &str, query: &str) -> Response {
    project.owner.get(&format!("{path}{query}")).send()
}

fn ids(answer: &Value) -> Vec<&str> {
    let events = answer["events"].as_array().unwrap();
    events.iter().map(|event| event["event_id"].as_str().unwrap()).collect()
}

#[test]
fn events_are_listed_the_newest_first() {
    let (project, path) = with_events(
        3,
        |_| json!({"user": {"id": "u"}, "release": "1", "trace_id": "t", "url": "https://shop.example/"}),
    );
    let all = list(&project, &path, "").expect(200);
    assert_eq!(ids(&all), ["0", "1", "2"]);
    assert_eq!((&all["total"], &all["has_more"], &all["next"]), (&json!(3), &json!(false), &Value::Null));
    let page = list(&project, &path, "?limit=1&offset=1").expect(200);
    assert_eq!((ids(&page), &page["has_more"]), (vec!["1"], &json!(true)));
    let first = &all["events"][0];
    assert_eq!((&first["title"], &first["user"]["id"]), (&json!("x"), &json!("u")));
    assert_eq!((&first["release"], &first["trace_id"]), (&json!("1"), &json!("t")));
}

#[test]
fn pages_continue_before_the_last_event_of_the_previous_page() {
    let (project, path) = with_events(5, |_| json!({}));
    let first = list(&project, &path, "?limit=2").expect(200);
    assert_eq!(
        (ids(&first), &first["next"], &first["has_more"]),
        (vec!["0", "1"], &json!("1"), &json!(true))
    );
    let second = list(&project, &path, "?limit=2&before=1").expect(200);
    assert_eq!((ids(&second), &second["next"], &second["total"]), (vec!["2", "3"], &json!("3"), &json!(5)));
    let last = list(&project, &path, "?limit=2&before=3").expect(200);
    assert_eq!((ids(&last), &last["next"], &last["has_more"]), (vec!["4"], &Value::Null, &json!(false)));
}

#[test]
fn events_with_a_value_are_found_and_counted() {
    let (project, path) = with_events(6, |number| {
        let even = number % 2 == 0;
        json!({
            "environment": if even { "staging" } else { "production" },
            "release": if even { "1.0 \"beta\"" } else { "2.0" },
            "user": {"id": format!("u{}", number % 3), "email": format!("u{}@shop.example", number % 3)},
            "account": {"id": "acme", "name": format!("Acme {}", number % 2)},
            "tags": {"locale": if even { "de:AT" } else { "fr" }, "number": number},
            "contexts": {"os": {"name": if even { "Linux" } else { "iOS" }}, "device": {"model": "X"}},
        })
    });
    for (facet, wanted) in [
        ("environment:staging", vec!["0", "2", "4"]),
        ("release:1.0 \"beta\"", vec!["0", "2", "4"]),
        ("user:u1", vec!["1", "4"]),
        ("user:u1@shop.example", vec!["1", "4"]),
        ("account:acme", vec!["0", "1", "2", "3", "4", "5"]),
        ("tag.locale:de:AT", vec!["0", "2", "4"]),
        ("tag.number:3", vec!["3"]),
        ("tag.locale:FR", vec![]),
        ("tag.environment:staging", vec![]),
        ("tag.unheard:of", vec![]),
        ("contexts.os.name:Linux", vec!["0", "2", "4"]),
        ("contexts.device.model:X", vec!["0", "1", "2", "3", "4", "5"]),
        ("contexts.device.family:X", vec![]),
    ] {
        let found = list(&project, &path, &format!("?facet={}", encoded(facet))).expect(200);
        assert_eq!(ids(&found), wanted, "{facet}");
        assert_eq!(found["total"], wanted.len(), "{facet}");
        assert_eq!((&found["has_more"], &found["next"]), (&json!(false), &Value::Null), "{facet}");
    }
}

#[test]
fn pages_of_events_with_a_value_pass_over_the_others() {
    let (project, path) = with_events(7, |number| json!({"tags": {"parity": number % 2}}));
    let (mut seen, mut before) = (Vec::new(), String::new());
    loop {
        let page = list(&project, &path, &format!("?facet=tag.parity:0&limit=2{before}")).expect(200);
        assert_eq!(page["total"], 4);
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        assert_eq!(page["has_more"], page["next"].is_string());
        let Some(next) = page["next"].as_str() else { break };
        assert!(seen.len() <= 4, "{seen:?}");
        before = format!("&before={next}");
    }
    assert_eq!(seen, ["0", "2", "4", "6"]);
}

#[test]
fn events_of_another_issue_are_not_listed() {
    let (project, path) = with_events(2, |_| json!({"tags": {"locale": "de"}}));
    project.digest(&json!({"event_id": "other", "message": "y", "type": "message",
        "fingerprint": ["other"], "tags": {"locale": "de"}}));
    let found = list(&project, &path, "?facet=tag.locale:de").expect(200);
    assert_eq!((ids(&found), &found["total"]), (vec!["0", "1"], &json!(2)));
    list(&project, &path, "?before=other").refuse(422, "before: expected the id of an event of this issue");
}

#[test]
fn unknown_facets_and_pages_are_refused() {
    let (project, path) = with_events(1, |_| json!({}));
    let expected = "facet: expected environment:VALUE, release:VALUE, user:VALUE, account:VALUE, tag.NAME:VALUE, or \
                    NAME:VALUE where NAME is one of contexts.app.app_name, ";
    for facet in [
        "",
        "staging",
        "environment:",
        "tag.:x",
        "locale:de",
        "Environment:x",
        ":x",
        "contexts.state.route:x",
    ] {
        list(&project, &path, &format!("?facet={}", encoded(facet))).refuse(422, expected);
    }
    let long = format!("?facet=tag.locale:{}", "x".repeat(1_000));
    list(&project, &path, &long).refuse(422, "facet: expected at most 1000 characters, got 1011");
    list(&project, &path, "?before=unheard-of")
        .refuse(422, "before: expected the id of an event of this issue");
    for query in ["?facet=user:u&offset=1", "?before=0&offset=1"] {
        list(&project, &path, query).refuse(422, "offset: expected none with `facet` or `before`");
    }
    list(&project, &path, "?limit=101").refuse(422, "limit");
}
