//! `mayday user`, with and without a running server.

use crate::support::person::sign_in;
use crate::support::{EMAIL, PASSWORD, Server, World, json};

#[test]
fn the_operator_makes_an_account_that_sets_its_own_password() {
    let world = World::new(Server::start());
    let told = world.server.operated(&["add", "Grace@Example.com", "--name", "Grace", "--role", "admin"]);
    assert!(told.contains("grace@example.com") && told.contains("/reset-password#token="), "{told}");
    world.sign_in("grace@example.com", PASSWORD).refuse(401, "");
    world.server.set_password(&told);
    let me = world.sign_in("grace@example.com", PASSWORD).expect(200)["user"].clone();
    let seen = world.seen(me["id"].as_i64().unwrap());
    assert_eq!(
        (&seen["role"], &seen["name"], &seen["email_proven"]),
        (&json!("admin"), &json!("Grace"), &json!(false))
    );
    let noted = &world.audit("?action=member.joined")[0];
    assert_eq!((&noted["actor"], &noted["address"]), (&json!("operator"), &json!(null)));
    assert!(
        !world.server.output().contains("#token=") || world.server.output().matches("#token=").count() == 1
    );
}

#[test]
fn the_operator_disables_and_enables_people_at_once() {
    let world = World::new(Server::start());
    let person = world.member();
    world.server.operated(&["disable", &person.email]);
    person.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    world.sign_in(&person.email, PASSWORD).refuse(403, "no longer active");
    world.server.operated(&["enable", &person.email]);
    person.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    person.again();
    let list = world.server.operated(&["list"]);
    assert!(list.contains(EMAIL) && list.contains(&person.email), "{list}");
    assert!(!list.contains("argon2"), "{list}");
}

#[test]
fn impossible_commands_are_explained() {
    let world = World::new(Server::start());
    let refused = |arguments: &[&str], part: &str| {
        let output = world.server.operate(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
    };
    refused(&["add", EMAIL], "already");
    refused(&["add", "nobody"], "email");
    refused(&["add", "grace@example.com", "--role", "owner"], "owner");
    refused(&["add", "grace@example.com", "--organization", "none"], "none");
    refused(&["disable", "nobody@example.com"], "nobody@example.com");
    refused(&["reset-link", "nobody@example.com"], "nobody@example.com");
}

/// The operator must be able to disable any account that was taken over, even the owner's.
#[test]
fn the_operator_shuts_out_even_an_owner_and_lets_them_in_again() {
    let world = World::new(Server::start());
    world.server.operated(&["disable", EMAIL]);
    world.owner.get("/api/v1/me").send().refuse(401, "Not signed in");
    world.sign_in(EMAIL, PASSWORD).refuse(403, "no longer active");
    world.server.operated(&["enable", EMAIL]);
    let owner = world.sign_in(EMAIL, PASSWORD).expect(200);
    let owner = world.bearer(owner["access_token"].as_str().unwrap());
    let organization = owner.get(&world.organization_path()).send().expect(200);
    assert_eq!(organization["role"], "owner");
}

#[test]
fn the_commands_work_without_a_running_server() {
    let world = World::new(Server::start());
    world.server.stop();
    let told = world.server.operated(&["add", "grace@example.com"]);
    let world = world.restart();
    world.server.set_password(&told);
    sign_in(&world.anonymous(), "grace@example.com", PASSWORD).expect(200);
}

#[test]
fn nobody_is_added_before_the_instance_is_claimed() {
    let server = Server::start();
    let output = server.operate(&["add", "grace@example.com"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("claimed"), "{text}");
    World::new(server);
}
