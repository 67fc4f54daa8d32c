//! `POST /auth/password/change`, `/forgot` and `/reset`.

use crate::support::person::{Person, link_token, sign_in};
use crate::support::{Client, PASSWORD, Response, Server, Value, World, json, world};

const NEW: &str = "another passphrase";

fn change(client: &Client, current: &str, new: &str) -> Response {
    let body = json!({"current_password": current, "new_password": new});
    client.post("/auth/password/change").json(&body).send()
}

fn reset(world: &World, token: &str, password: &str) -> Response {
    let body = json!({"token": token, "password": password});
    world.anonymous().post("/auth/password/reset").json(&body).send()
}

#[track_caller]
fn reset_link(client: &Client, world: &World, id: i64) -> Value {
    client.post(&format!("{}/reset-link", world.member_path(id))).send().expect(201)
}

#[test]
fn a_change_ends_the_other_sessions_and_gives_a_new_one() {
    let world = world();
    let person = world.member();
    let (other, tool) = (person.again(), person.tool(&["read"]));
    let answer = change(&person.client, PASSWORD, NEW);
    let new = Person::of(&world.anonymous(), &answer.expect(200));
    assert_eq!((new.id, answer.cookie("mayday_session")), (person.id, Some(new.token.clone())));
    for old in [&person, &other] {
        assert_ne!(old.token, new.token);
        old.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    }
    new.client.get("/api/v1/me").send().expect(200);
    tool.get("/api/v1/me").send().expect(200);
    world.sign_in(&person.email, PASSWORD).refuse(401, "password");
    world.sign_in(&person.email, NEW).expect(200);
}

#[test]
fn a_change_revokes_the_personal_tokens_on_request() {
    let world = world();
    let (person, other) = (world.member(), world.member());
    let (tool, others) = (person.tool(&["read"]), other.tool(&["read"]));
    let body = json!({"current_password": PASSWORD, "new_password": NEW, "end_tokens": true});
    person.client.post("/auth/password/change").json(&body).send().expect(200);
    tool.get("/api/v1/me").send().refuse(401, "");
    others.get("/api/v1/me").send().expect(200);
}

#[test]
fn a_change_needs_the_current_password_and_a_good_new_one() {
    let world = world();
    let person = world.member();
    change(&person.client, "wrong", NEW).refuse(403, "current password");
    for new in ["x".repeat(11), "x".repeat(257)] {
        change(&person.client, PASSWORD, &new).refuse(422, "password");
    }
    change(&world.anonymous(), PASSWORD, NEW).refuse(401, "Not signed in");
    change(&person.tool(&["admin"]), PASSWORD, NEW).refuse(403, "token");
    person.client.get("/api/v1/me").send().expect(200);
    world.sign_in(&person.email, PASSWORD).expect(200);
}

#[test]
fn a_reset_link_works_once_and_ends_the_sessions() {
    let world = World::new(Server::start());
    let person = world.member();
    let link = reset_link(&world.admin().client, &world, person.id);
    let url = link["url"].as_str().unwrap();
    let start = format!("http://localhost:{}/reset-password#token=", world.server.port());
    assert!(url.starts_with(&start), "{url}");
    let token = link_token(&link["url"]);
    reset(&world, &token, "short").refuse(422, "password");
    reset(&world, "wrong", NEW).refuse(403, "link");
    let done = reset(&world, &token, NEW);
    done.expect(204);
    assert_eq!(done.header("set-cookie"), None, "the person signs in themselves");
    person.client.get("/api/v1/me").send().refuse(401, "Not signed in");
    reset(&world, &token, PASSWORD).refuse(403, "no longer valid");
    world.sign_in(&person.email, NEW).expect(200);
}

#[test]
fn the_newest_link_is_the_only_one_and_a_change_kills_it() {
    let world = world();
    let person = world.member();
    let links = [(); 3].map(|()| link_token(&reset_link(&world.owner, &world, person.id)["url"]));
    for dead in &links[..2] {
        reset(&world, dead, NEW).refuse(403, "no longer valid");
    }
    reset(&world, &links[2], NEW).expect(204);
    let link = link_token(&reset_link(&world.owner, &world, person.id)["url"]);
    let again = Person::of(&world.anonymous(), &sign_in(&world.anonymous(), &person.email, NEW).expect(200));
    change(&again.client, NEW, PASSWORD).expect(200);
    reset(&world, &link, NEW).refuse(403, "no longer valid");
}

#[test]
fn of_many_simultaneous_resets_one_succeeds() {
    let world = World::new(Server::start());
    let person = world.member();
    let token = link_token(&reset_link(&world.owner, &world, person.id)["url"]);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let (world, token) = (&world, &token);
        let one = |number: usize| {
            scope.spawn(move || reset(world, token, &format!("passphrase number {number}")).status())
        };
        let resets: Vec<_> = (0..6).map(one).collect();
        resets.into_iter().map(|reset| reset.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 204).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 204 | 403)), "{statuses:?}");
}

#[test]
fn nobody_makes_a_link_for_somebody_of_a_higher_role() {
    let world = world();
    let (admin, other, member) = (world.admin(), world.admin(), world.member());
    let ask = |client: &Client, id: i64| client.post(&format!("{}/reset-link", world.member_path(id))).send();
    ask(&admin.client, world.owner_id).refuse(403, "");
    ask(&member.client, admin.id).refuse(403, "role");
    ask(&member.client, member.id).refuse(403, "role");
    ask(&admin.client, other.id).expect(201);
    ask(&world.owner, admin.id).expect(201);
    ask(&admin.client, 999_999).refuse(404, "member");
    ask(&admin.tool(&["admin"]), member.id).refuse(403, "token");
}

#[test]
fn a_link_does_not_help_somebody_who_is_shut_out() {
    let world = world();
    let (disabled, removed) = (world.member(), world.member());
    let links = [disabled.id, removed.id].map(|id| link_token(&reset_link(&world.owner, &world, id)["url"]));
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(disabled.id)).json(&change).send().expect(200);
    world.owner.delete(&world.member_path(removed.id)).send().expect(204);
    reset(&world, &links[1], NEW).refuse(403, "no longer valid");
    let answer = reset(&world, &links[0], NEW);
    assert!(matches!(answer.status(), 204 | 403), "{answer:?}");
    for person in [&disabled, &removed] {
        for password in [PASSWORD, NEW] {
            let answer = world.sign_in(&person.email, password);
            assert!(matches!(answer.status(), 401 | 403), "{answer:?}");
        }
    }
    let ask = |id: i64| world.owner.post(&format!("{}/reset-link", world.member_path(id))).send();
    ask(disabled.id).refuse(409, "disabled");
    ask(removed.id).refuse(404, "member");
}

#[test]
fn forgotten_password_reveals_nothing() {
    let world = world();
    let forgot =
        |email: &str| world.anonymous().post("/auth/password/forgot").json(&json!({"email": email})).send();
    let known = forgot(crate::support::EMAIL);
    known.expect(202);
    assert_eq!(known.told(), forgot("nobody@example.com").told());
    forgot("nobody").refuse(422, "email");
}
