//! Whether a provider says that an e-mail address is verified, and what follows for each kind of account.

use crate::support::code_host::CodeHost;
use crate::support::flow::{Landing, go_through};
use crate::support::person::{Person, fresh_email, sign_in};
use crate::support::{PASSWORD, Value, World, json};

/// Everything but the boolean true proves nothing.
fn unproven() -> [Value; 6] {
    [json!("absent"), json!(false), json!("true"), json!(1), json!(null), json!({"verified": true})]
}

#[track_caller]
fn assert_no_proof(landing: &Landing) {
    let codes = ["/login?error=email_missing", "/login?error=email_unverified"];
    assert!(codes.contains(&landing.location.as_str()), "{landing:?}");
    assert_eq!(landing.session, None);
}

/// A code host and a world of its own, with no account linked yet.
fn start() -> (CodeHost, World) {
    let host = CodeHost::start();
    let world = host.world(&[]);
    (host, world)
}

fn identities(person: &Person) -> usize {
    let me = person.client.get("/api/v1/me").send().expect(200);
    me["identities"].as_array().unwrap().len()
}

/// The person who was signed in.
#[track_caller]
fn arrived(world: &World, landing: &Landing) -> Person {
    let session = landing.expect("/");
    let client = world.bearer(&session);
    let me = client.get("/api/v1/me").send().expect(200);
    Person {
        id: me["id"].as_i64().unwrap(),
        email: me["email"].as_str().unwrap().into(),
        token: session,
        client,
    }
}

#[test]
fn a_stranger_needs_an_invitation_and_a_proven_address() {
    let (host, world) = start();
    let email = fresh_email();
    let invitation = world.invite(&email, "admin");
    for verified in unproven() {
        host.be(7, &email, &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    host.be(7, "somebody@example.org", &json!(true));
    go_through(&world.anonymous()).refuse("/login", "not_invited");
    let path = format!("{}/invitations?status=pending", world.organization_path());
    assert_eq!(world.owner.get(&path).send().expect(200)["invitations"][0]["id"], invitation["id"]);
    host.be(7, &email.to_uppercase(), &json!(true));
    let person = arrived(&world, &go_through(&world.anonymous()));
    assert_eq!((person.email.as_str(), &world.seen(person.id)["role"]), (email.as_str(), &json!("admin")));
    assert_eq!(world.owner.get(&path).send().expect(200)["total"], 0);
    // From then on the host's number identifies the person, whatever the address.
    host.be(7, "renamed@example.org", &json!(false));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, person.id);
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["has_password"], &me["email"]), (&json!(false), &json!(email)));
}

#[test]
fn nobody_signs_in_without_an_account_or_an_invitation() {
    let (host, world) = start();
    for (number, verified) in unproven().into_iter().enumerate() {
        host.be(100 + number as u64, &fresh_email(), &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    host.be(7, &fresh_email(), &json!(true));
    go_through(&world.anonymous()).refuse("/login", "not_invited");
    host.set(json!({"id": 7, "email": "ada@example.com", "verified": true}), json!([]));
    assert_no_proof(&go_through(&world.anonymous()));
    let organization = world.owner.get(&world.organization_path()).send().expect(200);
    assert_eq!(organization["member_count"], 1);
}

#[test]
fn an_account_is_linked_to_whoever_proved_its_address_and_keeps_its_password() {
    let (host, world) = start();
    // Claiming the instance already proved the owner's address.
    let person = world.owner_person();
    for verified in unproven() {
        host.be(7, &person.email, &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    assert_eq!(identities(&person), 0);
    host.be(7, &person.email, &json!(true));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, person.id);
    assert_eq!(identities(&person), 1);
    world.sign_in(&person.email, PASSWORD).expect(200);
    assert_eq!(world.audit("?action=identity.linked").len(), 1);
    assert!(world.audit("?action=account.secured").is_empty());
}

#[test]
fn an_account_of_one_person_at_the_host_is_not_given_to_another() {
    let (host, world) = start();
    let person = world.owner_person();
    host.be(7, &person.email, &json!(true));
    arrived(&world, &go_through(&world.anonymous()));
    for verified in unproven() {
        host.be(8, &person.email, &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    host.be(8, &person.email, &json!(true));
    go_through(&world.anonymous()).refuse("/login", "identity_conflict");
    assert_eq!(identities(&person), 1);
    host.be(7, &person.email, &json!(true));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, person.id);
}

#[test]
fn a_removed_person_cannot_sign_in_with_or_without_a_link() {
    let (host, world) = start();
    let (linked, unlinked) = (world.member(), world.member());
    host.be(7, &linked.email, &json!(true));
    arrived(&world, &go_through(&world.anonymous()));
    for person in [&linked, &unlinked] {
        world.owner.delete(&world.member_path(person.id)).send().expect(204);
    }
    for (number, person) in [(7, &linked), (8, &unlinked)] {
        for verified in unproven() {
            host.be(number, &person.email, &verified);
            let landing = go_through(&world.anonymous());
            assert!(
                landing.session.is_none() && landing.location.starts_with("/login?error="),
                "{landing:?}"
            );
        }
        host.be(number, &person.email, &json!(true));
        go_through(&world.anonymous()).refuse("/login", "account_removed");
        assert_eq!(world.seen(person.id), json!(null));
    }
    // An invitation lets them back in.
    world.invite(&linked.email, "member");
    host.be(7, &linked.email, &json!(true));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, linked.id);
}

#[test]
fn a_disabled_person_cannot_sign_in_with_or_without_a_link() {
    let (host, world) = start();
    let (linked, unlinked) = (world.member(), world.member());
    host.be(7, &linked.email, &json!(true));
    arrived(&world, &go_through(&world.anonymous()));
    for person in [&linked, &unlinked] {
        let change = json!({"status": "disabled"});
        world.owner.patch(&world.member_path(person.id)).json(&change).send().expect(200);
    }
    for (number, person) in [(7, &linked), (8, &unlinked)] {
        host.be(number, &person.email, &json!(true));
        go_through(&world.anonymous()).refuse("/login", "account_disabled");
        host.be(number, &person.email, &json!(false));
        let landing = go_through(&world.anonymous());
        assert!(landing.session.is_none(), "{landing:?}");
        assert_eq!(world.seen(person.id)["status"], "disabled");
    }
}

#[test]
fn somebody_who_used_anothers_address_loses_access_when_its_owner_signs_in() {
    let (host, world) = start();
    let email = fresh_email();
    world.server.set_password(&world.server.operated(&["add", &email]));
    let squatter = Person::of(&world.anonymous(), &sign_in(&world.anonymous(), &email, PASSWORD).expect(200));
    let tool = squatter.tool(&["read", "write"]);
    for verified in unproven() {
        host.be(7, &email, &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    squatter.client.get("/api/v1/me").send().expect(200);
    host.be(7, &email, &json!(true));
    let owner = arrived(&world, &go_through(&world.anonymous()));
    assert_eq!(owner.id, squatter.id);
    squatter.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    tool.get("/api/v1/me").send().refuse(401, "Not signed in");
    world.sign_in(&email, PASSWORD).refuse(401, "password");
    let me = owner.client.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["has_password"], &me["email_proven"]), (&json!(false), &json!(true)));
    assert_eq!(world.audit("?action=account.secured").len(), 1);
}

#[test]
fn an_identity_linked_to_anothers_address_is_unlinked_when_its_owner_signs_in() {
    let (host, world) = start();
    let email = fresh_email();
    world.server.set_password(&world.server.operated(&["add", &email]));
    let squatter = Person::of(&world.anonymous(), &sign_in(&world.anonymous(), &email, PASSWORD).expect(200));
    host.be(66, "squatter@example.org", &json!(true));
    let body = json!({"purpose": "link", "redirect_to": "/account"});
    let flow = crate::support::flow::Flow::begin(&squatter.client, &body);
    assert_eq!(flow.finish(&world.anonymous()).location, "/account");
    host.be(7, &email, &json!(true));
    let owner = arrived(&world, &go_through(&world.anonymous()));
    assert_eq!((owner.id, identities(&owner)), (squatter.id, 1));
    host.be(66, "squatter@example.org", &json!(true));
    go_through(&world.anonymous()).refuse("/login", "not_invited");
}

#[test]
fn the_floor_holds_for_a_proven_address_alone() {
    let host = CodeHost::start();
    let world = host.world(&[("ADMIN_EMAILS", "Listed@Example.com")]);
    let email = "listed@example.com";
    world.invite(email, "member");
    for verified in unproven() {
        host.be(7, email, &verified);
        assert_no_proof(&go_through(&world.anonymous()));
    }
    host.be(7, email, &json!(true));
    let person = arrived(&world, &go_through(&world.anonymous()));
    assert_eq!(world.seen(person.id)["role"], "admin");
    // An address that the host has not verified makes no administrator.
    let other = world.member();
    host.be(8, &other.email, &json!(true));
    arrived(&world, &go_through(&world.anonymous()));
    host.be(8, email, &json!(false));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, other.id);
    host.be(8, email, &json!(true));
    arrived(&world, &go_through(&world.anonymous()));
    assert_eq!(world.seen(other.id)["role"], "member");
    // A removed person on the list is let back in.
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    host.be(7, email, &json!(true));
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, person.id);
    assert_eq!(world.seen(person.id)["role"], "admin");
}

#[test]
fn of_several_addresses_the_primary_proven_one_counts() {
    let (host, world) = start();
    let (person, other) = (world.member(), world.member());
    let entry = |email: &str, primary: bool, verified: bool| json!({"email": email, "primary": primary, "verified": verified});
    host.set(
        json!({"id": 7, "login": "octo"}),
        json!([entry(&other.email, true, false), entry(&person.email, false, true)]),
    );
    assert_eq!(arrived(&world, &go_through(&world.anonymous())).id, person.id);
    assert_eq!(identities(&other), 0);
}
