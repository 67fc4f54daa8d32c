//! `POST /auth/password/login`, and the sessions that it makes.

use crate::support::world::text;
use crate::support::{EMAIL, PASSWORD, Server, Value, World, json, world};

#[test]
fn the_right_password_signs_in() {
    let world = world();
    for email in [EMAIL, "ADA@Example.com", " ada@example.com "] {
        let login = json!({"email": email, "password": PASSWORD});
        let body = world.anonymous().post("/auth/password/login").json(&login).send().expect(200);
        assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(2_592_000)));
        assert_eq!(body["user"]["email"], EMAIL);
        let me = world.bearer(&text(&body["access_token"])).get("/api/v1/me").send().expect(200);
        assert_eq!(me["id"], body["user"]["id"]);
    }
}

#[test]
fn a_wrong_password_and_an_unknown_address_get_the_same_answer() {
    let world = world();
    let attempt = |email: &str, password: &str| {
        let login = json!({"email": email, "password": password});
        let answer = world.anonymous().post("/auth/password/login").json(&login).send();
        assert_eq!(answer.header("set-cookie"), None);
        answer.refuse(401, "e-mail or the password")
    };
    let texts = [
        attempt(EMAIL, "a passphrase for test"),
        attempt(EMAIL, ""),
        attempt("nobody@example.com", PASSWORD),
        attempt("no address", PASSWORD),
    ];
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
}

#[test]
fn a_malformed_login_names_its_field() {
    let world = world();
    let client = world.anonymous();
    let login = |body: &Value| client.post("/auth/password/login").json(body).send();
    login(&json!({"email": EMAIL})).refuse(422, "password");
    login(&json!({"password": PASSWORD})).refuse(422, "email");
    login(&json!({"email": 5, "password": PASSWORD})).refuse(422, "email");
    login(&json!([])).refuse(422, "body");
    client.post("/auth/password/login").body("application/json", "nonsense").send().refuse(400, "JSON");
}

#[test]
fn each_sign_in_makes_a_session() {
    let world = world();
    let login = || {
        let body = json!({"email": EMAIL, "password": PASSWORD});
        text(&world.anonymous().post("/auth/password/login").json(&body).send().expect(200)["access_token"])
    };
    let (first, second) = (login(), login());
    assert_ne!(first, second);
    world.bearer(&first).post("/auth/logout").send().expect(204);
    world.bearer(&first).get("/api/v1/me").send().refuse(401, "Not signed in");
    world.bearer(&second).get("/api/v1/me").send().expect(200);
}

#[test]
fn the_cookie_over_http_is_for_the_server_alone() {
    let world = world();
    let login = json!({"email": EMAIL, "password": PASSWORD});
    let answer = world.anonymous().post("/auth/password/login").json(&login).send();
    let cookie = answer.header("set-cookie").unwrap();
    let mut parts = cookie.split("; ");
    let (name, value) = parts.next().unwrap().split_once('=').unwrap();
    assert_eq!((name, value), ("mayday_session", answer.value()["access_token"].as_str().unwrap()));
    let mut flags: Vec<&str> = parts.collect();
    flags.sort_unstable();
    assert_eq!(flags, ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
}

#[test]
fn the_cookie_over_https_is_secure_and_bound_to_the_host() {
    let server = Server::start_with(&[("SITE_ADDRESS", "mayday.example")]);
    let body = crate::support::world::setup(server.setup_token.as_ref().unwrap());
    let answer = server.anonymous().post("/auth/setup").json(&body).send();
    let cookie = answer.header("set-cookie").unwrap().to_owned();
    assert!(cookie.starts_with("__Host-mayday_session="), "{cookie}");
    for flag in ["; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"] {
        assert!(cookie.contains(flag), "{flag} in {cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
    // Anybody on the network could have set a cookie of the plain name, so it does not count there.
    let token = text(&answer.value()["access_token"]);
    server.anonymous().cookie(&token).get("/api/v1/me").send().refuse(401, "Not signed in");
    let cookie = format!("__Host-mayday_session={token}");
    server.anonymous().get("/api/v1/me").header("cookie", &cookie).send().expect(200);
}

#[test]
fn sessions_survive_a_restart_and_end_with_another_secret() {
    let world = World::new(Server::start()).restart();
    world.owner.get("/api/v1/me").send().expect(200);
    let secrets = world.server.data_dir().join("secrets.env");
    let kept = std::fs::read_to_string(&secrets).unwrap();
    let others = kept.lines().filter(|line| !line.starts_with("JWT_SECRET"));
    let other: String = others.map(|line| format!("{line}\n")).collect();
    std::fs::write(&secrets, other).unwrap();
    let world = world.restart();
    world.owner.get("/api/v1/me").send().refuse(401, "Not signed in");
    let login = json!({"email": EMAIL, "password": PASSWORD});
    world.anonymous().post("/auth/password/login").json(&login).send().expect(200);
}
