//! `ADMIN_EMAILS`: the floor under some people's role.

use crate::support::person::Person;
use crate::support::{PASSWORD, Value, World, json};

const LISTED: &str = "listed@example.com";

fn start() -> World {
    World::start_with(&[("ADMIN_EMAILS", " Listed@Example.COM , second@example.com")])
}

fn patch(world: &World, id: i64, change: &Value) -> crate::support::Response {
    world.owner.patch(&world.member_path(id)).json(change).send()
}

#[test]
fn a_listed_person_is_admin_from_the_first_sign_in_and_stays_it() {
    let world = start();
    let person = world.join(LISTED, "member");
    assert_eq!(world.seen(person.id)["role"], "admin");
    person.client.get(&format!("{}/audit", world.organization_path())).send().expect(200);
    let refused = patch(&world, person.id, &json!({"role": "member"})).refuse(409, "ADMIN_EMAILS");
    assert!(refused.contains(LISTED), "{refused}");
    assert_eq!(world.seen(person.id)["role"], "admin");
    patch(&world, person.id, &json!({"role": "admin"})).expect(200);
    let raised = world.audit("?action=member.role_changed");
    assert_eq!(raised[0]["detail"]["why"], "ADMIN_EMAILS", "{raised:?}");
}

#[test]
fn a_listed_person_who_was_removed_is_an_admin_again_at_the_next_sign_in() {
    let world = start();
    let person = world.join(LISTED, "admin");
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    person.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    world.sign_in(LISTED, "wrong").refuse(401, "");
    assert_eq!(world.seen(person.id), Value::Null, "a wrong password takes nobody back");
    world.sign_in(LISTED, PASSWORD).expect(200);
    assert_eq!(world.seen(person.id)["role"], "admin");
    assert_eq!(world.audit("?action=member.reinstated")[0]["target"], LISTED);
}

#[test]
fn a_listed_person_who_is_disabled_cannot_sign_in() {
    let world = start();
    let person = world.join(LISTED, "admin");
    patch(&world, person.id, &json!({"status": "disabled"})).expect(200);
    world.sign_in(LISTED, PASSWORD).refuse(403, "no longer active");
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    world.sign_in(LISTED, PASSWORD).refuse(403, "no longer active");
    assert_eq!(world.seen(person.id), Value::Null);
}

#[test]
fn a_removed_person_who_is_not_listed_cannot_sign_in() {
    let world = start();
    for email in ["unlisted@example.com", "xlisted@example.com", "listed@example.com.example"] {
        let person = world.join(email, "admin");
        world.owner.delete(&world.member_path(person.id)).send().expect(204);
        world.sign_in(email, PASSWORD).refuse(403, "no longer active");
        assert_eq!(world.seen(person.id), Value::Null);
    }
}

#[test]
fn a_listed_address_that_is_unproven_makes_no_admin() {
    let world = start();
    let person = world.server.operated_person(LISTED);
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_eq!(me["email_proven"], false);
    let seen = world.seen(person.id);
    assert_eq!((&seen["role"], &seen["listed"]), (&json!("member"), &json!(true)));
    world.sign_in(LISTED, PASSWORD).expect(200);
    assert_eq!(world.seen(person.id)["role"], "member");
    // Nothing that they do to their own account proves it.
    let change = json!({"current_password": PASSWORD, "new_password": "another passphrase"});
    let session = Person::of(&world.anonymous(), &world.sign_in(LISTED, PASSWORD).expect(200));
    session.client.post("/auth/password/change").json(&change).send().expect(200);
    let link = world.owner.post(&format!("{}/reset-link", world.member_path(person.id))).send().expect(201);
    world.server.set_password(link["url"].as_str().unwrap());
    world.sign_in(LISTED, PASSWORD).expect(200);
    assert_eq!(world.seen(person.id)["role"], "member");
    // Removed, they stay out.
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    world.sign_in(LISTED, PASSWORD).refuse(403, "no longer active");
    // An invitation that they accept proves it.
    let back = world.join(LISTED, "member");
    assert_eq!((back.id, &world.seen(person.id)["role"]), (person.id, &json!("admin")));
}

#[test]
fn the_list_demotes_nobody_and_does_not_affect_the_owner() {
    let world = World::start_with(&[("ADMIN_EMAILS", crate::support::EMAIL)]);
    world.sign_in(crate::support::EMAIL, PASSWORD).expect(200);
    assert_eq!(world.seen(world.owner_id)["role"], "owner");
}
