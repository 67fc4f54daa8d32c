//! `POST /auth/logout`.

use crate::support::world::text;
use crate::support::{EMAIL, PASSWORD, World, json, world};

fn sign_in(world: &World) -> String {
    let body = json!({"email": EMAIL, "password": PASSWORD});
    text(&world.anonymous().post("/auth/password/login").json(&body).send().expect(200)["access_token"])
}

#[test]
fn signing_out_by_bearer_ends_the_session_for_both_uses() {
    let world = world();
    let token = sign_in(&world);
    world.bearer(&token).post("/auth/logout").send().expect(204);
    world.bearer(&token).get("/api/v1/me").send().refuse(401, "Not signed in");
    world.anonymous().cookie(&token).get("/api/v1/me").send().refuse(401, "Not signed in");
    world.bearer(&token).post("/auth/logout").send().refuse(401, "Not signed in");
}

#[test]
fn signing_out_by_cookie_ends_the_session_and_clears_the_cookie() {
    let world = world();
    let token = sign_in(&world);
    let browser = world.anonymous().cookie(&token);
    let answer = browser.post("/auth/logout").header("sec-fetch-site", "same-origin").send();
    answer.expect(204);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("mayday_session=;") && cookie.contains("Max-Age=0"), "{cookie}");
    browser.get("/api/v1/me").send().refuse(401, "Not signed in");
    world.bearer(&token).get("/api/v1/me").send().refuse(401, "Not signed in");
}

#[test]
fn signing_out_requires_a_session() {
    let world = world();
    world.anonymous().post("/auth/logout").send().refuse(401, "Not signed in");
    world.bearer("st_nonsense").post("/auth/logout").send().refuse(401, "Not signed in");
    world.anonymous().post("/auth/logout").header("authorization", "Basic YTpi").send().refuse(401, "Bearer");
}
