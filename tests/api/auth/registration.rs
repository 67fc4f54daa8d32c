//! `POST /auth/invitation` and `POST /auth/password/register`.

use crate::support::person::{Person, fresh_email, link_token, register};
use crate::support::world::text;
use crate::support::{EMAIL, PASSWORD, Response, Server, Value, World, json, world};

#[test]
fn an_invited_person_registers_and_is_signed_in() {
    let world = world();
    let email = fresh_email();
    let invitation = world.invite(&email, "admin");
    let token = link_token(&invitation["invite_url"]);
    let shown = world.anonymous().post("/auth/invitation").json(&json!({"token": token})).send().expect(200);
    let expected = json!({"email": email, "organization_name": "Acme", "role": "admin", "invited_by": EMAIL,
        "has_account": false, "expires_at": invitation["expires_at"]});
    assert_eq!(shown, expected);

    let body =
        json!({"email": email, "password": PASSWORD, "invitation_token": token, "name": " Grace Hopper "});
    let answer = world.anonymous().post("/auth/password/register").json(&body).send();
    let signed_in = answer.expect(201);
    assert_eq!(
        (&signed_in["token_type"], &signed_in["user"]["name"]),
        (&json!("bearer"), &json!("Grace Hopper"))
    );
    assert_eq!(answer.cookie("mayday_session"), Some(text(&signed_in["access_token"])));
    let person = Person::of(&world.anonymous(), &signed_in);
    let me = person.client.get("/api/v1/me").send().expect(200);
    // The person who invited them saw the link, too.
    assert_eq!((&me["email"], &me["email_proven"]), (&json!(email), &json!(false)));
    assert_eq!(world.seen(person.id)["role"], "admin");
    world.sign_in(&email, PASSWORD).expect(200);
    let shown = world.anonymous().post("/auth/invitation").json(&json!({"token": token})).send();
    shown.refuse(403, "Registration requires a valid invitation");
}

#[test]
fn a_token_is_accepted_in_its_other_spelling_and_the_email_in_any_case() {
    let world = world();
    let email = fresh_email();
    let token = link_token(&world.invite(&email.to_uppercase(), "member")["invite_url"]);
    let body = json!({"email": format!(" {} ", email.to_uppercase()), "password": PASSWORD, "invitationToken": token});
    let answer = world.anonymous().post("/auth/password/register").json(&body).send().expect(201);
    assert_eq!(answer["user"]["email"], email);
    assert_eq!(answer["user"]["name"], email.split('@').next().unwrap());
}

#[test]
fn malformed_fields_are_reported_first_and_keep_the_invitation() {
    let world = world();
    let email = fresh_email();
    let token = link_token(&world.invite(&email, "member")["invite_url"]);
    let client = world.anonymous();
    for token in [token.as_str(), "wrong"] {
        register(&client, "nobody", PASSWORD, token).refuse(422, "email");
        register(&client, &email, &"x".repeat(11), token).refuse(422, "password");
        register(&client, &email, &"x".repeat(257), token).refuse(422, "password");
        register(&client, &email, &"\u{e9}".repeat(11), token).refuse(422, "password");
    }
    // Characters count, not bytes.
    register(&client, &email, &"\u{e9}".repeat(12), &token).expect(201);
    let longest = fresh_email();
    let token = link_token(&world.invite(&longest, "member")["invite_url"]);
    register(&client, &longest, &"\u{1f511}".repeat(256), &token).expect(201);
    world.sign_in(&longest, &"\u{1f511}".repeat(256)).expect(200);
}

#[test]
fn of_many_simultaneous_acceptances_one_succeeds() {
    let world = World::new(Server::start());
    let email = fresh_email();
    let token = link_token(&world.invite(&email, "member")["invite_url"]);
    let client = world.anonymous();
    let answers: Vec<Response> = std::thread::scope(|scope| {
        let accept = || scope.spawn(|| register(&client, &email, PASSWORD, &token));
        let acceptances: Vec<_> = (0..8).map(|_| accept()).collect();
        acceptances.into_iter().map(|acceptance| acceptance.join().unwrap()).collect()
    });
    let won = answers.iter().filter(|answer| answer.status() == 201).count();
    let lost = answers.iter().filter(|answer| answer.status() == 403).count();
    assert_eq!((won, lost), (1, 7), "{answers:?}");
    let organization = world.owner.get(&world.organization_path()).send().expect(200);
    assert_eq!(organization["member_count"], 2);
    assert_eq!(world.audit("?action=invitation.accepted").len(), 1);
}

#[test]
fn somebody_with_an_account_joins_again_with_its_password() {
    let world = world();
    let person = world.member();
    world.owner.delete(&world.member_path(person.id)).send().expect(204);
    let token = link_token(&world.invite(&person.email, "admin")["invite_url"]);
    let client = world.anonymous();
    let shown = client.post("/auth/invitation").json(&json!({"token": token})).send().expect(200);
    assert_eq!(shown["has_account"], true);
    // The link alone is not enough: it may lie in anybody's mailbox.
    register(&client, &person.email, "another passphrase", &token).refuse(403, "valid invitation");
    world.sign_in(&person.email, PASSWORD).refuse(403, "no longer active");
    let answer = register(&client, &person.email, PASSWORD, &token).expect(201);
    assert_eq!(answer["user"]["id"], person.id);
    assert_eq!(world.seen(person.id)["role"], "admin");
    // Sessions and tokens from before the removal stay dead.
    person.client.get("/api/v1/me").send().refuse(401, "Not signed in");
}

#[test]
fn a_refused_registration_reveals_nothing_about_the_password() {
    let world = world();
    let answer = register(&world.anonymous(), &fresh_email(), PASSWORD, "x");
    assert_eq!((answer.header("set-cookie"), answer.cookie("mayday_session")), (None, None));
    let body: Value = answer.value();
    assert_eq!(body, json!({"detail": "Registration requires a valid invitation"}));
}
