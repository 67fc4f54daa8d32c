//! Sessions: how they begin, how they are seen, how they end.

use crate::support::person::{Person, fresh_email, link_token};
use crate::support::world::number;
use crate::support::{Client, PASSWORD, Server, World, json, world};

#[track_caller]
fn assert_ended(world: &World, token: &str) {
    world.bearer(token).get("/api/v1/me").send().refuse(401, "Not signed in");
    world.anonymous().cookie(token).get("/api/v1/me").send().refuse(401, "Not signed in");
}

fn sessions(client: &Client) -> Vec<crate::support::Value> {
    let list = client.get("/api/v1/me/sessions").send().expect(200);
    let sessions = list["sessions"].as_array().unwrap().clone();
    assert_eq!(list["total"], sessions.len());
    sessions
}

#[test]
fn a_session_that_was_sent_along_is_never_the_one_that_begins() {
    let world = world();
    let (victim, attacker) = (world.member(), world.member());
    let planted = ["st_planted", attacker.token.as_str()];
    for cookie in planted {
        let browser = world.anonymous().cookie(cookie);
        let login = json!({"email": victim.email, "password": PASSWORD});
        let request = browser.post("/auth/password/login").header("sec-fetch-site", "same-origin");
        let answer = request.json(&login).send();
        let session = Person::of(&world.anonymous(), &answer.expect(200));
        assert_ne!(session.token, cookie);
        assert_eq!(answer.cookie("mayday_session"), Some(session.token.clone()));
        let me = world.anonymous().cookie(&session.token).get("/api/v1/me").send().expect(200);
        assert_eq!(me["id"], victim.id);
    }
    let me = attacker.client.get("/api/v1/me").send().expect(200);
    assert_eq!(me["id"], attacker.id, "the planted session is still its owner's");

    let email = fresh_email();
    let token = link_token(&world.invite(&email, "member")["invite_url"]);
    let browser = world.anonymous().cookie(&attacker.token);
    let register = json!({"email": email, "password": PASSWORD, "invitation_token": token});
    let request = browser.post("/auth/password/register").header("sec-fetch-site", "same-origin");
    let registered = Person::of(&world.anonymous(), &request.json(&register).send().expect(201));
    assert_ne!(registered.token, attacker.token);
    assert_ne!(registered.id, attacker.id);
}

#[test]
fn the_list_shows_where_a_person_is_signed_in() {
    let world = World::new(Server::start());
    let person = world.member();
    let login = world.anonymous().post("/auth/password/login").header("user-agent", "A Browser/1.0");
    let login = login.json(&json!({"email": person.email, "password": PASSWORD})).send();
    let again = Person::of(&world.anonymous(), &login.expect(200));
    let list = sessions(&again.client);
    assert_eq!(list.len(), 2);
    let current = list.iter().find(|session| session["current"] == true).unwrap();
    let other = list.iter().find(|session| session["current"] == false).unwrap();
    assert_eq!((&current["method"], &other["method"]), (&json!("password"), &json!("invitation")));
    assert_eq!((&current["user_agent"], &other["user_agent"]), (&json!("A Browser/1.0"), &json!(null)));
    assert_eq!(current["address"], "127.0.0.1");
    for name in ["created_at", "last_seen_at", "expires_at"] {
        assert!(current[name].as_str().unwrap().ends_with('Z'), "{current}");
    }
    let mut fields: Vec<&String> = current.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    let expected = "address created_at current expires_at id last_seen_at method user_agent";
    assert_eq!(fields, expected.split(' ').collect::<Vec<_>>());
    assert!(!json!(list).to_string().contains(&again.token));
    assert_eq!(sessions(&world.owner)[0]["method"], "setup");
}

#[test]
fn one_session_is_ended_from_another() {
    let world = world();
    let person = world.member();
    let (kept, ending) = (person.again(), person.again());
    let path = format!("/api/v1/me/sessions/{}", ending.session_id());
    kept.client.delete(&path).send().expect(204);
    assert_ended(&world, &ending.token);
    kept.client.delete(&path).send().refuse(404, "session");
    assert_eq!(sessions(&kept.client).len(), 2);
    // Including the one that sends the request.
    kept.client.delete(&format!("/api/v1/me/sessions/{}", kept.session_id())).send().expect(204);
    assert_ended(&world, &kept.token);
    person.client.get("/api/v1/me").send().expect(200);
}

#[test]
fn all_other_sessions_are_ended_at_once() {
    let world = world();
    let person = world.member();
    let others = [person.again(), person.again()];
    let bystander = world.member();
    person.client.delete("/api/v1/me/sessions").send().expect(204);
    others.iter().for_each(|other| assert_ended(&world, &other.token));
    assert_eq!(sessions(&person.client).len(), 1);
    bystander.client.get("/api/v1/me").send().expect(200);
}

#[test]
fn another_persons_session_looks_unknown() {
    let world = world();
    let (person, other) = (world.member(), world.member());
    let others = other.session_id().to_string();
    for who in [&person.client, &world.admin().client, &world.owner] {
        let told = who.delete("/api/v1/me/sessions/999999999").send().told();
        assert_eq!(told.0, 404);
        for id in [&others, "0", "-1", "x", "99999999999999999999", "%00"] {
            assert_eq!(who.delete(&format!("/api/v1/me/sessions/{id}")).send().told(), told, "{id}");
        }
    }
    let owners = format!("/api/v1/me/sessions/{}", world.owner_person().session_id());
    person.client.delete(&owners).send().refuse(404, "session");
    for still in [&other.client, &world.owner] {
        still.get("/api/v1/me").send().expect(200);
    }
}

#[test]
fn a_change_of_role_keeps_the_sessions_and_applies_at_once() {
    let world = world();
    let person = world.member();
    let (second, tool) = (person.again(), person.tool(&["read"]));
    let invitations = format!("{}/invitations", world.organization_path());
    for (role, status) in [("admin", 200), ("member", 403)] {
        world.owner.patch(&world.member_path(person.id)).json(&json!({"role": role})).send().expect(200);
        for client in [&person.client, &second.client] {
            assert_eq!(client.get(&invitations).send().status(), status, "{role}");
        }
        tool.get("/api/v1/me").send().expect(200);
    }
}

#[test]
fn disabling_and_removing_end_all_sessions() {
    let world = world();
    let (disabled, removed) = (world.member(), world.member());
    let (disabled_again, removed_again) = (disabled.again(), removed.again());
    let status = |status: &str| {
        let change = json!({"status": status});
        world.owner.patch(&world.member_path(disabled.id)).json(&change).send().expect(200);
    };
    status("disabled");
    world.owner.delete(&world.member_path(removed.id)).send().expect(204);
    for one in [&disabled, &disabled_again, &removed, &removed_again] {
        assert_ended(&world, &one.token);
    }
    // Enabling the account does not revive them.
    status("active");
    assert_ended(&world, &disabled.token);
    disabled.again();
}

#[test]
fn somebody_who_leaves_is_signed_out() {
    let world = world();
    let person = world.member();
    person.client.delete(&world.member_path(person.id)).send().expect(204);
    assert_ended(&world, &person.token);
    world.sign_in(&person.email, PASSWORD).refuse(403, "no longer active");
}

#[test]
fn a_session_is_no_key_and_no_similar_token_is_a_session() {
    let world = world();
    let token = world.member().token;
    for wrong in [&token[..token.len() - 1], &format!("{token}x"), &token.to_uppercase(), &token[3..]] {
        world.bearer(wrong).get("/api/v1/me").send().refuse(401, "");
        world.anonymous().cookie(wrong).get("/api/v1/me").send().refuse(401, "");
    }
}

#[test]
fn a_hundred_sessions_are_all_and_the_oldest_makes_room() {
    let world = World::new(Server::start());
    let person = world.member();
    let newest = (0..100).map(|_| person.again()).collect::<Vec<_>>().pop().unwrap();
    assert_eq!(sessions(&newest.client).len(), 100);
    assert_ended(&world, &person.token);
    assert!(number(&sessions(&newest.client)[0]["id"]) > 0);
}
