//! `…/invitations`. Tests of accepting one are in `auth/`.

use crate::support::person::{fresh_email, invite, register};
use crate::support::{PASSWORD, Server, Value, World, json, world};

fn path(world: &World) -> String {
    format!("{}/invitations", world.organization_path())
}

#[test]
fn an_invitation_has_a_link_and_its_details() {
    let world = World::start_with(&[]);
    let email = fresh_email();
    let record = world.invite(&email.to_uppercase(), "admin");
    assert_eq!((&record["email"], &record["role"]), (&json!(email), &json!("admin")));
    assert_eq!(
        (&record["status"], &record["invited_by"]),
        (&json!("pending"), &json!(crate::support::EMAIL))
    );
    assert_eq!(record["organization_id"], world.organization);
    // Without mail the link is shared by hand.
    assert_eq!((&record["delivery_status"], &record["delivery_error"]), (&json!("skipped"), &json!(null)));
    assert_eq!(record["accepted_at"], Value::Null);
    let start = format!("http://localhost:{}/register?token=", world.server.port());
    assert!(record["invite_url"].as_str().unwrap().starts_with(&start), "{record}");
    let day = |field: &str| record[field].as_str().unwrap()[..10].to_owned();
    assert_ne!(day("expires_at"), day("created_at"));
    let list = world.owner.get(&path(&world)).send().expect(200);
    assert_eq!(list["invitations"][0], record);
    assert_eq!(list["has_more"], false);
}

#[test]
fn the_links_host_is_configured_and_never_the_requests() {
    let world = World::start_with(&[("FRONTEND_BASE_URL", "https://errors.example")]);
    let body = json!({"email": fresh_email()});
    for name in ["host", "x-forwarded-host", "forwarded"] {
        let request = world.owner.post(&path(&world)).header(name, "evil.example");
        let answer = request.json(&json!({"email": fresh_email()})).send();
        // Two host headers make the request invalid.
        if name != "host" || answer.status() == 201 {
            assert!(
                answer.expect(201)["invite_url"].as_str().unwrap().starts_with("https://errors.example/")
            );
        }
    }
    let record = world.owner.post(&path(&world)).json(&body).send().expect(201);
    assert!(record["invite_url"].as_str().unwrap().starts_with("https://errors.example/register?token="));
}

#[test]
fn nobody_invites_somebody_to_a_higher_role() {
    let world = world();
    let (admin, member) = (world.admin(), world.member());
    for client in [&world.owner, &admin.client] {
        invite(client, &world, &fresh_email(), "owner").refuse(422, "role");
        invite(client, &world, &fresh_email(), "boss").refuse(422, "role");
        invite(client, &world, &fresh_email(), "admin").expect(201);
    }
    invite(&member.client, &world, &fresh_email(), "member").refuse(403, "role");
    let plain = world.owner.post(&path(&world)).json(&json!({"email": fresh_email()})).send().expect(201);
    assert_eq!(plain["role"], "member");
}

#[test]
fn members_and_invited_people_are_not_invited_again() {
    let world = world();
    let (member, email) = (world.member(), fresh_email());
    invite(&world.owner, &world, &member.email.to_uppercase(), "member").refuse(409, "already a member");
    let first = world.invite(&email, "member");
    invite(&world.admin().client, &world, &email, "admin").refuse(409, "already invited");
    world.owner.delete(&format!("{}/{}", path(&world), first["id"])).send().expect(204);
    world.invite(&email, "member");
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(member.id)).json(&change).send().expect(200);
    invite(&world.owner, &world, &member.email, "member").refuse(409, "");
}

#[test]
fn of_many_simultaneous_invitations_of_an_address_one_is_made() {
    let world = World::new(Server::start());
    let email = fresh_email();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let one = || scope.spawn(|| invite(&world.owner, &world, &email, "member").status());
        let invitations: Vec<_> = (0..6).map(|_| one()).collect();
        invitations.into_iter().map(|invitation| invitation.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 201 | 409)), "{statuses:?}");
}

#[test]
fn sending_again_revokes_the_old_link_and_extends_the_time() {
    let world = world();
    let record = world.invite(&fresh_email(), "member");
    let resend = format!("{}/{}/resend", path(&world), record["id"]);
    let renewed = world.admin().client.post(&resend).send().expect(200);
    assert_eq!((&renewed["id"], &renewed["status"]), (&record["id"], &json!("pending")));
    assert_ne!(renewed["invite_url"], record["invite_url"]);
    assert!(renewed["expires_at"].as_str() >= record["expires_at"].as_str());
    assert_ne!(renewed["invited_by"], record["invited_by"], "who sends it answers for it");
    world.member().client.post(&resend).send().refuse(403, "role");
}

#[test]
fn an_ended_invitation_is_not_sent_again_and_keeps_its_state() {
    let world = World::new(Server::start());
    let accepted = world.member();
    let revoked = world.invite(&fresh_email(), "member");
    let one = |id: &Value, rest: &str| format!("{}/{id}{rest}", path(&world));
    world.owner.delete(&one(&revoked["id"], "")).send().expect(204);
    world.owner.post(&one(&revoked["id"], "/resend")).send().refuse(409, "revoked");
    let list = world.owner.get(&format!("{}?status=accepted", path(&world))).send().expect(200);
    let record = &list["invitations"][0];
    assert_eq!((&record["email"], &record["invite_url"]), (&json!(accepted.email), &json!(null)));
    assert!(record["accepted_at"].is_string());
    world.owner.post(&one(&record["id"], "/resend")).send().refuse(409, "accepted");
    world.owner.delete(&one(&record["id"], "")).send().refuse(409, "accepted");
    let list = world.owner.get(&format!("{}?status=revoked", path(&world))).send().expect(200);
    assert_eq!((&list["total"], &list["invitations"][0]["invite_url"]), (&json!(1), &json!(null)));
    for nobody in ["0", "-1", "x", "999999"] {
        world.owner.delete(&one(&json!(null), "").replace("null", nobody)).send().refuse(404, "invitation");
    }
}

#[test]
fn invitations_are_listed_in_pages_the_newest_first() {
    let world = World::new(Server::start());
    let emails: Vec<String> = (0..5).map(|_| fresh_email()).collect();
    emails.iter().for_each(|email| drop(world.invite(email, "member")));
    let page = |query: &str| world.owner.get(&format!("{}{query}", path(&world))).send();
    let first = page("?limit=2").expect(200);
    assert_eq!((&first["total"], &first["has_more"]), (&json!(5), &json!(true)));
    assert_eq!(first["invitations"][0]["email"], json!(emails[4]));
    let last = page("?limit=2&offset=4").expect(200);
    assert_eq!((&last["has_more"], &last["invitations"][0]["email"]), (&json!(false), &json!(emails[0])));
    assert_eq!(page("?status=expired").expect(200)["total"], 0);
    for (query, field) in
        [("?limit=0", "limit"), ("?limit=201", "limit"), ("?offset=-1", "offset"), ("?status=x", "status")]
    {
        page(query).refuse(422, field);
    }
}

#[test]
fn an_invitation_that_was_used_by_its_link_is_accepted_for_all_to_see() {
    let world = World::new(Server::start());
    let email = fresh_email();
    let record = world.invite(&email, "member");
    let token = crate::support::person::link_token(&record["invite_url"]);
    register(&world.anonymous(), &email, PASSWORD, &token).expect(201);
    let list = world.owner.get(&path(&world)).send().expect(200);
    assert_eq!(list["invitations"][0]["status"], "accepted");
}
