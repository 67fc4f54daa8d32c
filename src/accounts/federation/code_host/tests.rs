use super::*;
use crate::accounts::federation::tests::server::Server;
use crate::accounts::federation::tests::{REDIRECT, VERIFIER, client, grant, parameters};
use crate::crypto::secret::Secret;
use serde_json::json;

async fn host() -> (Server, CodeHostProvider) {
    let server = Server::start().await;
    let settings = CodeHost {
        client_id: "app".to_owned(),
        client_secret: Secret::new("app-secret"),
        authorize_url: server.url("/login/oauth/authorize"),
        token_url: server.url("/login/oauth/access_token"),
        api_url: server.url("/api/v1/"),
    };
    server.json("/login/oauth/access_token", 200, &json!({"access_token": "at-1", "token_type": "bearer"}));
    server.json("/api/v1/user", 200, &json!({"id": 583_231, "login": "ada", "name": "Ada Lovelace"}));
    server.json("/api/v1/user/emails", 200, &json!([email("ada@example.com", true, true)]));
    (server, CodeHostProvider::new(settings, client()))
}

fn email(address: &str, primary: bool, verified: bool) -> Value {
    json!({"email": address, "primary": primary, "verified": verified, "visibility": null})
}

#[tokio::test]
async fn the_browser_is_sent_with_scope_and_challenge() {
    let (server, provider) = host().await;
    let url = provider.authorize(REDIRECT, "the-state", "the-challenge").unwrap();
    assert!(url.as_str().starts_with(&server.url("/login/oauth/authorize?")), "{url}");
    let expected = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", "read:user user:email"),
        ("state", "the-state"),
        ("code_challenge", "the-challenge"),
        ("code_challenge_method", "S256"),
    ];
    let expected: Vec<_> = expected.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    assert_eq!(parameters(&url), expected);
}

#[tokio::test]
async fn an_account_is_known_by_its_number() {
    let (server, provider) = host().await;
    let mut recorder = Recorder::new(SIGN_IN_STEPS);
    let profile = provider.exchange_recorded(grant(), &mut recorder).await.unwrap();
    let expected = Profile {
        issuer: server.url("/api/v1"),
        subject: "583231".to_owned(),
        email: Some("ada@example.com".to_owned()),
        email_verified: true,
        other_emails: Vec::new(),
        name: Some("Ada Lovelace".to_owned()),
    };
    assert_eq!(profile, expected);
    let report = recorder.report("github");
    assert!(report.ok && report.steps.iter().all(|step| step.ok == Some(true)), "{report:?}");
    let asked = server.asked("/login/oauth/access_token").pop().unwrap();
    for part in ["client_id=app", "client_secret=app-secret", &format!("code_verifier={VERIFIER}")] {
        assert!(asked.body.contains(part), "{part} in {}", asked.body);
    }
    for path in ["/api/v1/user", "/api/v1/user/emails"] {
        assert_eq!(server.asked(path)[0].authorization, "Bearer at-1");
    }
    for id in [json!("583231"), json!(0), json!(-1), json!(1.5), Value::Null] {
        server.json("/api/v1/user", 200, &json!({"id": id, "login": "ada"}));
        assert_eq!(provider.exchange(grant()).await.unwrap_err().code(), "invalid_answer", "{id}");
    }
}

#[tokio::test]
async fn names_are_read_from_github_and_gitea() {
    let (server, provider) = host().await;
    for (user, name) in [
        (json!({"id": 1, "login": "ada", "name": null}), "ada"),
        (json!({"id": 1, "login": "ada", "full_name": "Ada L."}), "Ada L."),
        (json!({"id": 1, "login": "ada", "full_name": ""}), "ada"),
    ] {
        server.json("/api/v1/user", 200, &user);
        assert_eq!(provider.exchange(grant()).await.unwrap().name.as_deref(), Some(name));
    }
}

#[tokio::test]
async fn only_verified_emails_are_taken_the_primary_one_first() {
    let (server, provider) = host().await;
    for (emails, taken) in [
        (json!([email("a@x.org", false, true), email("b@x.org", true, true)]), Some("b@x.org")),
        (json!([email("a@x.org", true, false), email("b@x.org", false, true)]), Some("b@x.org")),
        (json!([email("a@x.org", true, false)]), None),
        (json!([{"email": "a@x.org", "primary": true, "verified": "true"}]), None),
        (json!([{"email": "a@x.org", "primary": true, "verified": 1}]), None),
        (json!([{"email": "", "primary": true, "verified": true}]), None),
        (json!([]), None),
    ] {
        server.json("/api/v1/user/emails", 200, &emails);
        let profile = provider.exchange(grant()).await.unwrap();
        assert_eq!((profile.email.as_deref(), profile.email_verified), (taken, taken.is_some()), "{emails}");
    }
    for status in [403, 404] {
        server.json("/api/v1/user/emails", status, &json!({"message": "no"}));
        assert_eq!(provider.exchange(grant()).await.unwrap().email, None);
    }
    server.json("/api/v1/user/emails", 502, &json!({}));
    assert_eq!(provider.exchange(grant()).await.unwrap_err().code(), "unreachable");
}

#[tokio::test]
async fn a_refusal_with_status_200_is_a_refusal() {
    let (server, provider) = host().await;
    let answer = json!({"error": "bad_verification_code", "error_description": "The code is expired."});
    server.json("/login/oauth/access_token", 200, &answer);
    let error = provider.exchange(grant()).await.unwrap_err();
    assert_eq!(error, FederationError::refused("bad_verification_code", Some("The code is expired.")));
    server.json("/login/oauth/access_token", 200, &json!({"token_type": "bearer"}));
    assert_eq!(provider.exchange(grant()).await.unwrap_err().code(), "invalid_answer");
}

#[tokio::test]
async fn plain_http_is_allowed_on_this_machine_only() {
    let settings = CodeHost {
        client_id: "app".to_owned(),
        client_secret: Secret::new("app-secret"),
        authorize_url: "http://git.intranet/login/oauth/authorize".to_owned(),
        token_url: "http://git.intranet/login/oauth/access_token".to_owned(),
        api_url: "http://git.intranet/api/v1".to_owned(),
    };
    let provider = CodeHostProvider::new(settings, client());
    assert_eq!(provider.authorize(REDIRECT, "s", "c").unwrap_err().code(), "unreachable");
    let error = provider.exchange(grant()).await.unwrap_err();
    assert!(error.to_string().contains("must begin with https://"), "{error}");
    let report = provider.check().await;
    assert!(report.steps.iter().all(|step| step.ok == Some(false)), "{report:?}");
}

#[tokio::test]
async fn a_check_requests_each_address() {
    let (server, provider) = host().await;
    let to = vec![("location", "/login".to_owned())];
    server.raw("/login/oauth/authorize", 302, to, "");
    server.json("/api/v1/user", 401, &json!({"message": "token required"}));
    for (error, ok) in [
        ("bad_verification_code", true),
        ("invalid_grant", true),
        ("unauthorized_client", true),
        ("incorrect_client_credentials", false),
        ("invalid_client", false),
    ] {
        server.json("/login/oauth/access_token", 200, &json!({"error": error}));
        let report = provider.check().await;
        let steps: Vec<_> = report.steps.iter().map(|step| (step.name.as_str(), step.ok)).collect();
        let names = CHECK_STEPS;
        assert_eq!(
            steps,
            [(names[0], Some(true)), (names[1], Some(true)), (names[2], Some(ok))],
            "{report:?}"
        );
        assert_eq!(report.ok, ok);
        assert!(!format!("{report:?}").contains("app-secret"));
    }
}

#[tokio::test]
async fn a_check_says_which_address_is_wrong() {
    let (server, provider) = host().await;
    server.json("/api/v1/user", 404, &json!({}));
    server.json("/login/oauth/access_token", 404, &json!({"error": "Not Found"}));
    let report = provider.check().await;
    assert!(report.steps.iter().all(|step| step.ok == Some(false)), "{report:?}");
    assert!(report.steps[1].detail.contains("ends in /api/v1"), "{report:?}");
}
