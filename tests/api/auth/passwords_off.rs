//! `PASSWORD_AUTH_ENABLED=false`.

use crate::openapi::document::operations;
use crate::support::code_host::CodeHost;
use crate::support::flow::Flow;
use crate::support::{Client, Server, Value, json};

const OFF: &str = "Email sign-in is not enabled.";

/// Signs people in through a provider that is not there.
const SSO: [(&str, &str); 5] = [
    ("PASSWORD_AUTH_ENABLED", "false"),
    ("SSO_ENABLED", "true"),
    ("SSO_OIDC_ISSUER_URL", "https://issuer.invalid"),
    ("SSO_OIDC_CLIENT_ID", "the-client"),
    ("SSO_OIDC_CLIENT_SECRET", "the-secret"),
];

#[track_caller]
fn assert_all_off(client: &Client) {
    let mut count = 0;
    for operation in operations(client) {
        if !operation.path.starts_with("/auth/password/") {
            continue;
        }
        let send = |kind: &str, body: &str| {
            let answer = client.request(&operation.method, &operation.path).body(kind, body).send();
            let name = operation.name();
            assert_eq!(answer.told(), (404, json!({"detail": OFF}).to_string()), "{name} {kind} {body}");
        };
        let good = json!({"email": "ada@example.com", "password": "a passphrase for tests", "token": "x",
            "invitation_token": "x", "current_password": "x", "new_password": "a passphrase for tests"});
        for body in [good.to_string().as_str(), "{}", "{", "", "[]", "{\"email\":5}"] {
            send("application/json", body);
        }
        send("text/plain", "x");
        send("", "");
        count += 1;
    }
    assert!(count >= 5, "{count} operations");
}

#[test]
fn the_password_routes_do_not_exist_whatever_is_sent() {
    let server = Server::start_with(&SSO);
    assert_all_off(&server.anonymous());
}

#[test]
fn the_password_routes_do_not_exist_for_signed_in_people_either() {
    let host = CodeHost::start();
    let server = host.server(&[("PASSWORD_AUTH_ENABLED", "false")]);
    let owner = claim(&host, &server);
    assert_all_off(&owner);
    let me = owner.get("/api/v1/me").send().expect(200);
    assert_eq!((&me["has_password"], &me["email_proven"]), (&json!(false), &json!(true)));
}

#[test]
fn the_register_page_is_not_there() {
    let server = Server::start_with(&SSO);
    for path in ["/register", "/register?token=x"] {
        assert_eq!(server.anonymous().get(path).send().refuse(404, ""), OFF);
    }
    server.anonymous().get("/login").send();
}

#[test]
fn a_browser_gets_the_web_app_in_place_of_the_register_page() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "the app").unwrap();
    let variables = [&SSO[..], &[("WEB_DIST_DIR", folder.path().to_str().unwrap())]].concat();
    let server = Server::start_with(&variables);
    let ask = |accept: &str| server.anonymous().get("/register?token=x").header("accept", accept).send();
    let page = ask("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    assert_eq!(page.told(), (404, "the app".to_owned()));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    for other in ["application/json", "*/*"] {
        assert_eq!(ask(other).refuse(404, ""), OFF);
    }
}

#[test]
fn an_instance_without_passwords_is_not_claimed_with_one() {
    let server = Server::start_with(&SSO);
    let body = crate::support::world::setup(server.setup_token.as_ref().unwrap());
    server.anonymous().post("/auth/setup").json(&body).send().refuse(404, "");
}

/// Claims through the code host.
fn claim(host: &CodeHost, server: &Server) -> Client {
    host.be(1, "ada@example.com", &json!(true));
    let client = server.anonymous();
    let flow = Flow::begin(&client, &claim_body(server.setup_token.as_ref().unwrap()));
    let session = flow.finish(&client).expect("/");
    client.bearer(&session)
}

fn claim_body(token: &str) -> Value {
    json!({"purpose": "claim", "setup_token": token, "organization_name": "Acme"})
}

#[test]
fn the_first_sign_in_with_the_setup_token_claims_the_instance() {
    let host = CodeHost::start();
    let server = host.server(&[("PASSWORD_AUTH_ENABLED", "false")]);
    let client = server.anonymous();
    let token = server.setup_token.clone().unwrap();
    host.be(1, "ada@example.com", &json!(true));
    // Nobody claims it without the token, and a wrong one starts no flow.
    crate::support::flow::go_through(&client).refuse("/login", "not_claimed");
    let wrong = claim_body("0000-0000-0000-0000-0000-0000-0000-0000");
    client.post("/auth/github/start").json(&wrong).send().refuse(403, "setup token");
    // An address that the host did not verify claims nothing.
    host.be(2, "eve@example.com", &json!(false));
    let landing = Flow::begin(&client, &claim_body(&token)).finish(&client);
    assert!(landing.location.starts_with("/setup?error=email_"), "{landing:?}");
    assert_eq!(landing.session, None);
    let late = Flow::begin(&client, &claim_body(&token));

    let owner = claim(&host, &server);
    let organizations = owner.get("/api/v1/organizations").send().expect(200);
    assert_eq!((&organizations[0]["name"], &organizations[0]["role"]), (&json!("Acme"), &json!("owner")));
    assert!(!server.setup_token_file().exists());
    // Of two claims that had been started, the second is too late.
    host.be(2, "eve@example.com", &json!(true));
    late.finish(&client).refuse("/setup", "setup_token");
    client.post("/auth/github/start").json(&claim_body(&token)).send().refuse(404, "claimed");
}
