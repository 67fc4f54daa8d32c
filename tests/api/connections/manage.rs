//! Making, changing, checking and removing connections.

use super::{connect, given, open, path, told};
use crate::support::outside::{Outside, TOKEN};
use crate::support::{Project, Value, json};

#[test]
fn a_trigger_shows_its_connection_and_accepts_no_other() {
    let outside = Outside::start();
    let project = open(&outside);
    let made = connect(&project, &given(&outside, "linear"));
    let owner = &project.owner;
    let automation = owner.post("/api/automations").json(&json!({})).send().expect(200)["automation"].clone();
    let path = format!("/api/automations/{}", automation["id"].as_str().unwrap());
    let body = json!({"provider": "custom", "integrationId": made["id"]});
    let trigger = owner.post(&format!("{path}/triggers")).json(&body).send().expect(201)["trigger"].clone();
    let shown = json!({"id": made["id"], "display_name": "linear", "status": "connected"});
    assert_eq!((&trigger["integration_id"], &trigger["integration"]), (&made["id"], &shown));
    let listed = owner.get(&path).send().expect(200);
    assert_eq!(listed["automation"]["triggers"][0]["integration"], shown);
    let one = format!("{path}/triggers/{}", trigger["id"].as_str().unwrap());
    let other = json!({"integrationId": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"});
    owner.patch(&one).json(&other).send().refuse(422, "integrationId: this organization has no connection");
    let renamed = owner.patch(&one).json(&json!({"name": "Ours"})).send().expect(200)["trigger"].clone();
    assert_eq!(renamed["integration"], shown);
    let without =
        owner.patch(&one).json(&json!({"integrationId": null})).send().expect(200)["trigger"].clone();
    assert_eq!((&without["integration_id"], &without["integration"]), (&json!(null), &json!(null)));
}

#[test]
fn each_kind_lists_its_destinations_and_never_shows_its_token() {
    let outside = Outside::start();
    let project = open(&outside);
    let admin = project.world.admin().client;
    let host = outside.url.trim_start_matches("http://");
    for (kind, account, place) in [
        ("linear", "Acme".to_owned(), json!([{"id": "team-1", "name": "Shop (SHP)"}])),
        ("jira", format!("{host} as Ada"), json!([{"id": "10", "name": "Shop (SHOP)"}])),
        ("slack", "Acme chat".to_owned(), json!([{"id": "C1", "name": "#alerts"}])),
    ] {
        let made = connect(&project, &given(&outside, kind));
        assert_eq!((&made["status"], &made["account"]), (&json!("connected"), &json!(account)), "{made}");
        let one = format!("{}/{}", path(&project), made["id"].as_str().unwrap());
        let places = project.owner.get(&format!("{one}/destinations")).send().expect(200);
        assert_eq!(places["destinations"], place, "{kind}");
    }
    let kinds: Vec<Value> =
        told(&admin, 3).iter().map(|one| one["notification_metadata"]["integration_type"].clone()).collect();
    assert_eq!(kinds, ["slack", "jira", "linear"]);
    let mut server = given(&outside, "jira");
    server.as_object_mut().unwrap().remove("email");
    let server = connect(&project, &server);
    let one = format!("{}/{}/destinations", path(&project), server["id"].as_str().unwrap());
    assert_eq!(project.owner.get(&one).send().expect(200)["destinations"][0]["id"], "10");
    let member = project.world.member();
    let list = member.client.get(&path(&project)).send().expect(200);
    assert_eq!((&list["total"], &list["has_host_app"]), (&json!(4), &json!(true)));
    assert!(!list.to_string().contains(TOKEN), "{list}");
    assert!(!project.world.server.output().contains(TOKEN), "the log shows a token");
}

#[test]
fn changing_and_removing_a_connection_is_audited() {
    let outside = Outside::start();
    let project = open(&outside);
    let made = connect(&project, &given(&outside, "linear"));
    let one = format!("{}/{}", path(&project), made["id"].as_str().unwrap());
    let change = |body: &Value| project.owner.patch(&one).json(body).send();
    let place = json!({"id": "team-1", "name": "Shop"});
    let changed =
        change(&json!({"display_name": "Ours", "on_resolve": "close", "destination": place})).expect(200);
    assert_eq!(
        (&changed["display_name"], &changed["on_resolve"], &changed["destination"]),
        (&json!("Ours"), &json!("close"), &place)
    );
    assert_eq!(change(&json!({"destination": null})).expect(200)["destination"], Value::Null);
    change(&json!({"token": "another"})).refuse(409, "401");
    change(&json!({"token": "a b"})).refuse(422, "token");
    change(&json!({"on_resolve": "explode"})).refuse(422, "on_resolve");
    change(&json!({"destination": {"id": "", "name": "x"}})).refuse(422, "destination.id");
    change(&json!({"token": TOKEN})).expect(200);
    project.owner.delete(&one).send().expect(204);
    project.owner.delete(&one).send().refuse(404, "connection");
    change(&json!({})).refuse(404, "connection");
    let audit = project.world.audit("?action=connection.");
    let acts: Vec<&str> = audit.iter().map(|one| one["action"].as_str().unwrap()).collect();
    let updated = "connection.updated";
    assert_eq!(acts, ["connection.deleted", updated, updated, updated, "connection.created"]);
    assert_eq!(audit[0]["detail"], json!({"kind": "linear"}));
}

#[test]
fn a_failing_connection_says_why_and_notifies_the_administrators() {
    let outside = Outside::start();
    let project = open(&outside);
    let admin = project.world.admin().client;
    let made = connect(&project, &given(&outside, "linear"));
    let check = format!("{}/{}/check", path(&project), made["id"].as_str().unwrap());
    let check = || project.owner.post(&check).json(&json!({})).send().expect(200);
    outside.fault(Some(("503 X", r#"{"message": "Down for <b>maintenance</b>"}"#)));
    let failing = check();
    assert_eq!(failing["status"], "failing");
    assert_eq!(failing["reason"], "Linear answered 503: Down for <b>maintenance</b>");
    outside.fault(Some(("401 X", &format!(r#"{{"message": "Bad {TOKEN}"}}"#))));
    let revoked = check();
    assert_eq!(
        (&revoked["status"], &revoked["reason"]),
        (&json!("revoked"), &json!("Linear answered 401: Bad …"))
    );
    outside.fault(None);
    let connected = check();
    assert_eq!((&connected["status"], &connected["reason"]), (&json!("connected"), &Value::Null));
    check();
    let told = told(&admin, 4);
    let states: Vec<&Value> = told.iter().map(|one| &one["notification_metadata"]["status"]).collect();
    assert_eq!(states, ["connected", "revoked", "failing", "connected"]);
    let metadata = json!({"integration_type": "linear", "status": "failing", "repository": null});
    assert_eq!(told[2]["notification_metadata"], metadata);
    let page = format!("/organizations/{}/settings/connections", project.world.organization);
    assert_eq!(
        (&told[2]["action_url"], &told[2]["title"]),
        (&json!(page), &json!("The connection linear fails"))
    );
}

#[test]
fn errors_of_a_new_connection_are_named() {
    let project = Project::new();
    let create = |body: &Value| project.owner.post(&path(&project)).json(body).send();
    let linear = |url: &str| json!({"kind": "linear", "display_name": "x", "token": "t", "url": url});
    for url in ["http://example.com", "https://127.0.0.1", "https://localhost/", "https://[::ffff:10.0.0.1]/"]
    {
        let said = create(&linear(url));
        said.refuse(422, "url");
    }
    create(&linear("https://169.254.169.254")).refuse(422, "url");
    create(&json!({"kind": "github", "display_name": "x", "token": "t"})).refuse(422, "installing");
    create(&json!({"kind": "trello", "display_name": "x", "token": "t"})).refuse(422, "kind");
    create(&json!({"kind": "linear", "display_name": "", "token": "t"})).refuse(422, "display_name");
    create(&json!({"kind": "linear", "display_name": "x", "token": ""})).refuse(422, "token");
    create(&json!({"kind": "jira", "display_name": "x", "token": "t"})).refuse(422, "url");
    let list = project.owner.get(&path(&project)).send().expect(200);
    assert_eq!(list["connections"], json!([]));
}
