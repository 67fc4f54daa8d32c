//! `/api/v1/organizations` and the people of one.

mod acts;
mod audit;
mod floor;
mod invitations;
mod keys;
mod limits;
mod many;
mod members;
mod operator;
mod owner;

use crate::support::{EMAIL, Server, World, json, world};

#[test]
fn the_owners_organizations_are_a_bare_list() {
    let world = world();
    let list = world.owner.get("/api/v1/organizations").send().expect(200);
    let organization = &list[0];
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!((&organization["id"], &organization["role"]), (&json!(world.organization), &json!("owner")));
    assert_eq!((&organization["name"], &organization["slug"]), (&json!("Acme"), &json!("acme")));
    let mut fields: Vec<&String> = organization.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    assert_eq!(fields, ["created_at", "id", "name", "role", "slug", "updated_at"]);
}

#[test]
fn one_organization_shows_its_members() {
    let world = World::new(Server::start());
    let organization = world.owner.get(&world.organization_path()).send().expect(200);
    assert_eq!((&organization["name"], &organization["member_count"]), (&json!("Acme"), &json!(1)));
    let member = &organization["members"][0];
    assert_eq!((&member["id"], &member["email"]), (&json!(world.owner_id), &json!(EMAIL)));
    assert_eq!(
        (&member["name"], &member["role"], &member["status"]),
        (&json!("Ada"), &json!("owner"), &json!("active"))
    );
    assert!(member["joined_at"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn a_name_without_letters_still_gets_a_slug() {
    let server = Server::start();
    let mut setup = crate::support::world::setup(server.setup_token.as_ref().unwrap());
    setup["organization_name"] = json!("  \u{682a}\u{5f0f}\u{4f1a}\u{793e}  ");
    let token =
        server.anonymous().post("/auth/setup").json(&setup).send().expect(201)["access_token"].clone();
    let owner = server.anonymous().bearer(token.as_str().unwrap());
    let organization = owner.get("/api/v1/organizations").send().expect(200)[0].clone();
    assert_eq!(organization["name"], "\u{682a}\u{5f0f}\u{4f1a}\u{793e}");
    assert!(!organization["slug"].as_str().unwrap().is_empty());
}

#[test]
fn everything_is_there_after_a_restart() {
    let world = World::new(Server::start());
    let before = world.owner.get(&world.organization_path()).send().expect(200);
    let world = world.restart();
    assert_eq!(world.owner.get(&world.organization_path()).send().expect(200), before);
}
