//! `GET …/issues/{issue_id}/tags`.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

#[test]
fn tags_of_events_are_counted() {
    let project = Project::new();
    for (locale, user, release) in [("de", "u1", "1"), ("de", "u2", "1"), ("fr", "u1", "2")] {
        project
            .accept(&json!({"message": "x", "tags": {"locale": locale, "beta": true}, "user": {"id": user},
            "account": {"id": "a", "name": "Initech"}, "release": release, "environment": "staging"}));
    }
    project.digest(&json!({"message": "x"}));
    let issue = project.issue();
    let tags = project.owner.get(&format!("{}/tags", project.issue_path(&issue))).send().expect(200);
    let tag = |key: &str| -> Value {
        let list = tags["tags"].as_array().unwrap();
        list.iter().find(|tag| tag["key"] == key).unwrap_or_else(|| panic!("{key}: {tags}")).clone()
    };
    assert_eq!(tags["total"], tags["tags"].as_array().unwrap().len());
    let locale = tag("locale");
    assert_eq!(
        (&locale["total"], &locale["unique"], &locale["is_full"]),
        (&json!(3), &json!(2), &json!(false))
    );
    assert_eq!((&locale["values"][0]["value"], &locale["values"][0]["count"]), (&json!("de"), &json!(2)));
    assert_eq!((&locale["values"][1]["value"], &locale["values"][1]["count"]), (&json!("fr"), &json!(1)));
    assert!(
        locale["values"][0]["first_seen"].as_str().unwrap()
            <= locale["values"][0]["last_seen"].as_str().unwrap()
    );
    assert_eq!((&tag("beta")["values"][0]["value"], &tag("beta")["total"]), (&json!("true"), &json!(3)));
    assert_eq!(
        (&tag("user")["unique"], &tag("account")["unique"], &tag("release")["unique"]),
        (&json!(2), &json!(1), &json!(2))
    );
    assert_eq!((&tag("environment")["total"], &tag("environment")["unique"]), (&json!(4), &json!(2)));
}

#[test]
fn contexts_come_after_the_tags() {
    let project = Project::new();
    project.digest(&json!({"message": "x", "tags": {"zone": "a"}, "user": {"id": "u"},
        "contexts": {"os": {"name": "Linux", "kernel": "6.1"}, "app": {"app_version": "2"}}}));
    let issue = project.issue();
    let tags = project.owner.get(&format!("{}/tags", project.issue_path(&issue))).send().expect(200);
    let keys: Vec<&str> =
        tags["tags"].as_array().unwrap().iter().map(|tag| tag["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["environment", "zone", "user", "contexts.app.app_version", "contexts.os.name"]);
}

#[test]
fn a_tag_that_is_named_like_something_else_is_told_apart_by_its_facet() {
    let project = Project::new();
    project.digest(&json!({"message": "x", "environment": "staging", "contexts": {"os": {"name": "Linux"}},
        "tags": {"environment": "blue", "contexts.os.name": "mine", "user": "none"}}));
    let issue = project.issue();
    let tags = project.owner.get(&format!("{}/tags", project.issue_path(&issue))).send().expect(200);
    let told: Vec<[&str; 3]> = tags["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| {
            [&tag["key"], &tag["facet"], &tag["values"][0]["value"]].map(|text| text.as_str().unwrap())
        })
        .collect();
    assert_eq!(
        told,
        [
            ["environment", "environment", "staging"],
            ["contexts.os.name", "tag.contexts.os.name", "mine"],
            ["environment", "tag.environment", "blue"],
            ["user", "tag.user", "none"],
            ["contexts.os.name", "contexts.os.name", "Linux"],
        ]
    );
    for [_, facet, value] in told {
        let path = format!("{}/events?facet={facet}:{value}", project.issue_path(&issue));
        let events = project.owner.get(&path).send().expect(200);
        assert_eq!(events["events"].as_array().unwrap().len(), 1, "{facet}");
    }
}

#[test]
fn the_newest_releases_of_an_issue_are_told_however_often_each_was_seen() {
    let project = Project::new();
    let now = Timestamp::now();
    let event = |release: i64| {
        let at = now - SignedDuration::from_mins(60 - release);
        json!({"message": "x", "release": format!("1.{release}"), "timestamp": format!("{at:.3}")})
    };
    // Each of the older ones twice, the newest once.
    for release in (0..22).flat_map(|release| [release, release]) {
        project.accept(&event(release));
    }
    project.digest(&event(22));
    let issue = project.issue();
    let tags = project.owner.get(&format!("{}/tags", project.issue_path(&issue))).send().expect(200);
    let releases = tags["tags"].as_array().unwrap().iter().find(|tag| tag["key"] == "release").unwrap();
    assert_eq!(releases["unique"], 23);
    let told: Vec<&str> =
        releases["values"].as_array().unwrap().iter().map(|value| value["value"].as_str().unwrap()).collect();
    let newest: Vec<String> = (3..=22).rev().map(|release| format!("1.{release}")).collect();
    assert_eq!(told, newest);
}
