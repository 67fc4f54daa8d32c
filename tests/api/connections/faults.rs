//! Services that refuse, are slow or lie, and a server that dies in between.

use super::{connect, given, open, path};
use crate::support::outside::Outside;
use crate::support::{Project, Value, eventually, json};

fn create(project: &Project, connection: &Value) -> String {
    let event = project.digest(&Project::throw(None));
    let issue = project.path(&format!("/issues/{}", event["issue_id"]));
    let body = json!({"connection_id": connection, "destination": {"id": "team-1", "name": "Shop"}});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
    issue
}

fn first(project: &Project, issue: &str) -> Value {
    project.owner.get(&format!("{issue}/tickets")).send().expect(200)["tickets"][0].clone()
}

#[test]
fn a_ticket_that_was_made_when_the_server_died_is_not_made_again() {
    let outside = Outside::start();
    let project = open(&outside);
    let connection = connect(&project, &given(&outside, "linear"))["id"].clone();
    outside.hold(true);
    let issue = create(&project, &connection);
    eventually("the ticket is made there", || (outside.made().len() == 1).then_some(()));
    assert_ne!(first(&project, &issue)["status"], "failed");
    let Project { world, id, .. } = project;
    let world = std::sync::Arc::into_inner(world).expect("the only one").kill_and_restart();
    outside.hold(false);
    let list = || {
        let path = format!("/api/v1/projects/{id}{}/tickets", &issue[issue.find("/issues").unwrap()..]);
        world.owner.get(&path).send().expect(200)["tickets"][0].clone()
    };
    let ticket = eventually("the ticket is known", || Some(list()).filter(|one| one["status"] == "open"));
    assert_eq!(ticket["key"], "SHP-1");
    assert_eq!(outside.made().len(), 1);
}

#[test]
fn a_permanent_refusal_is_shown_on_the_ticket() {
    let outside = Outside::start();
    let project = open(&outside);
    let connection = connect(&project, &given(&outside, "linear"))["id"].clone();
    for (head, body, says) in [
        ("403 X", r#"{"message": "no"}"#, "Linear answered 403: no"),
        ("200 X", "[]", "Linear answered without the data that was asked for"),
        ("302 X\r\nlocation: http://169.254.169.254/", "", "redirects are not followed"),
        ("200 X", "bytes: 100000000", "more than"),
    ] {
        outside.fault(Some((head, body)));
        let issue = create(&project, &connection);
        let ticket = eventually("the ticket fails", || {
            Some(first(&project, &issue)).filter(|one| one["status"] == "failed")
        });
        let reason = ticket["reason"].as_str().unwrap();
        assert!(reason.contains(says), "{head}: {reason}");
        project.owner.delete(&format!("{issue}/tickets/{}", ticket["id"])).send().expect(204);
        outside.fault(None);
    }
}

#[test]
fn temporary_errors_are_retried_later() {
    let outside = Outside::start();
    let project = open(&outside);
    let connection = connect(&project, &given(&outside, "linear"))["id"].clone();
    outside.fault(Some(("429 X\r\nretry-after: 3000", r#"{"message": "slow down"}"#)));
    let issue = create(&project, &connection);
    let waiting = eventually("the first attempt", || {
        Some(first(&project, &issue)).filter(|one| !one["reason"].is_null())
    });
    assert_eq!(
        (&waiting["status"], &waiting["reason"]),
        (&json!("pending"), &json!("Linear answered 429: slow down"))
    );
    // Once its connection is deleted, it is not created any more.
    let one = format!("{}/{}", path(&project), connection.as_str().unwrap());
    project.owner.delete(&one).send().expect(204);
    let ticket = first(&project, &issue);
    assert_eq!((&ticket["status"], &ticket["connection_id"]), (&json!("failed"), &Value::Null));
    assert!(outside.made().is_empty());
}
