//! `POST /api/v1/me/email` and `POST /auth/email/confirm`.

use crate::support::{PASSWORD, World, json, world};

#[test]
fn an_address_that_cannot_be_confirmed_is_not_changed() {
    let world = world();
    let person = world.member();
    let change = |email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        person.client.post("/api/v1/me/email").json(&body).send()
    };
    change("grace@example.com", PASSWORD).refuse(409, "not configured");
    change("nobody", PASSWORD).refuse(422, "email");
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_eq!(me["email"], person.email);
}

#[test]
fn a_change_needs_the_password_and_changes_nothing_before_it_is_confirmed() {
    let world = World::start_with(&[
        ("MAIL_API_KEY", "the-key-of-the-mail-service"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
        ("SERVICE_MAIL_API_URL", "http://127.0.0.1:9/email"),
    ]);
    let person = world.member();
    let change = |email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        person.client.post("/api/v1/me/email").json(&body).send()
    };
    change("grace@example.com", "wrong").refuse(403, "password");
    change(&person.email, PASSWORD).refuse(422, "email");
    // Nobody learns whether an address already belongs to somebody.
    let told = change("grace@example.com", PASSWORD).told();
    assert_eq!(told.0, 202);
    assert_eq!(change(crate::support::EMAIL, PASSWORD).told(), told);
    let me = person.client.get("/api/v1/me").send().expect(200);
    assert_eq!(me["email"], person.email);
    for token in ["", "x", &person.token] {
        let confirm = world.anonymous().post("/auth/email/confirm").json(&json!({"token": token})).send();
        confirm.refuse(403, "no longer valid");
    }
    world.sign_in("grace@example.com", PASSWORD).refuse(401, "");
    world.sign_in(&person.email, PASSWORD).expect(200);
}
