//! Which messages a stream sends, and how often.

use super::{named, names, until_counted, watch};
use crate::support::{Project, Stream, json};
use std::time::Instant;

#[test]
fn a_new_event_is_sent_with_its_issue() {
    let project = Project::new();
    let mut stream = watch(&project);
    let header = |name: &str| stream.header(name).map(str::to_owned);
    assert_eq!(header("content-type").as_deref(), Some("text/event-stream"));
    assert_eq!(header("cache-control").as_deref(), Some("no-store"));
    assert_eq!(header("x-accel-buffering").as_deref(), Some("no"));
    let event = project.digest(&json!({"message": "one"}));
    let told = until_counted(&mut stream, 1);
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0].event, "issue");
    assert_eq!(told[0].data, json!({"ids": [event["issue_id"]], "more": false}));
    assert_eq!(told[1].event, "event");
    let latest = json!({"event_id": event["event_id"], "issue_id": event["issue_id"]});
    assert_eq!(told[1].data, json!({"count": 1, "latest": latest}));
}

#[test]
fn an_issue_in_a_message_can_be_read() {
    let project = Project::new();
    let mut stream = watch(&project);
    let id = project.accept(&json!({"message": "one"}));
    until_counted(&mut stream, 1);
    let path = format!("/api/v1/events/{id}?project_id={}", project.id);
    project.owner.get(&path).send().expect(200);
}

#[test]
fn each_kind_of_change_of_an_issue_is_sent() {
    let project = Project::new();
    let mut stream = watch(&project);
    let first = project.digest(&json!({"message": "first"}))["issue_id"].clone();
    let second = project.digest(&json!({"message": "second"}))["issue_id"].clone();
    // They can be read slightly before their messages are sent.
    until_counted(&mut stream, 2);
    let path = project.path(&format!("/issues/{first}"));
    for change in [
        json!({"status": "resolved"}),
        json!({"assignee": project.world.owner_id}),
        json!({"priority": "low"}),
    ] {
        project.owner.patch(&path).json(&change).send().expect(200);
        stream.until("the change", |message| names(message, &first));
    }
    let both = json!({"ids": [first, second, 999_999], "status": "ignored"});
    project.owner.patch(&project.path("/issues")).json(&both).send().expect(200);
    let told = stream.until("the bulk change", |message| message.data["ids"] == json!([first, second]));
    assert_eq!(told.last().unwrap().data["more"], false);
    project.owner.delete(&path).send().expect(204);
    let told = stream.until("the deletion", |message| names(message, &first));
    assert!(told.iter().all(|message| message.event == "issue"), "no event came: {told:?}");
}

#[test]
fn requests_that_change_nothing_send_nothing() {
    let project = Project::new();
    let mut stream = watch(&project);
    let issue = project.digest(&json!({"message": "x"}))["issue_id"].clone();
    until_counted(&mut stream, 1);
    let unknown = project.path("/issues/999999");
    project.owner.patch(&unknown).json(&json!({"status": "resolved"})).send().refuse(404, "");
    project.owner.delete(&unknown).send().refuse(404, "");
    let nobody = json!({"assignee": 999_999});
    project.owner.patch(&project.path(&format!("/issues/{issue}"))).json(&nobody).send().refuse(422, "");
    // The same event again is not new.
    let again = json!({"event_id": "sent twice", "message": "again"});
    project.digest(&again);
    until_counted(&mut stream, 1);
    project.accept(&again);
    project.digest(&json!({"message": "after"}));
    let told = until_counted(&mut stream, 1);
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn many_events_make_few_messages_and_all_are_counted() {
    let project = Project::new();
    let mut stream = watch(&project);
    let start = Instant::now();
    let mut ids = Vec::new();
    for number in 0..100 {
        ids.push(project.accept(&json!({"message": format!("kind {}", ["a", "b", "c"][number % 3])})));
    }
    let told = until_counted(&mut stream, 100);
    // One message at once, then one every quarter of a second, of two kinds each.
    let most = 2 * (start.elapsed().as_millis() / 250 + 1) as usize;
    assert!(told.len() <= most, "{} messages, at most {most}: {told:?}", told.len());
    assert_eq!(named(&told).len(), 3);
    assert_eq!(told.last().unwrap().data["latest"]["event_id"], json!(ids.last().unwrap()));
}

#[test]
fn a_message_says_that_more_issues_changed_than_it_names() {
    let project = Project::new();
    let mut ids = Vec::new();
    for number in 0..101 {
        let message = ["alpha", "beta", "gamma"][number % 3].repeat(number / 3 + 1);
        ids.push(json!({"message": message, "fingerprint": [number.to_string()]}));
    }
    let batch: Vec<_> = ids.iter().map(|event| project.with_key(event)).collect();
    for part in batch.chunks(100) {
        let path = "/api/v1/errors/batch";
        project.world.anonymous().post(path).json(&json!(part)).send().expect(202);
    }
    project.digest(&json!({"message": "the last"}));
    let list = |page: &str| project.issues(page)["issues"].as_array().unwrap().clone();
    let mut all: Vec<_> = list("?limit=100").iter().map(|issue| issue["id"].clone()).collect();
    all.extend(list("?limit=100&offset=100").iter().map(|issue| issue["id"].clone()));
    assert_eq!(all.len(), 102);
    let mut stream = watch(&project);
    let change = json!({"ids": all, "status": "resolved"});
    project.owner.patch(&project.path("/issues")).json(&change).send().expect(200);
    // The message about the last event may be sent after the stream began.
    let told =
        stream.until("the bulk change", |message| message.event == "issue" && message.data["more"] == true);
    assert_eq!(told.last().unwrap().data["ids"].as_array().unwrap().len(), 100);
}

#[test]
fn another_projects_events_never_show() {
    let (mine, theirs) = (Project::new(), Project::named("Theirs"));
    let mut stream = watch(&mine);
    for _ in 0..5 {
        theirs.digest(&json!({"message": "theirs"}));
        theirs.change(&theirs.issue(), &json!({"priority": "low"}));
    }
    let issue = mine.digest(&json!({"message": "mine"}))["issue_id"].clone();
    let told = until_counted(&mut stream, 1);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(names(&told[0], &issue));
}

#[test]
fn two_watchers_get_the_same_messages() {
    let project = Project::new();
    let mut streams: Vec<Stream> = (0..3).map(|_| watch(&project)).collect();
    project.digest(&json!({"message": "one"}));
    let told: Vec<_> = streams.iter_mut().map(|stream| until_counted(stream, 1)).collect();
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0], told[2]);
}
