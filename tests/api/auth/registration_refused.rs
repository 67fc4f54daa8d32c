//! Every invitation that cannot be accepted gets the same answer.

use crate::support::person::{fresh_email, invite, link_token, register};
use crate::support::{Client, PASSWORD, Response, Server, Value, World, json};

const REFUSED: &str = "{\"detail\":\"Registration requires a valid invitation\"}";

#[track_caller]
fn assert_uniform(answer: &Response) {
    assert_eq!(answer.told(), (403, REFUSED.to_owned()));
    assert_eq!(answer.header("set-cookie"), None);
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

/// The answer to the link's preview is as uniform.
#[track_caller]
fn assert_dead(client: &Client, email: &str, token: &str) {
    assert_uniform(&register(client, email, PASSWORD, token));
    assert_uniform(&client.post("/auth/invitation").json(&json!({"token": token})).send());
}

#[test]
fn a_string_that_is_no_token_is_refused() {
    let world = World::new(Server::start());
    let (client, email) = (world.anonymous(), fresh_email());
    let right = link_token(&world.invite(&email, "member")["invite_url"]);
    let send = |token: Value| {
        let body = json!({"email": email, "password": PASSWORD, "invitation_token": token});
        client.post("/auth/password/register").json(&body).send()
    };
    let wrong = [
        Value::Null,
        json!(5),
        json!(true),
        json!([right]),
        json!({"token": right}),
        json!(""),
        json!("x"),
        json!(right.to_uppercase()),
        json!(&right[..right.len() - 1]),
        json!(format!("{right}0")),
        json!("x".repeat(5_000)),
    ];
    for token in wrong {
        assert_uniform(&send(token));
    }
    let body = json!({"email": email, "password": PASSWORD});
    assert_uniform(&client.post("/auth/password/register").json(&body).send());
    send(json!(right)).expect(201);
}

#[test]
fn an_invitation_is_for_one_address_and_works_once() {
    let world = World::new(Server::start());
    let (client, email) = (world.anonymous(), fresh_email());
    let token = link_token(&world.invite(&email, "member")["invite_url"]);
    for other in [fresh_email(), format!("x{email}"), email.replace("example.com", "example.org")] {
        assert_uniform(&register(&client, &other, PASSWORD, &token));
    }
    // Nor can a member use somebody else's invitation with their own password.
    let member = world.member();
    assert_uniform(&register(&client, &member.email, PASSWORD, &token));
    register(&client, &email, PASSWORD, &token).expect(201);
    assert_dead(&client, &email, &token);
}

#[test]
fn a_revoked_and_a_resent_link_are_dead() {
    let world = World::new(Server::start());
    let (client, email) = (world.anonymous(), fresh_email());
    let invitation = world.invite(&email, "member");
    let path = format!("{}/invitations/{}", world.organization_path(), invitation["id"]);
    let renewed = world.owner.post(&format!("{path}/resend")).send().expect(200);
    let (old, new) = (link_token(&invitation["invite_url"]), link_token(&renewed["invite_url"]));
    assert_ne!(old, new);
    assert_dead(&client, &email, &old);
    world.owner.delete(&path).send().expect(204);
    assert_dead(&client, &email, &new);
}

#[test]
fn an_invitation_grants_no_more_than_its_sender_may() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    let invited = |by: &Client, role: &str| {
        let email = fresh_email();
        let token = link_token(&invite(by, &world, &email, role).expect(201)["invite_url"]);
        (email, token)
    };
    let (removed, demoted, disabled) = (world.admin(), world.admin(), world.admin());
    let by_removed = invited(&removed.client, "member");
    let by_demoted = invited(&demoted.client, "admin");
    let by_disabled = invited(&disabled.client, "member");
    world.owner.delete(&world.member_path(removed.id)).send().expect(204);
    let patch = |id: i64, change: Value| world.owner.patch(&world.member_path(id)).json(&change).send();
    patch(demoted.id, json!({"role": "member"})).expect(200);
    patch(disabled.id, json!({"status": "disabled"})).expect(200);
    for (email, token) in [&by_removed, &by_demoted, &by_disabled] {
        assert_dead(&client, email, token);
    }
    // It is good again with its sender.
    patch(demoted.id, json!({"role": "admin"})).expect(200);
    register(&client, &by_demoted.0, PASSWORD, &by_demoted.1).expect(201);
}

#[test]
fn only_the_allowed_domains_register_exactly() {
    let world = World::start_with(&[("ALLOWED_EMAIL_DOMAINS", "Corp.example, b\u{fc}cher.example")]);
    let client = world.anonymous();
    let outside = ["eve@evilcorp.example", "eve@sub.corp.example", "eve@corp.example.org", "eve@example"];
    for email in outside.into_iter().take(3) {
        let token = link_token(&world.invite(email, "member")["invite_url"]);
        assert_uniform(&register(&client, email, PASSWORD, &token));
    }
    invite(&world.owner, &world, "eve@x@corp.example", "member").refuse(422, "email");
    for email in ["ada@CORP.example", "ada@xn--bcher-kva.example"] {
        let token = link_token(&world.invite(email, "member")["invite_url"]);
        register(&client, email, PASSWORD, &token).expect(201);
    }
}

#[test]
fn an_invitation_does_not_enable_a_disabled_person() {
    let world = World::new(Server::start());
    let person = world.member();
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    let token = link_token(&world.invite(&person.email, "member")["invite_url"]);
    world.server.operated(&["disable", &person.email]);
    assert_uniform(&register(&world.anonymous(), &person.email, PASSWORD, &token));
    world.server.operated(&["enable", &person.email]);
    register(&world.anonymous(), &person.email, PASSWORD, &token).expect(201);
}

#[test]
fn nobody_registers_before_the_instance_is_claimed() {
    let server = Server::start();
    for token in ["x", server.setup_token.as_ref().unwrap()] {
        assert_dead(&server.anonymous(), "ada@example.com", token);
    }
}
