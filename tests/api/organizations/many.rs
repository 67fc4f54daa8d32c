//! `SINGLE_ORG_MODE=false`, and making organizations.

use crate::support::person::fresh_email;
use crate::support::world::number;
use crate::support::{Server, Value, World, json, world};
use std::sync::Arc;

#[test]
fn owners_and_admins_rename_an_organization() {
    let world = World::new(Server::start());
    let admin = world.admin();
    let rename =
        |name: Value| admin.client.patch(&world.organization_path()).json(&json!({"name": name})).send();
    let renamed = rename(json!("  Acme & Sons ")).expect(200);
    assert_eq!((&renamed["name"], &renamed["role"]), (&json!("Acme & Sons"), &json!("admin")));
    let seen = world.owner.get(&world.organization_path()).send().expect(200);
    assert_eq!((&seen["name"], &seen["id"]), (&json!("Acme & Sons"), &json!(world.organization)));
    for wrong in [json!(""), json!(" "), json!("x".repeat(129)), json!("a\u{0}b"), json!(5)] {
        rename(wrong).refuse(422, "name");
    }
    world
        .member()
        .client
        .patch(&world.organization_path())
        .json(&json!({"name": "x"}))
        .send()
        .refuse(403, "role");
}

#[test]
fn a_server_for_one_organization_makes_no_second() {
    let world = world();
    for client in [&world.owner, &world.admin().client, &world.member().client] {
        client
            .post("/api/v1/organizations")
            .json(&json!({"name": "Mine"}))
            .send()
            .refuse(403, "one organization");
    }
    assert_eq!(world.owner.get("/api/v1/organizations").send().expect(200).as_array().unwrap().len(), 1);
}

#[test]
fn where_there_are_many_everybody_makes_their_own() {
    let server = Arc::new(Server::of_many());
    let (one, two) = (World::founded(&server, "One"), World::founded(&server, "Two"));
    for (world, other) in [(&one, &two), (&two, &one)] {
        let list = world.owner.get("/api/v1/organizations").send().expect(200);
        assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
        assert_eq!((&list[0]["id"], &list[0]["role"]), (&json!(world.organization), &json!("owner")));
        world.owner.get(&other.organization_path()).send().refuse(403, "access to this organization");
    }
    // A member of several sees each with their role there.
    let invitation = two.invite("guest@example.com", "member");
    let token = crate::support::person::link_token(&invitation["invite_url"]);
    let body = json!({"email": "guest@example.com", "password": crate::support::PASSWORD, "invitation_token": token});
    let guest = server.anonymous().post("/auth/password/register").json(&body).send().expect(201);
    let guest = server.anonymous().bearer(guest["access_token"].as_str().unwrap());
    guest.post("/api/v1/organizations").json(&json!({"name": "Three"})).send().expect(201);
    let list = guest.get("/api/v1/organizations").send().expect(200);
    let roles: Vec<_> = list.as_array().unwrap().iter().map(|one| (&one["name"], &one["role"])).collect();
    assert_eq!(roles.len(), 2, "{list}");
    assert!(roles.contains(&(&json!("Two"), &json!("member"))), "{list}");
    assert!(roles.contains(&(&json!("Three"), &json!("owner"))), "{list}");
    guest.patch(&two.organization_path()).json(&json!({"name": "x"})).send().refuse(403, "role");
    for wrong in [json!({}), json!({"name": ""}), json!({"name": 5})] {
        guest.post("/api/v1/organizations").json(&wrong).send().refuse(422, "name");
    }
}

#[test]
fn no_organization_of_many_runs_the_instance() {
    let server = Arc::new(Server::of_many());
    let world = World::founded(&server, "One");
    let member = world.member();
    let at = |rest: &str| format!("{}{rest}", world.organization_path());
    world.owner.get(&at("/sign-in")).send().refuse(403, "");
    let check = json!({"provider": "sso"});
    world.owner.post(&at("/sign-in/check")).json(&check).send().refuse(403, "");
    world.owner.get(&at("/sign-in/tests/1")).send().refuse(403, "");
    // Accounts belong to no organization.
    world.owner.post(&at(&format!("/members/{}/reset-link", member.id))).send().refuse(403, "");
    let disable = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(member.id)).json(&disable).send().refuse(403, "");
    world.owner.delete(&world.member_path(member.id)).send().expect(204);
    // A person who was removed from one may still sign in, and sees nothing of it.
    let again = member.again();
    assert_eq!(again.client.get("/api/v1/organizations").send().expect(200), json!([]));
    again.client.get(&at("")).send().refuse(403, "access to this organization");
}

#[test]
fn the_audit_log_of_many_is_each_ones_own() {
    let server = Arc::new(Server::of_many());
    let (one, two) = (World::founded(&server, "One"), World::founded(&server, "Two"));
    let email = fresh_email();
    two.invite(&email, "member");
    two.sign_in("nobody@example.com", "wrong").refuse(401, "");
    let seen = json!(one.audit("?limit=200")).to_string();
    for foreign in [email.as_str(), "Two", "nobody@example.com"] {
        assert!(!seen.contains(foreign), "{foreign} in {seen}");
    }
    assert_eq!(two.audit("?action=invitation.")[0]["target"], email);
    assert_eq!(one.audit("?action=organization.created").len(), 1);
    one.owner.get(&format!("{}/audit", two.organization_path())).send().refuse(403, "access");
    assert_eq!(one.audit(&format!("?actor={}", two.owner_id)).len(), 0);
}

#[test]
fn the_floor_is_of_one_organization_only() {
    let server = Server::start_with(&[("SINGLE_ORG_MODE", "false"), ("ADMIN_EMAILS", "listed@example.com")]);
    let server = Arc::new(server);
    let world = World::founded(&server, "One");
    let listed = world.join("listed@example.com", "member");
    listed.again();
    assert_eq!(world.seen(listed.id)["role"], "member");
}

#[test]
fn a_restart_keeps_the_mode_that_the_claim_chose() {
    let world = World::start_with(&[]);
    let id = number(&world.owner.get("/api/v1/organizations").send().expect(200)[0]["id"]);
    let world = world.restart();
    assert_eq!(id, world.organization);
    world
        .owner
        .post("/api/v1/organizations")
        .json(&json!({"name": "x"}))
        .send()
        .refuse(403, "one organization");
}
