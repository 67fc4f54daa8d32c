//! From the start to a profile, and the answers of the token endpoint.

use super::*;
use crate::accounts::federation::tests::{REDIRECT, VERIFIER, parameters};

#[tokio::test]
async fn the_browser_is_sent_with_everything_that_binds_the_flow() {
    let idp = Idp::start().await;
    let url = idp.provider().authorize(REDIRECT, "the-state", NONCE, "the-challenge").await.unwrap();
    assert!(url.as_str().starts_with(&idp.server.url("/authorize?tenant=1&")), "{url}");
    let expected = [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("redirect_uri", REDIRECT),
        ("scope", "openid email profile"),
        ("state", "the-state"),
        ("nonce", NONCE),
        ("code_challenge", "the-challenge"),
        ("code_challenge_method", "S256"),
    ];
    let expected: Vec<_> = expected.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    assert_eq!(parameters(&url), expected);
}

#[tokio::test]
async fn a_sign_in_gives_a_profile_and_every_step() {
    let idp = Idp::start().await;
    idp.tells(&json!({"sub": "u-1"}));
    let mut recorder = Recorder::new(SIGN_IN_STEPS);
    let profile = idp.provider().exchange_recorded(grant(), NONCE, &mut recorder).await.unwrap();
    let expected = Profile {
        issuer: idp.server.url(""),
        subject: "u-1".to_owned(),
        email: Some("ada@example.com".to_owned()),
        email_verified: true,
        other_emails: Vec::new(),
        name: Some("Ada Lovelace".to_owned()),
    };
    assert_eq!(profile, expected);
    let report = recorder.report("sso");
    assert!(report.ok && report.steps.iter().all(|step| step.ok == Some(true)), "{report:?}");
    assert_eq!(report.steps.iter().map(|step| step.name.as_str()).collect::<Vec<_>>(), SIGN_IN_STEPS);
    assert_eq!(idp.server.asked("/userinfo")[0].authorization, "Bearer at-1");
}

#[tokio::test]
async fn the_client_authenticates_as_discovery_says() {
    let idp = Idp::start().await;
    for (offered, basic) in [
        (Value::Null, true),
        (json!(["client_secret_basic"]), true),
        (json!(["client_secret_post", "client_secret_basic"]), true),
        (json!(["private_key_jwt"]), true),
        (json!(["client_secret_post"]), false),
    ] {
        let mut document = idp.document();
        document["token_endpoint_auth_methods_supported"] = offered.clone();
        idp.server.json(DISCOVERY, 200, &document);
        idp.sign_in().await.unwrap();
        let asked = idp.server.asked("/token").pop().unwrap();
        let form: Vec<(String, String)> = serde_urlencoded::from_str(&asked.body).unwrap();
        let field = |name: &str| form.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        let common = ["grant_type", "code", "redirect_uri", "code_verifier"].map(field);
        assert_eq!(common, [Some("authorization_code"), Some("the-code"), Some(REDIRECT), Some(VERIFIER)]);
        // base64 of `mayday-client:s3cret+%26+more` (RFC 6749, section 2.3.1).
        let header = if basic { "Basic bWF5ZGF5LWNsaWVudDpzM2NyZXQrJTI2K21vcmU=" } else { "" };
        assert_eq!(asked.authorization, header, "{offered}");
        assert_eq!(field("client_secret").is_none(), basic);
        assert_eq!(field("client_id").is_none(), basic);
    }
}

#[tokio::test]
async fn a_refusal_is_reported_in_the_providers_words() {
    let idp = Idp::start().await;
    for status in [200, 400, 401, 503] {
        let answer = json!({"error": "invalid_grant", "error_description": "Code\u{7} expired"});
        idp.server.json("/token", status, &answer);
        let mut recorder = Recorder::new(SIGN_IN_STEPS);
        let error = idp.provider().exchange_recorded(grant(), NONCE, &mut recorder).await.unwrap_err();
        let expected = FederationError::refused("invalid_grant", Some("Code expired"));
        assert_eq!(error, expected, "{status}");
        let report = recorder.report("sso");
        assert_eq!(report.steps[0].detail, "the provider refused with `invalid_grant`: Code expired");
        assert!(!report.ok && report.steps[1..].iter().all(|step| step.ok.is_none()), "{report:?}");
    }
}

#[tokio::test]
async fn invalid_token_answers_are_described() {
    let idp = Idp::start().await;
    let html = || vec![("content-type", "text/html".to_owned())];
    for (status, headers, body, code, says) in [
        (500, html(), "<h1>at-1</h1>".to_owned(), "unreachable", "500"),
        (404, html(), "<h1>".to_owned(), "invalid_answer", "404"),
        (200, html(), "<h1>at-1</h1>".to_owned(), "invalid_answer", "expected JSON, got text/html"),
        (200, vec![], String::new(), "invalid_answer", "no content type"),
        (200, vec![], "[]".to_owned(), "invalid_answer", "expected a JSON object"),
        (200, vec![], r#"{"access_token": "at-1"}"#.to_owned(), "invalid_answer", "no id_token"),
        (200, vec![], r#"{"id_token": 7}"#.to_owned(), "invalid_answer", "no id_token"),
        (302, vec![("location", "/login?at-1".to_owned())], String::new(), "invalid_answer", "302"),
        (200, vec![], "x".repeat(10 << 20), "invalid_answer", "more than 1048576 bytes"),
    ] {
        idp.server.raw("/token", status, headers, body);
        let error = idp.sign_in().await.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.code(), code, "{text}");
        assert!(text.contains(says) && !text.contains("at-1"), "{text}");
    }
}

#[tokio::test]
async fn an_access_token_that_fits_no_header_is_an_invalid_answer() {
    let idp = Idp::start().await;
    idp.tells(&json!({"sub": "u-1"}));
    for token in [json!("at-1\r\nX: y"), Value::Null] {
        let answer = json!({"access_token": token, "id_token": idp.signer.sign(&idp.claims())});
        idp.server.json("/token", 200, &answer);
        assert_eq!(idp.sign_in().await.unwrap_err().code(), "invalid_answer");
    }
}
