//! `GET` and `PATCH /api/v1/me`.

use crate::support::{Value, json, world};

#[test]
fn a_person_sees_their_own_profile() {
    let world = world();
    let person = world.member();
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_eq!(
        (&me["kind"], &me["id"], &me["email"]),
        (&json!("user"), &json!(person.id), &json!(person.email))
    );
    assert_eq!((&me["has_password"], &me["email_proven"]), (&json!(true), &json!(false)));
    assert_eq!(me["identities"], json!([]));
}

#[test]
fn a_person_is_renamed_for_everybody() {
    let world = world();
    let person = world.member();
    let rename = |name: Value| person.client.patch("/api/v1/me").json(&json!({"name": name})).send();
    let me = rename(json!("  Grace Hopper ")).expect(200);
    assert_eq!(me["name"], "Grace Hopper");
    assert_eq!(me, person.client.get("/api/v1/me").send().expect(200));
    assert_eq!(world.seen(person.id)["name"], "Grace Hopper");
    for wrong in [json!(""), json!("  "), json!("x".repeat(129)), json!("a\u{0}b"), json!(5), json!(null)] {
        rename(wrong).refuse(422, "name");
    }
    rename(json!("x".repeat(128))).expect(200);
    // This request changes nothing else.
    let change = json!({"name": "Eve", "email": "eve@example.com", "role": "owner", "id": 1});
    let me = person.client.patch("/api/v1/me").json(&change).send().expect(200);
    assert_eq!((&me["email"], &me["id"]), (&json!(person.email), &json!(person.id)));
    assert_eq!(world.seen(person.id)["role"], "member");
    person.tool(&["admin"]).patch("/api/v1/me").json(&change).send().refuse(403, "token");
}
