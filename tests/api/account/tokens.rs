//! `/api/v1/me/tokens`: making, listing and revoking personal access tokens.

use crate::support::world::text;
use crate::support::{Server, Value, World, json, world};

#[test]
fn a_token_is_shown_once_and_its_record_stays() {
    let world = world();
    let person = world.member();
    let made = person.make_token(&["write", "read", "read"]);
    let token = text(&made["token"]);
    assert!(token.starts_with("pat_") && token.len() > 40, "{token}");
    assert_eq!(made["prefix"], &token[..8]);
    assert_eq!(made["scopes"], json!(["read", "write"]));
    for name in ["expires_at", "revoked_at"] {
        assert_eq!(made[name], Value::Null, "{name}");
    }
    let list = person.client.get("/api/v1/me/tokens").send().expect(200);
    assert_eq!(list["total"], 1);
    assert!(!list.to_string().contains(&token), "{list}");
    let mut record = made.clone();
    record.as_object_mut().unwrap().remove("token");
    assert_eq!(list["tokens"][0], record);
    // Another person has their own list.
    assert_eq!(world.member().client.get("/api/v1/me/tokens").send().expect(200)["total"], 0);
}

#[test]
fn a_token_only_reads_unless_it_has_more_scopes() {
    let world = world();
    let person = world.member();
    let made = person.client.post("/api/v1/me/tokens").json(&json!({"name": "x"})).send().expect(201);
    assert_eq!(made["scopes"], json!(["read"]));
    let tool = world.bearer(&text(&made["token"]));
    let me = tool.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["kind"], &me["id"]), (&json!("user"), &json!(person.id)));
    // It does not work as a cookie.
    world.anonymous().cookie(&text(&made["token"])).get("/api/v1/me").send().refuse(401, "");
}

#[test]
fn invalid_values_of_a_token_are_named() {
    let world = world();
    let person = world.member();
    let make = |body: Value| person.client.post("/api/v1/me/tokens").json(&body).send();
    for (body, field) in [
        (json!({}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": "x".repeat(129)}), "name"),
        (json!({"name": "x", "scopes": []}), "scopes"),
        (json!({"name": "x", "scopes": ["owner"]}), "scopes"),
        (json!({"name": "x", "scopes": "read"}), "scopes"),
        (json!({"name": "x", "expires_in_days": 0}), "expires_in_days"),
        (json!({"name": "x", "expires_in_days": 367}), "expires_in_days"),
        (json!({"name": "x", "expires_in_days": -1}), "expires_in_days"),
        (json!({"name": "x", "expires_in_days": 1.5}), "expires_in_days"),
    ] {
        make(body).refuse(422, field);
    }
    for days in [json!(1), json!(366), Value::Null] {
        let made = make(json!({"name": "x", "expires_in_days": days})).expect(201);
        assert_eq!(made["expires_at"].is_null(), days.is_null(), "{made}");
    }
    assert_eq!(person.client.get("/api/v1/me/tokens").send().expect(200)["total"], 3);
}

#[test]
fn fifty_valid_tokens_are_all() {
    let world = World::new(Server::start());
    let person = world.member();
    let first = person.make_token(&["read"])["id"].clone();
    (0..49).for_each(|_| drop(person.make_token(&["read"])));
    let make = || person.client.post("/api/v1/me/tokens").json(&json!({"name": "x"})).send();
    make().refuse(409, "50");
    person.client.delete(&format!("/api/v1/me/tokens/{first}")).send().expect(204);
    make().expect(201);
}

#[test]
fn another_persons_token_looks_unknown() {
    let world = world();
    let (person, other) = (world.member(), world.member());
    let made = other.make_token(&["read"]);
    for who in [&person.client, &world.owner] {
        let told = who.delete("/api/v1/me/tokens/999999999").send().told();
        assert_eq!(told.0, 404);
        for id in [made["id"].to_string().as_str(), "0", "-1", "x", "%00"] {
            assert_eq!(who.delete(&format!("/api/v1/me/tokens/{id}")).send().told(), told, "{id}");
        }
    }
    world.bearer(&text(&made["token"])).get("/api/v1/me").send().expect(200);
}

#[test]
fn revoking_twice_succeeds() {
    let world = world();
    let person = world.member();
    let made = person.make_token(&["read"]);
    let path = format!("/api/v1/me/tokens/{}", made["id"]);
    person.client.delete(&path).send().expect(204);
    let revoked = person.client.get("/api/v1/me/tokens").send().expect(200)["tokens"][0].clone();
    person.client.delete(&path).send().expect(204);
    assert_eq!(person.client.get("/api/v1/me/tokens").send().expect(200)["tokens"][0], revoked);
    assert!(revoked["revoked_at"].is_string());
}
