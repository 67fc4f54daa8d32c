//! Limits on guesses at the setup token.

use crate::support::world::{setup, text};
use crate::support::{Client, Response, Server, json};

const WRONG: &str = "0000-0000-0000-0000-0000-0000-0000-0000";

/// A claim as the proxy in front passes it on.
fn claim_from(address: &str, client: &Client, token: &str) -> Response {
    client.post("/auth/setup").header("x-forwarded-for", address).json(&setup(token)).send()
}

#[test]
fn an_address_has_fifty_guesses_and_others_have_their_own() {
    let server = Server::start_with(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1")]);
    let (client, right) = (server.anonymous(), server.setup_token.clone().unwrap());
    for _ in 0..50 {
        claim_from("203.0.113.1", &client, WRONG).refuse(403, "setup token");
    }
    for token in [WRONG, &right] {
        let refused = claim_from("203.0.113.1", &client, token);
        refused.refuse(429, "Try again");
        let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=900).contains(&wait), "{wait}");
    }
    claim_from("203.0.113.2", &client, &right).expect(201);
    // A claimed instance has no token to guess, so this address is no longer told to wait.
    claim_from("203.0.113.1", &client, &right).refuse(404, "claimed");
    claim_from("203.0.113.1", &client, WRONG).refuse(404, "claimed");
}

#[test]
fn a_claimed_instance_looks_at_no_field_of_a_claim() {
    let server = Server::start();
    let client = server.anonymous();
    claim_from("203.0.113.1", &client, &server.setup_token.clone().unwrap()).expect(201);
    let post = || client.post("/auth/setup");
    post().send().refuse(404, "claimed");
    post().body("application/json", "{").send().refuse(404, "claimed");
    post().body("text/plain", "x").send().refuse(404, "claimed");
    post().json(&json!({"setup_token": 5, "password": "short"})).send().refuse(404, "claimed");
}

#[test]
fn an_instance_of_many_organizations_is_not_claimed() {
    let server = Server::of_many();
    assert_eq!(server.setup_token, None);
    assert!(!server.setup_token_file().exists());
    assert!(!server.output().contains("/setup"), "{}", server.output());
    let state = server.anonymous().get("/auth/setup").send().expect(200);
    assert_eq!(state["available"], false);
    for token in [WRONG, ""] {
        claim_from("203.0.113.1", &server.anonymous(), token).refuse(404, "");
    }
    server.anonymous().post("/auth/setup").body("text/plain", "x").send().refuse(404, "");
}

#[test]
fn the_token_is_in_no_answer_to_a_claim_and_logged_at_the_start_only() {
    let server = Server::start();
    let (client, right) = (server.anonymous(), server.setup_token.clone().unwrap());
    let mut answers = vec![client.get("/auth/setup").send()];
    for (field, value) in [("password", json!("short")), ("email", json!("nobody")), ("name", json!(5))] {
        let mut body = setup(&right);
        body[field] = value;
        answers.push(client.post("/auth/setup").json(&body).send());
    }
    answers.push(client.post("/auth/setup").json(&setup(&right[..38])).send());
    let claimed = client.post("/auth/setup").json(&setup(&right)).send();
    let owner = client.bearer(&text(&claimed.expect(201)["access_token"]));
    answers.push(claimed);
    answers.push(client.post("/auth/setup").json(&setup(&right)).send());
    answers.push(owner.get("/api/v1/organizations/1/audit").send());
    for answer in answers {
        assert!(!answer.text().contains(&right), "{answer:?}");
    }
    assert_eq!(server.output().matches(&right).count(), 1, "{}", server.output());
}
