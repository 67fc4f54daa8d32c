//! Linking an account to a provider, unlinking it, and sign-ins that are only a test.

use crate::support::code_host::CodeHost;
use crate::support::flow::{Flow, go_through};
use crate::support::person::Person;
use crate::support::{Client, World, json};

fn start() -> (CodeHost, World) {
    let host = CodeHost::start();
    let world = host.world(&[]);
    (host, world)
}

/// Links the client's account to the person who is signed in at the host.
fn link(client: &Client) -> Flow {
    Flow::begin(client, &json!({"purpose": "link", "redirect_to": "/account"}))
}

fn identities(person: &Person) -> Vec<serde_json::Value> {
    let me = person.client.get("/api/v1/me").send().expect(200);
    me["identities"].as_array().unwrap().clone()
}

#[test]
fn a_person_links_themselves_by_any_proven_address_and_unlinks() {
    let (host, world) = start();
    let person = world.member();
    host.be(7, "another@example.org", &json!(true));
    let landing = link(&person.client).finish(&world.anonymous());
    // A link makes no session.
    assert_eq!((landing.location.as_str(), landing.session), ("/account", None));
    let linked = identities(&person);
    assert_eq!((linked.len(), &linked[0]["provider"]), (1, &json!("github")));
    assert_eq!(linked[0]["email"], "another@example.org");
    go_through(&world.anonymous()).expect("/");
    let path = format!("/api/v1/me/identities/{}", linked[0]["id"]);
    world.member().client.delete(&path).send().refuse(404, "identity");
    person.client.delete(&path).send().expect(204);
    assert!(identities(&person).is_empty());
    go_through(&world.anonymous()).refuse("/login", "not_invited");
    let acts: Vec<_> = world.audit("?action=identity.").iter().map(|act| act["action"].clone()).collect();
    assert_eq!(acts, ["identity.unlinked", "identity.linked"]);
}

#[test]
fn an_unproven_address_links_nothing() {
    let (host, world) = start();
    let person = world.member();
    host.be(7, "another@example.org", &json!(false));
    let landing = link(&person.client).finish(&world.anonymous());
    assert!(landing.location.starts_with("/account?error=email_"), "{landing:?}");
    assert!(identities(&person).is_empty());
}

#[test]
fn a_host_identity_maps_to_one_account() {
    let (host, world) = start();
    let (first, second) = (world.member(), world.member());
    host.be(7, "another@example.org", &json!(true));
    link(&first.client).finish(&world.anonymous());
    link(&second.client).finish(&world.anonymous()).refuse("/account", "identity_conflict");
    host.be(8, "third@example.org", &json!(true));
    link(&first.client).finish(&world.anonymous()).refuse("/account", "identity_conflict");
    assert_eq!((identities(&first).len(), identities(&second).len()), (1, 0));
}

#[test]
fn a_link_ends_in_the_browser_that_began_it() {
    let (host, world) = start();
    let (victim, attacker) = (world.member(), world.member());
    host.be(66, "attacker@example.org", &json!(true));
    let began = link(&attacker.client);
    let other = link(&victim.client);
    began.finish_with(&world.anonymous(), &other.cookie).refuse("/login", "wrong_browser");
    assert!(identities(&victim).is_empty() && identities(&attacker).is_empty());
}

#[test]
fn a_link_ends_with_the_session_that_began_it() {
    let (host, world) = start();
    let person = world.member();
    host.be(7, "another@example.org", &json!(true));
    let flow = link(&person.client);
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(person.id)).json(&change).send().expect(200);
    // It ends with the session that began it.
    flow.finish(&world.anonymous()).refuse("/login", "flow_expired");
    let person = world.member();
    let flow = link(&person.client);
    person.client.post("/auth/logout").send().expect(204);
    flow.finish(&world.anonymous()).refuse("/login", "flow_expired");
    assert!(identities(&person.again()).is_empty());
}

#[test]
fn the_last_way_to_sign_in_cannot_be_removed() {
    let (host, world) = start();
    let email = crate::support::person::fresh_email();
    world.invite(&email, "member");
    host.be(7, &email, &json!(true));
    let session = go_through(&world.anonymous()).expect("/");
    let client = world.bearer(&session);
    let me = client.get("/api/v1/me").send().expect(200);
    let path = format!("/api/v1/me/identities/{}", me["identities"][0]["id"]);
    client.delete(&path).send().refuse(409, "only way");
    go_through(&world.anonymous()).expect("/");
    let change = json!({"current_password": "x", "new_password": "a passphrase for tests"});
    client.post("/auth/password/change").json(&change).send().refuse(409, "no password");
}

#[test]
fn a_test_shows_the_result_and_signs_nobody_in() {
    let (host, world) = start();
    let person = world.member();
    let settings = format!("/organizations/{}/settings/sign-in", world.organization);
    let body = json!({"purpose": "test", "redirect_to": settings});
    let tested = |client: &Client| {
        let landing = Flow::begin(client, &body).finish(&world.anonymous());
        assert_eq!(landing.session, None);
        let id = landing.location.strip_prefix(&format!("{settings}?test=")).expect(&landing.location);
        format!("{}/sign-in/tests/{id}", world.organization_path())
    };
    host.be(7, &person.email, &json!(true));
    let path = tested(&world.owner);
    let report = world.owner.get(&path).send().expect(200);
    assert_eq!((&report["ok"], &report["provider"]), (&json!(true), &json!("github")), "{report}");
    let steps = report["steps"].as_array().unwrap();
    assert!(steps.len() >= 4 && steps.iter().all(|step| step["ok"] == true), "{report}");
    assert!(identities(&person).is_empty(), "a test links nobody");

    host.be(7, &person.email, &json!(false));
    let failed = world.owner.get(&tested(&world.owner)).send().expect(200);
    assert_eq!(failed["ok"], false, "{failed}");
    // Somebody else's test cannot be told from an unknown one.
    let admin = world.admin();
    let nowhere = format!("{}/sign-in/tests/999999", world.organization_path());
    assert_eq!(admin.client.get(&path).send().told(), admin.client.get(&nowhere).send().told());
    person.client.get(&path).send().refuse(403, "role");
    assert_eq!(world.audit("?action=sign_in.tested").len(), 2);
}

#[test]
fn the_host_can_be_checked_without_a_person() {
    let (_, world) = start();
    let path = format!("{}/sign-in/check", world.organization_path());
    let check = |provider: &str| world.owner.post(&path).json(&json!({"provider": provider})).send();
    let report = check("github").expect(200);
    assert!(!report["steps"].as_array().unwrap().is_empty(), "{report}");
    assert!(!report.to_string().contains(crate::support::code_host::SECRET), "{report}");
    check("sso").refuse(404, "not configured");
    check("gitlab").refuse(422, "provider");
}
