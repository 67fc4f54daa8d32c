//! `POST /auth/setup`.

use crate::support::world::{setup, text};
use crate::support::{Client, EMAIL, Response, Server, Value, World, json};

fn claim(client: &Client, body: &Value) -> Response {
    client.post("/auth/setup").json(body).send()
}

#[test]
fn the_right_token_makes_the_owner_and_signs_in() {
    let server = Server::start();
    let answer = claim(&server.anonymous(), &setup(server.setup_token.as_ref().unwrap()));
    let body = answer.expect(201);
    assert_eq!(body["token_type"], "bearer");
    assert_eq!(body["expires_in"], 30 * 24 * 3600);
    assert_eq!(body["user"]["email"], EMAIL);
    assert_eq!(body["user"]["name"], "Ada");
    assert!(!body.to_string().contains("passphrase"), "{body}");

    let token = text(&body["access_token"]);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with(&format!("mayday_session={token};")), "{cookie}");
    for client in [server.anonymous().bearer(&token), server.anonymous().cookie(&token)] {
        let me = client.get("/api/v1/me").send().expect(200);
        assert_eq!((&me["id"], &me["email"]), (&body["user"]["id"], &json!(EMAIL)));
        let organizations = client.get("/api/v1/organizations").send().expect(200);
        assert_eq!(organizations[0]["role"], "owner");
        assert_eq!(organizations[0]["id"], body["organization_id"]);
    }
}

#[test]
fn a_wrong_token_is_refused_and_the_right_one_still_works() {
    let server = Server::start();
    let client = server.anonymous();
    let right = server.setup_token.clone().unwrap();
    for wrong in ["", "x", "0000-0000-0000-0000-0000-0000-0000-0000", &right.to_uppercase(), &right[..38]] {
        if wrong != right {
            claim(&client, &setup(wrong)).refuse(403, "setup token");
        }
    }
    claim(&client, &setup(&right)).expect(201);
}

#[test]
fn anybody_may_see_whether_the_instance_is_claimed() {
    let world = World::new(Server::start());
    let fresh = Server::start();
    for (server, claimed) in [(&fresh, false), (&world.server, true)] {
        let answer = server.anonymous().get("/auth/setup").send();
        assert_eq!(answer.expect(200), json!({"claimed": claimed, "available": true}));
    }
    let restarted = world.restart();
    let state = restarted.anonymous().get("/auth/setup").send().expect(200);
    assert_eq!(state, json!({"claimed": true, "available": true}));
}

#[test]
fn a_claimed_instance_has_no_setup() {
    let server = Server::start();
    let token = server.setup_token.clone().unwrap();
    let world = World::new(server);
    for token in [token.as_str(), "0000-0000-0000-0000-0000-0000-0000-0000"] {
        claim(&world.anonymous(), &setup(token)).refuse(404, "claimed");
    }
    let restarted = world.restart();
    assert_eq!(restarted.server.setup_token, None);
    claim(&restarted.anonymous(), &setup(&token)).refuse(404, "claimed");
    restarted.owner.get("/api/v1/me").send().expect(200);
}

#[test]
fn of_fifty_simultaneous_claims_one_makes_an_owner() {
    let server = Server::start();
    let token = server.setup_token.clone().unwrap();
    let client = server.anonymous();
    let answers: Vec<Response> = std::thread::scope(|scope| {
        let claims: Vec<_> = (0..50)
            .map(|number| {
                let mut body = setup(&token);
                body["email"] = json!(format!("ada{number}@example.com"));
                let client = &client;
                scope.spawn(move || claim(client, &body))
            })
            .collect();
        claims.into_iter().map(|claim| claim.join().unwrap()).collect()
    });
    let won: Vec<&Response> = answers.iter().filter(|answer| answer.status() == 201).collect();
    assert_eq!(won.len(), 1);
    for lost in answers.iter().filter(|answer| answer.status() != 201) {
        // A claim whose password waited too long to be hashed may be told to retry.
        assert!(matches!(lost.status(), 404 | 503), "{lost:?}");
    }
    let owner = client.bearer(&text(&won[0].value()["access_token"]));
    let organizations = owner.get("/api/v1/organizations").send().expect(200);
    assert_eq!(organizations.as_array().unwrap().len(), 1);
    let path = format!("/api/v1/organizations/{}", organizations[0]["id"]);
    assert_eq!(owner.get(&path).send().expect(200)["member_count"], 1);
}

#[test]
fn errors_are_named_and_do_not_use_up_the_token() {
    let server = Server::start();
    let client = server.anonymous();
    let right = setup(server.setup_token.as_ref().unwrap());
    let with = |field: &str, value: Value| {
        let mut body = right.clone();
        body[field] = value;
        body
    };
    for (field, value) in [
        ("password", json!("eleven char")),
        ("password", json!("x".repeat(257))),
        ("password", json!(123_456_789_012_i64)),
        ("password", Value::Null),
        ("email", json!("nobody")),
        ("email", json!("a@b@c.example")),
        ("email", json!("ada@example.com\r\nBcc: x@example.com")),
        ("email", json!("ada smith@example.com")),
        ("organization_name", json!("")),
        ("organization_name", json!("x".repeat(129))),
        ("organization_name", json!("a\u{0}b")),
        ("name", json!("x".repeat(129))),
        ("setup_token", json!(5)),
    ] {
        claim(&client, &with(field, value)).refuse(422, field);
    }
    claim(&client, &json!({})).refuse(422, "setup_token");
    client.post("/auth/setup").body("application/json", "{").send().refuse(400, "JSON");
    client.post("/auth/setup").body("text/plain", right.to_string()).send().refuse(415, "Content-Type");
    claim(&client, &right).expect(201);
}

#[test]
fn the_name_defaults_to_the_part_before_the_at() {
    let server = Server::start();
    let mut body = setup(server.setup_token.as_ref().unwrap());
    body.as_object_mut().unwrap().remove("name");
    body["email"] = json!(" Grace.Hopper@Example.COM ");
    let user = claim(&server.anonymous(), &body).expect(201)["user"].clone();
    assert_eq!(user["email"], "grace.hopper@example.com");
    assert_eq!(user["name"], "grace.hopper");
}
