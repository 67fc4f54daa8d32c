//! A sign-in at a provider belongs to one browser, works once, and ends with a clear message.

use crate::support::code_host::CodeHost;
use crate::support::flow::{Flow, Landing, go_through};
use crate::support::person::Person;
use crate::support::{Client, World, json};

/// A world with a code host at which a member is signed in.
fn signed_in_at_the_host() -> (CodeHost, World, Person) {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let person = world.member();
    host.be(7, &person.email, &json!(true));
    (host, world, person)
}

fn callback(client: &Client, path_and_query: &str, cookie: &str) -> Landing {
    Landing::of(&client.get(path_and_query).header("cookie", cookie).send())
}

#[test]
fn a_complete_flow_signs_in_with_a_new_session() {
    let (_, world, person) = signed_in_at_the_host();
    let client = world.anonymous();
    let flow = Flow::start_to(&client, "/projects");
    let planted = "mayday_session=st_planted";
    let landing = flow.finish_with(&client, &format!("{}; {planted}", flow.cookie));
    let session = landing.expect("/projects");
    assert_ne!(session, "st_planted");
    let me = client.cookie(&session).get("/api/v1/me").send().expect(200);
    assert_eq!(me["id"], person.id);
    client.cookie("st_planted").get("/api/v1/me").send().refuse(401, "Not signed in");
    let sessions = client.bearer(&session).get("/api/v1/me/sessions").send().expect(200);
    let current = sessions["sessions"].as_array().unwrap().iter().find(|one| one["current"] == true);
    assert_eq!(current.unwrap()["method"], "github");
}

#[test]
fn a_flow_of_one_browser_does_not_end_in_another() {
    let (_, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let (mine, theirs) = (Flow::start(&client), Flow::start(&client));
    mine.finish_with(&client, &theirs.cookie).refuse("/login", "wrong_browser");
    mine.finish_with(&client, "mayday_flow=").refuse("/login", "wrong_browser");
    mine.finish_with(&client, "a=b").refuse("/login", "wrong_browser");
    // The attempt did not use it up: its own browser still signs in.
    mine.finish(&client).expect("/");
    theirs.finish(&client).expect("/");
}

#[test]
fn a_flow_works_once() {
    let (_, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let flow = Flow::start(&client);
    flow.finish(&client).expect("/");
    flow.finish(&client).refuse("/login", "flow_expired");
    // Also by a return that failed.
    let flow = Flow::start(&client);
    let path = format!("/auth/github/callback?state={}&error=access_denied", flow.state);
    callback(&client, &path, &flow.cookie).refuse("/login", "cancelled");
    flow.finish(&client).refuse("/login", "flow_expired");
}

#[test]
fn of_many_simultaneous_returns_one_succeeds() {
    let (_, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let flow = Flow::start(&client);
    let landings: Vec<Landing> = std::thread::scope(|scope| {
        let finish = || scope.spawn(|| flow.finish(&client));
        let returns: Vec<_> = (0..8).map(|_| finish()).collect();
        returns.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(landings.iter().filter(|landing| landing.session.is_some()).count(), 1, "{landings:?}");
}

#[test]
fn an_unknown_state_counts_as_expired() {
    let (_, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let flow = Flow::start(&client);
    for state in ["", "x", &flow.state.to_uppercase(), &"x".repeat(4_000)] {
        let path = format!("/auth/github/callback?state={state}&code=x");
        callback(&client, &path, &flow.cookie).refuse("/login", "flow_expired");
    }
    callback(&client, "/auth/github/callback?code=x", &flow.cookie).refuse("/login", "flow_expired");
    callback(&client, "/auth/github/callback", &flow.cookie).refuse("/login", "flow_expired");
    callback(&client, "/auth/github/callback", "a=b").refuse("/login", "wrong_browser");
    let long = format!("/auth/github/callback?state={}&code={}", flow.state, "x".repeat(5_000));
    callback(&client, &long, &flow.cookie).refuse("/login", "invalid_answer");
    flow.finish(&client).expect("/");
}

#[test]
fn another_providers_callback_does_not_end_it() {
    let host = CodeHost::start();
    let world = host.world(&[
        ("SSO_ENABLED", "true"),
        ("SSO_OIDC_ISSUER_URL", "https://issuer.invalid"),
        ("SSO_OIDC_CLIENT_ID", "the-client"),
        ("SSO_OIDC_CLIENT_SECRET", "the-secret"),
    ]);
    let person = world.member();
    host.be(7, &person.email, &json!(true));
    let client = world.anonymous();
    let flow = Flow::start(&client);
    let path = format!("/api/v1/auth/callback?state={}&code=x", flow.state);
    callback(&client, &path, &flow.cookie).refuse("/login", "flow_expired");
    flow.finish(&client).expect("/");
}

#[test]
fn a_refusal_by_the_host_shows_only_a_code() {
    let (host, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let back = |query: &str| {
        let flow = Flow::start(&client);
        callback(&client, &format!("/auth/github/callback?state={}{query}", flow.state), &flow.cookie)
    };
    back("&error=access_denied").refuse("/login", "cancelled");
    back("&error=server_error&error_description=%3Cscript%3E").refuse("/login", "provider_refused");
    back("").refuse("/login", "invalid_answer");
    back("&code=").refuse("/login", "invalid_answer");
    host.refuse(json!({"error": "bad_verification_code", "error_description": "<script>"}));
    go_through(&client).refuse("/login", "provider_refused");
    host.refuse(json!({"token_type": "bearer"}));
    go_through(&client).refuse("/login", "invalid_answer");
    host.refuse(json!([1, 2]));
    go_through(&client).refuse("/login", "invalid_answer");
}

#[test]
fn a_person_is_recognized_by_the_hosts_number_alone() {
    let (host, world, person) = signed_in_at_the_host();
    let client = world.anonymous();
    let emails = json!([{"email": person.email, "primary": true, "verified": true}]);
    for id in [json!("7"), json!(0), json!(-7), json!(7.5), json!(null), json!([7]), json!(true)] {
        host.set(json!({"id": id, "login": person.email}), emails.clone());
        go_through(&client).refuse("/login", "invalid_answer");
    }
    host.set(json!({"login": person.email}), emails);
    go_through(&client).refuse("/login", "invalid_answer");
}

#[test]
fn returns_are_throttled_like_guesses() {
    let (_, world, _) = signed_in_at_the_host();
    let client = world.anonymous();
    let flow = Flow::start(&client);
    // A foreign page can send requests only without the cookie, so it cannot lock anybody out.
    for _ in 0..60 {
        callback(&client, "/auth/github/callback?state=x&code=x", "a=b").refuse("/login", "wrong_browser");
    }
    Flow::start(&client).finish(&client).expect("/");
    for _ in 0..50 {
        callback(&client, "/auth/github/callback?state=x&code=x", "mayday_flow=x")
            .refuse("/login", "flow_expired");
    }
    flow.finish(&client).refuse("/login", "rate_limited");
}
