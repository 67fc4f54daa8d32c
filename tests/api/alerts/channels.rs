//! `/api/v1/projects/{project_id}/alert-channels`.

use super::{Receiver, channel, open, webhook};
use crate::support::{Project, Value, json};

fn create(project: &Project, body: &Value) -> crate::support::Response {
    project.owner.post(&project.path("/alert-channels")).json(body).send()
}

#[test]
fn a_secret_is_shown_once_and_an_address_never() {
    let (project, receiver) = (open(), Receiver::start(&[]));
    let made = webhook(&project, &receiver);
    let secret = made["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_"), "{made}");
    assert_eq!(
        (&made["host"], &made["enabled"], &made["off_reason"]),
        (&json!("127.0.0.1"), &json!(true), &Value::Null)
    );
    let path = project.path("/alert-channels");
    let one = format!("{path}/{}", made["id"]);
    let list = project.owner.get(&path).send().expect(200);
    let shown = list.to_string();
    assert!(!shown.contains("whsec_") && !shown.contains("/hooks/a") && !shown.contains("secret"), "{list}");
    let kept = project.owner.patch(&one).json(&json!({"name": "Other"})).send().expect(200);
    assert_eq!((&kept["name"], &kept["secret"]), (&json!("Other"), &Value::Null));
    let rotated = project.owner.patch(&one).json(&json!({"rotate_secret": true})).send().expect(200);
    assert!(rotated["secret"].as_str().is_some_and(|new| new != secret), "{rotated}");
    project.owner.delete(&one).send().expect(204);
    project.owner.delete(&one).send().refuse(404, "");
    project.owner.patch(&one).json(&json!({"name": "x"})).send().refuse(404, "");
    let audit = project.world.audit("?action=alert_channel.");
    let acts: Vec<&str> = audit.iter().map(|one| one["action"].as_str().unwrap()).collect();
    assert_eq!(
        acts,
        ["alert_channel.deleted", "alert_channel.updated", "alert_channel.updated", "alert_channel.created"]
    );
}

#[test]
fn a_test_reports_its_result() {
    let (project, receiver) = (
        open(),
        Receiver::start(&["204 No Content", "404 Not Found", "302 Found\r\nlocation: http://127.0.0.1:1/"]),
    );
    let test = |id: &Value| {
        let path = project.path(&format!("/alert-channels/{id}/test"));
        project.owner.post(&path).json(&json!({})).send().expect(200)
    };
    let slack = channel(&project, &json!({"name": "Chat", "kind": "slack", "url": receiver.url}));
    assert_eq!(slack["secret"], Value::Null);
    assert_eq!(test(&slack["id"]), json!({"delivered": true, "reason": null}));
    let got = &receiver.got(1)[0];
    assert!(got.body()["text"].as_str().unwrap().contains("This is a test"), "{got:?}");
    assert_eq!(test(&slack["id"])["reason"], "the receiver answered 404: no such <thing>");
    let redirected = test(&slack["id"]);
    assert!(redirected["reason"].as_str().unwrap().contains("redirects are not followed"), "{redirected}");
    assert_eq!(receiver.count(), 3);
    let ntfy =
        channel(&project, &json!({"name": "Phone", "kind": "ntfy", "url": receiver.url, "token": "tk_1"}));
    assert_eq!(test(&ntfy["id"])["delivered"], true);
    let got = &receiver.got(4)[3];
    assert_eq!((got.path.as_str(), &got.body()["topic"]), ("/hooks", &json!("a")));
    assert_eq!(got.headers["authorization"], "Bearer tk_1");
    let template = json!({"msg": "{{project}}: {{title}}", "n": 1});
    let own = json!({"name": "Own", "kind": "template", "url": receiver.url, "template": template});
    assert_eq!(test(&channel(&project, &own)["id"])["delivered"], true);
    assert_eq!(receiver.got(5)[4].body(), json!({"msg": "Shop: This is a test", "n": 1}));
    for (kind, holds) in [("discord", "embeds"), ("teams", "attachments")] {
        let body = json!({"name": kind, "kind": kind, "url": receiver.url});
        assert_eq!(test(&channel(&project, &body)["id"])["delivered"], true);
        assert!(receiver.got(receiver.count()).pop().unwrap().body()[holds].is_array(), "{kind}");
    }
}

#[test]
fn channels_lead_to_the_public_internet_unless_the_operator_allows_more() {
    let project = Project::new();
    for url in [
        "http://example.com/x",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]/",
        "https://user:pass@example.com/",
        "ftp://example.com/",
        "nonsense",
        "",
    ] {
        let body = json!({"name": "x", "kind": "slack", "url": url});
        create(&project, &body).refuse(422, "url");
    }
}

#[test]
fn invalid_values_are_named() {
    let project = Project::new();
    let url = "https://example.com/topic";
    for (body, named) in [
        (json!({"kind": "slack", "url": url}), "name"),
        (json!({"name": " ", "kind": "slack", "url": url}), "name"),
        (json!({"name": "x", "kind": "fax", "url": url}), "kind"),
        (json!({"name": "x", "kind": "slack", "url": format!("{url}{}", "x".repeat(2_048))}), "url"),
        (json!({"name": "x", "kind": "ntfy", "url": "https://example.com/"}), "topic"),
        (json!({"name": "x", "kind": "slack", "url": url, "token": "a b"}), "token"),
        (json!({"name": "x", "kind": "template", "url": url}), "template"),
        (json!({"name": "x", "kind": "slack", "url": url, "template": {}}), "template"),
        (json!({"name": "x", "kind": "template", "url": url, "template": {"a": "{{nope}}"}}), "nope"),
        (json!({"name": "x", "kind": "template", "url": url, "template": "x".repeat(20_000)}), "16 KiB"),
    ] {
        create(&project, &body).refuse(422, named);
    }
    for number in 0..20 {
        create(&project, &json!({"name": format!("{number}"), "kind": "slack", "url": url})).expect(201);
    }
    create(&project, &json!({"name": "x", "kind": "slack", "url": url})).refuse(409, "20");
    // Another project's are unknown.
    let other = project.other();
    let theirs = create(&other, &json!({"name": "x", "kind": "slack", "url": url})).expect(201);
    project.owner.delete(&project.path(&format!("/alert-channels/{}", theirs["id"]))).send().refuse(404, "");
    let body = json!({"name": "x", "condition": {"type": "new"}, "channels": [theirs["id"]]});
    project.owner.post(&project.path("/alert-rules")).json(&body).send().refuse(422, "channels");
}
