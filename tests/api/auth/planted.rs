//! Accounts that an administrator made in somebody else's name: the owner of the mailbox does not share them.

use crate::support::code_host::CodeHost;
use crate::support::flow::go_through;
use crate::support::person::{Person, link_token, register};
use crate::support::world::text;
use crate::support::{Client, PASSWORD, World, json};

const CHIEF: &str = "ceo@example.com";

/// What the administrator keeps: a session and a token of the account, whose password is [`PASSWORD`].
struct Planted {
    person: Person,
    tool: Client,
}

impl Planted {
    /// An administrator invites the address, is shown the link, and opens it.
    fn new(world: &World) -> Self {
        let admin = world.admin();
        let invitation = crate::support::person::invite(&admin.client, world, CHIEF, "admin").expect(201);
        let answer = register(&world.anonymous(), CHIEF, PASSWORD, &link_token(&invitation["invite_url"]));
        let person = Person::of(&world.anonymous(), &answer.expect(201));
        let tool = person.tool(&["admin"]);
        Self { person, tool }
    }

    #[track_caller]
    fn expect_gone(&self, world: &World) {
        world.sign_in(CHIEF, PASSWORD).refuse(401, "");
        self.person.client.get("/api/v1/me").send().refuse(401, "");
        self.tool.get("/api/v1/me").send().refuse(401, "");
    }
}

#[test]
fn a_link_that_was_shown_proves_no_mailbox() {
    let world = World::start_with(&[("ADMIN_EMAILS", CHIEF)]);
    let Planted { person, .. } = Planted::new(&world);
    assert_eq!(person.client.get("/api/v1/me").send().expect(200)["email_proven"], false);
    // Yet an administrator wanted the address here, which is enough for the list of administrators.
    let demote = json!({"role": "member"});
    world.owner.patch(&world.member_path(person.id)).json(&demote).send().refuse(409, "ADMIN_EMAILS");
}

#[test]
fn planted_access_ends_when_the_person_signs_in_by_a_provider() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let planted = Planted::new(&world);
    host.be(7, CHIEF, &json!(true));
    let session = go_through(&world.anonymous()).expect("/");
    planted.expect_gone(&world);
    let me = world.bearer(&session).get("/api/v1/me").send().expect(200);
    assert_eq!(
        (&me["id"], &me["email_proven"], &me["has_password"]),
        (&json!(planted.person.id), &json!(true), &json!(false))
    );
}

#[test]
fn planted_access_ends_when_the_organization_is_handed_over() {
    let world = World::start_with(&[]);
    let planted = Planted::new(&world);
    let path = format!("{}/owner", world.organization_path());
    let handed = world.owner.post(&path).json(&json!({"user_id": planted.person.id})).send().expect(200);
    planted.expect_gone(&world);
    // The old owner passes this link on to the new one, who signs in with it.
    world.server.set_password(&text(&handed["reset_link"]["url"]));
    let owner = Person::of(&world.anonymous(), &world.sign_in(CHIEF, PASSWORD).expect(200));
    let organization = owner.client.get(&world.organization_path()).send().expect(200);
    assert_eq!(organization["role"], "owner");
}

#[test]
fn a_person_with_a_proven_address_keeps_their_access_when_they_become_the_owner() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let person = Planted::new(&world).person;
    host.be(7, CHIEF, &json!(true));
    go_through(&world.anonymous()).expect("/");
    let path = format!("{}/owner", world.organization_path());
    let handed = world.owner.post(&path).json(&json!({"user_id": person.id})).send().expect(200);
    assert_eq!(handed["reset_link"], json!(null));
    go_through(&world.anonymous()).expect("/");
}

#[test]
fn with_many_organizations_only_a_proven_address_becomes_an_owner() {
    let server = std::sync::Arc::new(crate::support::Server::of_many());
    let world = World::founded(&server, "Acme");
    let planted = Planted::new(&world);
    let path = format!("{}/owner", world.organization_path());
    let refused = world.owner.post(&path).json(&json!({"user_id": planted.person.id})).send();
    refused.refuse(409, "mailbox");
    planted.person.client.get("/api/v1/me").send().expect(200);
}
