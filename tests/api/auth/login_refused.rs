//! Refused sign-ins with a password, and their answers.

use crate::support::person::{fresh_email, register};
use crate::support::{Client, EMAIL, PASSWORD, Response, Server, World, json, world};

#[test]
fn a_removed_person_learns_it_only_with_the_right_password() {
    let world = world();
    let person = world.member();
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    world.sign_in(&person.email, PASSWORD).refuse(403, "no longer active");
    let wrong = world.sign_in(&person.email, "wrong");
    assert_eq!(wrong.told(), world.sign_in(&fresh_email(), "wrong").told());
    assert_eq!((wrong.status(), wrong.header("set-cookie")), (401, None));
}

#[test]
fn a_disabled_person_learns_it_only_with_the_right_password() {
    let world = world();
    let person = world.member();
    let status = |status: &str| {
        let change = json!({"status": status});
        world.owner.patch(&world.member_path(person.id)).json(&change).send().expect(200)
    };
    assert_eq!(status("disabled")["status"], "disabled");
    let refused = world.sign_in(&person.email, PASSWORD);
    refused.refuse(403, "no longer active");
    assert_eq!(refused.header("set-cookie"), None);
    assert_eq!(world.sign_in(&person.email, "wrong").told(), world.sign_in(&fresh_email(), "wrong").told());
    assert_eq!(status("active")["status"], "active");
    world.sign_in(&person.email, PASSWORD).expect(200);
}

#[test]
fn unknown_and_known_addresses_get_identical_answers() {
    let world = world();
    let heads = |answer: &Response| {
        let names = ["content-type", "set-cookie", "www-authenticate", "retry-after", "cache-control"];
        names.map(|name| answer.header(name).map(str::to_owned))
    };
    let (known, unknown) = (world.sign_in(EMAIL, "wrong"), world.sign_in(&fresh_email(), "wrong"));
    assert_eq!((known.told(), heads(&known)), (unknown.told(), heads(&unknown)));
}

/// Addresses that look like the owner's but are not.
const ODD: [&str; 16] = [
    "ada@example.com@evil.example",
    "evil@evil.example@example.com",
    "ada@@example.com",
    "ada@example.com.",
    "ada@example..com",
    "ada@.example.com",
    "\u{430}da@example.com",
    "ada@ex\u{430}mple.com",
    "ada\u{ff20}example.com",
    "ada@example\u{3002}com",
    "ada@example.com\r\nBcc: evil@evil.example",
    "ada@exa\nmple.com",
    "ada@example.com\u{0}",
    "ada@example.com,evil@evil.example",
    "<ada@example.com>",
    "\"ada\"@example.com",
];

#[test]
fn lookalike_addresses_belong_to_nobody() {
    let world = World::start_with(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1")]);
    for (number, email) in ODD.into_iter().enumerate() {
        let login = world.anonymous().post("/auth/password/login");
        let login = login.header("x-forwarded-for", &format!("203.0.113.{number}"));
        let answer = login.json(&json!({"email": email, "password": PASSWORD})).send();
        answer.refuse(401, "e-mail or the password");
    }
}

#[test]
fn addresses_that_cannot_be_are_refused_wherever_one_is_given() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    let invitations = format!("{}/invitations", world.organization_path());
    let post = |client: &Client, path: &str, email: &str| {
        client.post(path).json(&json!({"email": email, "password": PASSWORD})).send()
    };
    let long = format!("{}@example.com", "x".repeat(65));
    for email in ODD.into_iter().chain(["", "ada", "@example.com", "ada@", "ada@example", &long]) {
        register(&client, email, PASSWORD, "x").refuse(422, "email");
        post(&world.owner, &invitations, email).refuse(422, "email");
        post(&client, "/auth/password/forgot", email).refuse(422, "email");
        post(&world.owner, "/api/v1/me/email", email).refuse(422, "email");
    }
    assert_eq!(world.owner.get(&invitations).send().expect(200)["total"], 0);
}

#[test]
fn an_impossible_password_is_wrong_rather_than_an_error() {
    let world = World::new(Server::start());
    for password in ["", "x", &"x".repeat(257), &"x".repeat(200_000)] {
        let status = world.sign_in(EMAIL, password).status();
        assert_eq!(status, 401, "{} characters", password.len());
    }
}
