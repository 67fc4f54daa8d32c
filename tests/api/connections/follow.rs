//! Issues that follow their tickets.

use super::tickets::{TRACKERS, ended, kinds, of_kind, thrown};
use super::{open, path};
use crate::support::outside::Outside;
use crate::support::{Project, Value, eventually, json};

/// An issue whose tickets have the numbers 1, 2, … in the tracker, and their connection.
struct Followed<'a> {
    project: &'a Project,
    outside: &'a Outside,
    connection: Value,
    place: Value,
    issue: String,
}

impl Followed<'_> {
    /// Makes one more ticket; its path.
    fn ticket(&self, title: &str) -> String {
        let body = json!({"connection_id": self.connection, "destination": self.place, "title": title});
        let made = self.project.owner.post(&format!("{}/tickets", self.issue)).json(&body).send().expect(201);
        let path = format!("{}/tickets/{}", self.issue, made["id"]);
        eventually("the ticket", || (self.check(&path) == "open").then_some(()));
        path
    }

    fn check(&self, ticket: &str) -> Value {
        self.project.owner.post(&format!("{ticket}/check")).json(&json!({})).send().expect(200)["status"]
            .clone()
    }

    /// Closes or opens the ticket in the tracker and fetches its state.
    fn turn(&self, ticket: &str, number: usize, is_closed: bool) {
        self.outside.close(number, is_closed);
        assert_eq!(self.check(ticket), if is_closed { "closed" } else { "open" });
    }

    fn status(&self) -> Value {
        self.project.owner.get(&self.issue).send().expect(200)["status"].clone()
    }

    fn newest(&self) -> Value {
        let list = self.project.owner.get(&format!("{}/activity", self.issue)).send().expect(200);
        list["activity"][0].clone()
    }
}

fn followed<'a>(project: &'a Project, outside: &'a Outside, kind: &str, settings: &Value) -> Followed<'a> {
    let (connection, place) = of_kind(project, outside, kind);
    let one = format!("{}/{}", path(project), connection.as_str().unwrap());
    let changed = project.owner.patch(&one).json(settings).send().expect(200);
    assert_eq!(changed["issues_follow"], settings["issues_follow"]);
    let (_, issue) = thrown(project, "Cart is undefined");
    Followed { project, outside, connection, place, issue }
}

#[test]
fn an_issue_follows_its_ticket_in_each_tracker_and_regresses_as_usual() {
    for (kind, key) in TRACKERS {
        let outside = Outside::start();
        let project = open(&outside);
        let one = followed(&project, &outside, kind, &json!({"issues_follow": true}));
        let ticket = one.ticket("x");
        one.turn(&ticket, 1, true);
        assert_eq!(one.status(), "resolved", "{kind}");
        let newest = one.newest();
        assert_eq!((&newest["kind"], &newest["user"]), (&json!("resolved"), &Value::Null));
        assert_eq!(newest["data"], json!({"ticket": key}));
        assert_eq!(outside.made()[0].comments.len(), 0, "what the tracker said first is not said to it");
        one.turn(&ticket, 1, false);
        assert_eq!(
            (one.status(), one.newest()["data"].clone()),
            (json!("unresolved"), json!({"ticket": key}))
        );
        one.turn(&ticket, 1, true);
        let (_, same) = thrown(&project, "Cart is undefined");
        assert_eq!((same, one.status()), (one.issue.clone(), json!("unresolved")), "it regressed");
        assert_eq!(
            (one.check(&ticket), one.status()),
            (json!("closed"), json!("unresolved")),
            "and stays so"
        );
        let seen = kinds(&project, &one.issue);
        assert_eq!(seen[..4], ["regressed", "resolved", "ticket_closed", "unresolved"], "{seen:?}");
    }
}

#[test]
fn an_issue_waits_for_its_last_ticket_and_stays_ignored() {
    let outside = Outside::start();
    let project = open(&outside);
    let one = followed(&project, &outside, "linear", &json!({"issues_follow": true, "on_resolve": "close"}));
    let (first, second) = (one.ticket("first"), one.ticket("second"));
    one.turn(&first, 1, true);
    assert_eq!(one.status(), "unresolved");
    one.turn(&second, 2, true);
    assert_eq!(one.status(), "resolved");
    one.turn(&first, 1, false);
    assert_eq!(one.status(), "unresolved");
    project.owner.patch(&one.issue).json(&json!({"status": "ignored"})).send().expect(200);
    one.turn(&first, 1, true);
    one.turn(&first, 1, false);
    assert_eq!(one.status(), "ignored");
    project.owner.patch(&one.issue).json(&json!({"status": "resolved"})).send().expect(200);
    eventually("Mayday closes it", || outside.made()[0].is_closed.then_some(()));
    eventually("it knows", || (one.check(&first) == "closed").then_some(()));
    assert_eq!((one.status(), one.newest()["kind"].clone()), (json!("resolved"), json!("resolved")));
}

#[test]
fn an_issue_follows_no_ticket_unless_the_connection_is_set_to() {
    let outside = Outside::start();
    let project = open(&outside);
    let one = followed(&project, &outside, "linear", &json!({"issues_follow": false}));
    let ticket = one.ticket("x");
    one.turn(&ticket, 1, true);
    assert_eq!((one.status(), one.newest()["kind"].clone()), (json!("unresolved"), json!("ticket_closed")));
    // A change by a person names no ticket.
    let body = json!({"status": "resolved", "ticket": "SHP-1"});
    project.owner.patch(&one.issue).json(&body).send().expect(200);
    assert_eq!(one.newest()["data"], json!({}));
    assert_eq!(ended(&project, &one.issue)["status"], "closed");
}
