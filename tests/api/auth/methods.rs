//! `/auth/desktop/methods`, and starting a sign-in at a provider.

use crate::support::code_host::CodeHost;
use crate::support::flow::Flow;
use crate::support::{Server, World, json, world};

const SSO: [(&str, &str); 4] = [
    ("SSO_ENABLED", "true"),
    ("SSO_OIDC_ISSUER_URL", "https://issuer.invalid"),
    ("SSO_OIDC_CLIENT_ID", "the-client"),
    ("SSO_OIDC_CLIENT_SECRET", "the-secret"),
];
const HOST: [(&str, &str); 2] = [("HOST_OAUTH_CLIENT_ID", "x"), ("HOST_OAUTH_CLIENT_SECRET", "the-secret")];

/// Addresses of other sites, written in various ways.
const FOREIGN: [&str; 9] = [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "evil.example",
    "/\t/evil.example",
    "/x\r\nSet-Cookie: a=b",
    " //evil.example",
];

#[test]
fn the_methods_are_those_that_are_configured() {
    let sso = |enabled: bool, name: &str| json!({"enabled": enabled, "display_name": name});
    let off = ("PASSWORD_AUTH_ENABLED", "false");
    let name = ("SERVICE_SSO_DISPLAY_NAME", "Acme ID");
    for (variables, password, github, sso) in [
        (vec![], true, false, sso(false, "Company SSO")),
        (HOST.to_vec(), true, true, sso(false, "Company SSO")),
        (SSO.to_vec(), true, false, sso(true, "Company SSO")),
        ([SSO.as_slice(), &HOST, &[off, name]].concat(), false, true, sso(true, "Acme ID")),
        ([SSO.as_slice(), &[off]].concat(), false, false, sso(true, "Company SSO")),
        ([HOST.as_slice(), &[off]].concat(), false, true, sso(false, "Company SSO")),
    ] {
        let server = Server::start_with(&variables);
        let methods = server.anonymous().get("/auth/desktop/methods").send().expect(200);
        let expected = json!({"password_login": password, "github": github, "sso": sso});
        assert_eq!(methods, expected, "{variables:?}");
    }
}

#[test]
fn a_method_that_is_not_configured_cannot_be_started() {
    let world = world();
    let client = world.anonymous();
    for provider in ["sso", "github"] {
        let path = format!("/auth/{provider}/start");
        let answer = client.get(&path).send();
        assert_eq!((answer.status(), answer.header("location")), (302, Some("/login?error=not_configured")));
        assert_eq!(answer.header("set-cookie"), None);
        for purpose in ["sign_in", "claim", "link", "test"] {
            let answer = world.owner.post(&path).json(&json!({"purpose": purpose})).send();
            answer.refuse(404, "not configured");
        }
    }
    for path in ["/api/v1/auth/callback", "/auth/github/callback"] {
        let back = client.get(&format!("{path}?state=x&code=y")).header("cookie", "mayday_flow=x");
        let answer = back.send();
        assert_eq!((answer.status(), answer.header("location")), (302, Some("/login?error=not_configured")));
    }
}

#[test]
fn an_unreachable_provider_is_reported_on_the_sign_in_page() {
    let world = World::start_with(&SSO);
    let answer = world.anonymous().get("/auth/sso/start").send();
    assert_eq!((answer.status(), answer.header("location")), (302, Some("/login?error=unreachable")));
    world.anonymous().post("/auth/sso/start").json(&json!({})).send().refuse(409, "does not answer");
}

#[test]
fn the_browser_is_sent_to_the_provider_with_all_that_binds_the_flow() {
    let host = CodeHost::start();
    let server = host.server(&[("SITE_ADDRESS", "mayday.example")]);
    let answer = server.anonymous().get("/auth/github/start").send();
    let location = answer.header("location").unwrap();
    for part in [
        "/login/oauth/authorize?response_type=code&",
        "client_id=the-client&",
        "redirect_uri=https%3A%2F%2Fmayday.example%2Fauth%2Fgithub%2Fcallback&",
        "code_challenge_method=S256",
        "code_challenge=",
        "state=",
    ] {
        assert!(location.contains(part), "{part} in {location}");
    }
    assert!(!location.contains(crate::support::code_host::SECRET), "{location}");
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["__Host-mayday_flow=", "; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/", "Max-Age=600"]
    {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let plain = Flow::start(&host.server(&[]).anonymous());
    assert!(plain.cookie.starts_with("mayday_flow="));
    assert!(
        !plain.location.contains(plain.cookie.split_once('=').unwrap().1),
        "the cookie goes nowhere else"
    );
}

#[test]
fn sign_ins_redirect_to_no_other_site() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let client = world.anonymous();
    let person = world.member();
    host.be(7, &person.email, &json!(true));
    for path in FOREIGN {
        let begin = client.post("/auth/github/start").json(&json!({"redirect_to": path})).send();
        begin.refuse(422, "redirect_to");
        // A link with such a path still signs in, and leads home.
        Flow::start_to(&client, path).finish(&client).expect("/");
    }
    let path = "/projects/1/issues?query=is%3Aopen";
    Flow::start_to(&client, path).finish(&client).expect(path);
    Flow::begin(&client, &json!({"redirect_to": path})).finish(&client).expect(path);
}

#[test]
fn a_start_is_as_strict_as_every_body() {
    let host = CodeHost::start();
    let world = host.world(&[]);
    let client = world.anonymous();
    let begin = |body: serde_json::Value| client.post("/auth/github/start").json(&body).send();
    begin(json!({"purpose": "own"})).refuse(422, "purpose");
    begin(json!({"redirect_to": 5})).refuse(422, "redirect_to");
    begin(json!({"redirect_to": format!("/{}", "x".repeat(2_000))})).refuse(422, "redirect_to");
    begin(json!({"purpose": "claim"})).refuse(404, "claimed");
    for purpose in ["link", "test"] {
        begin(json!({"purpose": purpose})).refuse(401, "Not signed in");
        let tool = world.owner_person().tool(&["admin"]);
        let answer = tool.post("/auth/github/start").json(&json!({"purpose": purpose})).send();
        answer.refuse(403, "token");
    }
    let member = world.member();
    let answer = member.client.post("/auth/github/start").json(&json!({"purpose": "test"})).send();
    answer.refuse(403, "admin");
}
