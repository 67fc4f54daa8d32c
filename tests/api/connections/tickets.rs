//! Tickets that are made from issues.

use super::host::connected;
use super::{connect, given, open, path, told};
use crate::support::outside::{Outside, TOKEN};
use crate::support::{Project, Value, eventually, json};

/// A connection of this kind, and where its tickets go.
pub(super) fn of_kind(project: &Project, outside: &Outside, kind: &str) -> (Value, Value) {
    let (made, place) = match kind {
        "github" => (connected(project, outside), "acme/shop"),
        "linear" => (connect(project, &given(outside, kind)), "team-1"),
        "gitlab" => (connect(project, &given(outside, kind)), "1"),
        "gitea" => (connect(project, &given(outside, kind)), "acme/shop"),
        _ => (connect(project, &given(outside, kind)), "10"),
    };
    (made["id"].clone(), json!({"id": place, "name": "Shop"}))
}

fn tickets(project: &Project, issue: &str) -> Vec<Value> {
    let list = project.owner.get(&format!("{issue}/tickets")).send().expect(200);
    list["tickets"].as_array().unwrap().clone()
}

/// Kinds of connections that have tickets, and the key of the first one in each.
pub(super) const TRACKERS: [(&str, &str); 5] = [
    ("github", "acme/shop#1"),
    ("gitlab", "acme/shop#1"),
    ("gitea", "acme/shop#1"),
    ("linear", "SHP-1"),
    ("jira", "SHOP-1"),
];

/// The only ticket of an issue, once it is no longer pending.
pub(super) fn ended(project: &Project, issue: &str) -> Value {
    eventually("the ticket", || tickets(project, issue).into_iter().find(|one| one["status"] != "pending"))
}

pub(super) fn thrown(project: &Project, message: &str) -> (Value, String) {
    let event = project.digest(&json!({"exception": {"type": "TypeError", "message": message}}));
    let path = project.path(&format!("/issues/{}", event["issue_id"]));
    (event["issue_id"].clone(), path)
}

pub(super) fn kinds(project: &Project, issue: &str) -> Vec<String> {
    let list = project.owner.get(&format!("{issue}/activity")).send().expect(200);
    list["activity"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_ticket_is_made_followed_and_closed_in_each_tracker() {
    for (kind, key) in TRACKERS {
        let outside = Outside::start();
        let project = open(&outside);
        let admin = project.world.admin().client;
        let (connection, place) = of_kind(&project, &outside, kind);
        let one = format!("{}/{}", path(&project), connection.as_str().unwrap());
        project.owner.patch(&one).json(&json!({"on_resolve": "close"})).send().expect(200);
        let (id, issue) = thrown(&project, "Cart is undefined");
        let body = json!({"connection_id": connection, "destination": place, "note": "Please look."});
        let made = project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
        assert_eq!((&made["status"], &made["key"]), (&json!("pending"), &Value::Null));
        let ticket = ended(&project, &issue);
        assert_eq!((&ticket["status"], &ticket["key"]), (&json!("open"), &json!(key)), "{ticket}");
        let there = &outside.made()[0];
        assert!(
            there.title.starts_with("SHOP-1: ") && there.title.contains("Cart is undefined"),
            "{there:?}"
        );
        let link = format!("/projects/{}/issues/{id}#", project.id);
        assert!(there.text.starts_with("Please look.") && there.text.contains(&link), "{there:?}");
        assert!(there.text.contains("Events:  1"), "{there:?}");

        let check = format!("{issue}/tickets/{}/check", ticket["id"]);
        let check = || project.owner.post(&check).json(&json!({})).send().expect(200)["status"].clone();
        assert_eq!(check(), "open");
        outside.close(1, true);
        assert_eq!(check(), "closed");
        outside.close(1, false);
        assert_eq!(check(), "open");
        let seen = kinds(&project, &issue);
        assert_eq!(seen[..3], ["ticket_reopened", "ticket_closed", "ticket_created"]);

        project.change(&json!({"id": id}), &json!({"status": "resolved"}));
        eventually("the ticket is closed", || outside.made()[0].is_closed.then_some(()));
        eventually("it is known", || (tickets(&project, &issue)[0]["status"] == "closed").then_some(()));
        let comments = &outside.made()[0].comments;
        assert_eq!(comments.len(), 1, "{comments:?}");
        assert!(comments[0].1.contains("SHOP-1 was resolved in Mayday") && comments[0].1.contains(&link));
        assert_eq!(kinds(&project, &issue)[0], "resolved", "what Mayday closed is no news");

        outside.remove(1);
        assert_eq!(check(), "gone");
        let told = told(&admin, 2);
        assert_eq!(told[0]["title"], format!("{key} was created from SHOP-1"));
        let repository = if matches!(kind, "linear" | "jira") { "Shop" } else { "acme/shop" };
        let metadata = json!({"integration_type": kind, "status": "created", "repository": repository});
        assert_eq!(told[0]["notification_metadata"], metadata);
        project.owner.delete(&format!("{issue}/tickets/{}", ticket["id"])).send().expect(204);
        assert!(tickets(&project, &issue).is_empty());
    }
}

#[test]
fn a_ticket_is_made_in_a_jira_of_ones_own() {
    let outside = Outside::start();
    let project = open(&outside);
    let mut body = given(&outside, "jira");
    body.as_object_mut().unwrap().remove("email");
    let connection = connect(&project, &body)["id"].clone();
    let (_, issue) = thrown(&project, "Cart is undefined");
    let body = json!({"connection_id": connection, "destination": {"id": "10", "name": "Shop"}});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
    assert_eq!(ended(&project, &issue)["key"], "SHOP-1");
    let asked = outside.asked();
    let searched = asked.iter().find(|one| one.path.starts_with("/rest/api/2/search?"));
    assert_eq!(searched.unwrap().headers["authorization"], format!("Bearer {TOKEN}"));
}

#[test]
fn no_line_of_a_ticket_is_a_command_of_gitlab() {
    let outside = Outside::start();
    let project = open(&outside);
    let (connection, place) = of_kind(&project, &outside, "gitlab");
    let event = project.digest(&json!({"message": "/assign @ada ```"}));
    let issue = project.path(&format!("/issues/{}", event["issue_id"]));
    let body =
        json!({"connection_id": connection, "destination": place, "title": "/close", "note": "/close"});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
    assert_eq!(ended(&project, &issue)["status"], "open");
    let text = outside.made()[0].text.clone();
    assert!(text.starts_with("\\/close\n") && text.contains("\n /assign @ada ```\n"), "{text}");
}

#[test]
fn settings_decide_what_is_written_on_a_ticket() {
    let outside = Outside::start();
    let project = open(&outside);
    for told in ["nothing", "comment"] {
        let (connection, place) = of_kind(&project, &outside, "linear");
        let one = format!("{}/{}", path(&project), connection.as_str().unwrap());
        project.owner.patch(&one).json(&json!({"on_resolve": told, "destination": place})).send().expect(200);
        let (id, issue) = thrown(&project, told);
        let body = json!({"connection_id": connection, "title": format!("My {told}")});
        project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
        assert_eq!(ended(&project, &issue)["status"], "open");
        project.change(&json!({"id": id}), &json!({"status": "resolved"}));
    }
    eventually("the comment", || (outside.made()[1].comments.len() == 1).then_some(()));
    let made = outside.made();
    assert_eq!((made[0].title.as_str(), made[0].comments.len()), ("My nothing", 0));
    assert!(!made[0].is_closed && !made[1].is_closed);
}

#[test]
fn text_from_outside_is_escaped() {
    let outside = Outside::start();
    let project = open(&outside);
    let (connection, place) = of_kind(&project, &outside, "linear");
    let message = format!("a ``` [x](javascript:1) <b>\u{202e}\r\n# b {}", "é".repeat(10_000));
    let (_, issue) = thrown(&project, &message);
    let body = json!({"connection_id": connection, "destination": place});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
    assert_eq!(ended(&project, &issue)["status"], "open");
    let there = &outside.made()[0];
    assert!(there.title.chars().count() <= 251 && !there.title.contains(['\r', '\n', '\u{202e}']));
    assert!(there.text.starts_with("````text\n"), "{}", there.text);
    assert!(there.text.chars().count() < 10_000);
}

#[test]
fn an_issue_is_shared_in_a_chat_which_has_no_tickets() {
    let outside = Outside::start();
    let project = open(&outside);
    let chat = connect(&project, &given(&outside, "slack"))["id"].clone();
    let (id, issue) = thrown(&project, "a <!channel> & b");
    let share = |channel: &str| {
        let body = json!({"connection_id": chat, "destination": {"id": channel, "name": "#alerts"}});
        project.owner.post(&format!("{issue}/share")).json(&body).send()
    };
    share("C1").expect(204);
    let asked = outside.asked();
    let said = &asked.iter().find(|asked| asked.path == "/api/chat.postMessage").unwrap().body;
    let text = said["text"].as_str().unwrap();
    let end = format!("/projects/{}/issues/{id}|SHOP-1: ", project.id);
    assert!(text.contains(&end) && text.contains("a &lt;!channel&gt; &amp; b"), "{text}");
    share("C2").refuse(409, "channel_not_found");
    let body = json!({"connection_id": chat});
    project.owner.post(&format!("{issue}/share")).json(&body).send().refuse(422, "destination");
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().refuse(409, "chat");
    let body = json!({"connection_id": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().refuse(404, "connection");
    let foreign = project.other().path(&format!("/issues/{id}/tickets"));
    project.owner.post(&foreign).json(&json!({"connection_id": chat})).send().refuse(404, "issue");
}

#[test]
fn a_ticket_that_exists_is_attached_and_detached() {
    for (kind, reference, unknown) in [
        ("github", "https://github.example/acme/shop/issues/1#issuecomment-2", "acme/shop#9"),
        ("gitlab", "https://gitlab.example/acme/shop/-/issues/1#note_2", "acme/shop#9"),
        ("gitea", "https://gitea.example/acme/shop/issues/1", "acme/shop#9"),
        ("linear", "https://linear.example/acme/issue/SHP-1/the-cart", "SHP-9"),
        ("jira", "SHOP-1", "SHOP-9"),
    ] {
        let outside = Outside::start();
        let project = open(&outside);
        let (connection, place) = of_kind(&project, &outside, kind);
        let one = format!("{}/{}", path(&project), connection.as_str().unwrap());
        project.owner.patch(&one).json(&json!({"on_resolve": "close"})).send().expect(200);
        let (_, first) = thrown(&project, "Cart is undefined");
        let body = json!({"connection_id": connection, "destination": place});
        project.owner.post(&format!("{first}/tickets")).json(&body).send().expect(201);
        let made = ended(&project, &first);

        let (id, second) = thrown(&project, "Basket is null");
        let attach = |reference: &str| {
            let body = json!({"connection_id": connection, "reference": reference});
            project.owner.post(&format!("{second}/tickets/attach")).json(&body).send()
        };
        for wrong in ["", " ", "x", "https://evil.example/", unknown, &"9".repeat(2_049)] {
            attach(wrong).refuse(422, "reference");
        }
        let ticket = attach(reference).expect(201);
        for name in ["key", "title", "url", "state", "status", "destination"] {
            assert_eq!(ticket[name], made[name], "{kind}");
        }
        attach(reference).refuse(409, "already");
        assert_eq!(tickets(&project, &second), std::slice::from_ref(&ticket));
        let activity = project.owner.get(&format!("{second}/activity")).send().expect(200);
        assert_eq!(activity["activity"][0]["data"]["attached"], true);
        project.change(&json!({"id": id}), &json!({"status": "resolved"}));
        eventually("the ticket is closed", || outside.made()[0].is_closed.then_some(()));
        project.owner.delete(&format!("{second}/tickets/{}", ticket["id"])).send().expect(204);
        assert_eq!((tickets(&project, &second).len(), outside.made().len()), (0, 1));
    }
}

#[test]
fn an_address_of_another_server_is_not_attached() {
    let outside = Outside::start();
    let project = open(&outside);
    let (connection, place) = of_kind(&project, &outside, "github");
    let (_, issue) = thrown(&project, "Cart is undefined");
    let body = json!({"connection_id": connection, "destination": place});
    project.owner.post(&format!("{issue}/tickets")).json(&body).send().expect(201);
    ended(&project, &issue);
    let body = json!({"connection_id": connection, "reference": "https://git.example/acme/shop/issues/1"});
    project.owner.post(&format!("{issue}/tickets/attach")).json(&body).send().refuse(422, "another server");
}
