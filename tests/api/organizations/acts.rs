//! Every important action makes an audit entry: who did what to whom, and from where.

use crate::support::code_host::{CodeHost, SECRET};
use crate::support::flow::{Flow, go_through};
use crate::support::person::{Person, fresh_email, link_token, register};
use crate::support::world::text;
use crate::support::{EMAIL, PASSWORD, Server, Value, World, json};

/// The newest entry of exactly this action.
#[track_caller]
fn entry(world: &World, action: &str) -> Value {
    let entries = world.audit(&format!("?action={action}"));
    let found = entries.into_iter().find(|entry| entry["action"] == action);
    found.unwrap_or_else(|| panic!("no entry {action}"))
}

/// Asserts the newest entry of an action.
#[track_caller]
fn assert_noted(world: &World, action: &str, actor: &str, target: &str) -> Value {
    let entry = entry(world, action);
    assert_eq!((&entry["actor"], &entry["target"]), (&json!(actor), &json!(target)), "{entry}");
    assert_eq!(entry["address"], "127.0.0.1", "{entry}");
    assert!(entry["created_at"].as_str().unwrap().ends_with('Z') && entry["detail"].is_object(), "{entry}");
    if actor.contains('@') && !["sign_in.failed", "sign_in.throttled"].contains(&action) {
        assert!(entry["actor_id"].is_i64(), "{entry}");
    }
    entry["detail"].clone()
}

#[test]
fn signing_in_and_out_is_noted() {
    let world = World::new(Server::start());
    assert_noted(&world, "instance.claimed", EMAIL, "Acme");
    let person = world.member();
    let email = person.email.as_str();
    assert_eq!(entry(&world, "sign_in.succeeded")["detail"]["method"], "invitation");
    let again = person.again();
    assert_eq!(assert_noted(&world, "sign_in.succeeded", email, email)["method"], "password");
    world.sign_in(email, "wrong").refuse(401, "");
    assert_eq!(assert_noted(&world, "sign_in.failed", email, email)["method"], "password");
    again.client.post("/auth/logout").send().expect(204);
    assert_noted(&world, "sign_out", email, email);
    let other = person.again().session_id();
    person.client.delete(&format!("/api/v1/me/sessions/{other}")).send().expect(204);
    assert_noted(&world, "session.ended", email, email);
}

#[test]
fn a_shut_out_persons_right_password_is_audited_with_the_reason() {
    let world = World::new(Server::start());
    let (disabled, removed) = (world.member(), world.member());
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(disabled.id)).json(&change).send().expect(200);
    world.owner.delete(&world.member_path(removed.id)).send().expect(204);
    for person in [&disabled, &removed] {
        world.sign_in(&person.email, PASSWORD).refuse(403, "no longer active");
        let noted = entry(&world, "sign_in.failed");
        assert_eq!((&noted["target"], noted["detail"]["reason"].is_string()), (&json!(person.email), true));
    }
}

#[test]
fn a_rate_limited_sign_in_is_audited() {
    let world = World::new(Server::start());
    (0..6).for_each(|_| drop(world.sign_in("eve@example.com", "wrong")));
    assert_noted(&world, "sign_in.throttled", "eve@example.com", "eve@example.com");
}

#[test]
fn a_closed_address_cannot_fill_the_log() {
    let world = World::new(Server::start());
    (0..150).for_each(|number| drop(world.sign_in(&format!("nobody{number}@example.com"), "wrong")));
    assert_eq!(world.audit("?action=sign_in.failed&limit=200").len(), 50);
    let throttled = world.audit("?action=sign_in.throttled&limit=200").len();
    assert!(throttled <= 5, "{throttled} entries: whoever is refused could push all others out of the log");
}

#[test]
fn changes_to_a_persons_account_are_audited() {
    let world = World::new(Server::start());
    let person = world.member();
    let email = person.email.as_str();
    let token = person.client.post("/api/v1/me/tokens").json(&json!({"name": "a tool"})).send().expect(201);
    assert_noted(&world, "token.created", email, "a tool");
    person.client.delete(&format!("/api/v1/me/tokens/{}", token["id"])).send().expect(204);
    assert_noted(&world, "token.revoked", email, "a tool");
    person.client.patch("/api/v1/me").json(&json!({"name": "Grace"})).send().expect(200);
    assert_eq!(assert_noted(&world, "profile.renamed", email, email)["to"], "Grace");
    let link = world.owner.post(&format!("{}/reset-link", world.member_path(person.id))).send().expect(201);
    assert_noted(&world, "password.reset_link_made", EMAIL, email);
    let reset = json!({"token": link_token(&link["url"]), "password": "another passphrase"});
    world.anonymous().post("/auth/password/reset").json(&reset).send().expect(204);
    assert_noted(&world, "password.reset", email, email);
    let session = world.sign_in(email, "another passphrase").expect(200);
    let session = world.bearer(&text(&session["access_token"]));
    let change = json!({"current_password": "another passphrase", "new_password": PASSWORD});
    session.post("/auth/password/change").json(&change).send().expect(200);
    assert_noted(&world, "password.changed", email, email);
}

#[test]
fn changes_to_members_are_audited() {
    let world = World::new(Server::start());
    let (admin, person) = (world.admin(), world.member());
    let (by, email) = (admin.email.as_str(), person.email.as_str());
    assert_eq!(assert_noted(&world, "member.joined", email, email)["how"], "invitation");
    let patch = |change: Value| {
        admin.client.patch(&world.member_path(person.id)).json(&change).send().expect(200);
    };
    patch(json!({"role": "admin"}));
    let detail = assert_noted(&world, "member.role_changed", by, email);
    assert_eq!((&detail["from"], &detail["to"]), (&json!("member"), &json!("admin")));
    patch(json!({"status": "disabled"}));
    assert_noted(&world, "member.disabled", by, email);
    patch(json!({"status": "active"}));
    assert_noted(&world, "member.enabled", by, email);
    admin.client.delete(&world.member_path(person.id)).send().expect(204);
    assert_noted(&world, "member.removed", by, email);
    let before = world.audit("?action=member.").len();
    admin.client.patch(&world.member_path(admin.id)).json(&json!({"role": "admin"})).send().expect(200);
    admin.client.delete(&world.member_path(world.owner_id)).send().refuse(409, "");
    assert_eq!(world.audit("?action=member.").len(), before, "what changed nothing is no act");

    let path = format!("{}/owner", world.organization_path());
    let handed = world.owner.post(&path).json(&json!({"user_id": admin.id})).send();
    handed.expect(200);
    let owner = world.bearer(&handed.cookie("mayday_session").unwrap());
    let audit = format!("{}/audit?action=owner.", world.organization_path());
    let handed = owner.get(&audit).send().expect(200)["entries"][0].clone();
    assert_eq!((&handed["actor"], &handed["target"]), (&json!(EMAIL), &json!(by)));
}

#[test]
fn invitations_keys_and_names_are_noted() {
    let world = World::new(Server::start());
    let email = fresh_email();
    let at = |rest: &str| format!("{}{rest}", world.organization_path());
    let record = world.invite(&email, "admin");
    assert_eq!(assert_noted(&world, "invitation.created", EMAIL, &email)["role"], "admin");
    let one = at(&format!("/invitations/{}", record["id"]));
    let renewed = world.owner.post(&format!("{one}/resend")).send().expect(200);
    assert_noted(&world, "invitation.resent", EMAIL, &email);
    register(&world.anonymous(), &email, PASSWORD, &link_token(&renewed["invite_url"])).expect(201);
    assert_eq!(assert_noted(&world, "invitation.accepted", &email, &email)["invited_by"], EMAIL);
    let other = fresh_email();
    let record = world.invite(&other, "member");
    world.owner.delete(&at(&format!("/invitations/{}", record["id"]))).send().expect(204);
    assert_noted(&world, "invitation.revoked", EMAIL, &other);

    let key = world.owner.post(&at("/api-keys")).json(&json!({"name": "a wall"})).send().expect(201);
    assert_noted(&world, "organization_key.created", EMAIL, "a wall");
    world.owner.delete(&at(&format!("/api-keys/{}", key["id"]))).send().expect(204);
    assert_noted(&world, "organization_key.revoked", EMAIL, "a wall");
    world.owner.patch(&at("")).json(&json!({"name": "Acme & Sons"})).send().expect(200);
    assert_eq!(assert_noted(&world, "organization.renamed", EMAIL, "Acme & Sons")["from"], "Acme");
}

#[test]
fn projects_and_their_keys_are_noted() {
    let world = World::new(Server::start());
    let projects = format!("{}/projects", world.organization_path());
    let project = world.owner.post(&projects).json(&json!({"name": "Shop"})).send().expect(201);
    assert_noted(&world, "project.created", EMAIL, "Shop");
    let path = format!("/api/v1/projects/{}", project["id"]);
    let key = world.owner.post(&format!("{path}/api-keys")).json(&json!({"name": "ci"})).send().expect(201);
    assert_noted(&world, "project_key.created", EMAIL, "ci");
    world.owner.delete(&format!("{path}/api-keys/{}", key["id"])).send().expect(204);
    assert_noted(&world, "project_key.revoked", EMAIL, "ci");
    world.owner.delete(&path).send().expect(204);
    assert_noted(&world, "project.deleted", EMAIL, "Shop");
}

#[test]
fn no_entry_holds_a_secret() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let setup_token = world.server.output();
    let setup_token = setup_token.split("#token=").nth(1).unwrap().lines().next().unwrap().to_owned();
    let email = fresh_email();
    let invitation = link_token(&world.invite(&email, "member")["invite_url"]);
    let secret = "a passphrase that is nowhere";
    let wrong = "a wrong passphrase, nowhere either";
    register(&world.anonymous(), &email, wrong, "nobodys-token-canary").refuse(403, "");
    let person = Person::of(
        &world.anonymous(),
        &register(&world.anonymous(), &email, secret, &invitation).expect(201),
    );
    world.sign_in(&email, wrong).refuse(401, "");
    // People put their password into the wrong field.
    world.sign_in("my passphrase canary", "x").refuse(401, "");
    let pat = text(&person.make_token(&["read"])["token"]);
    let keys = format!("{}/api-keys", world.organization_path());
    let key = text(&world.owner.post(&keys).json(&json!({"name": "x"})).send().expect(201)["key"]);
    host.be(7, &email, &json!(true));
    let session = go_through(&world.anonymous()).expect("/");
    let link = world.owner.post(&format!("{}/reset-link", world.member_path(person.id))).send().expect(201);
    let link = link_token(&link["url"]);
    let flow = Flow::start(&world.anonymous());
    flow.finish_with(&world.anonymous(), "a=b").refuse("/login", "wrong_browser");
    let reset = json!({"token": link, "password": "yet another passphrase"});
    world.anonymous().post("/auth/password/reset").json(&reset).send().expect(204);

    let entries = world.audit("?limit=200");
    assert!(entries.len() > 10);
    let (entries, output) = (json!(entries).to_string(), world.server.output());
    let secrets = [
        PASSWORD,
        secret,
        wrong,
        "yet another passphrase",
        "nobodys-token-canary",
        "my passphrase canary",
        &invitation,
        &pat,
        &key,
        &link,
        &session,
        &person.token,
        &flow.state,
        &flow.cookie,
        &world.owner_token,
        SECRET,
        "a-code",
        "gho_x",
    ];
    for secret in secrets {
        assert!(!entries.contains(secret), "{secret} in {entries}");
        assert!(!output.contains(secret), "{secret} in {output}");
    }
    assert!(!entries.contains(&setup_token));
    assert_eq!(output.matches(&setup_token).count(), 1);
}
