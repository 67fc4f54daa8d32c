//! Discovery, the guard, and the check that needs nobody to sign in.

use super::*;
use crate::accounts::federation::tests::{REDIRECT, split_client};
use crate::accounts::federation::{Report, Step};

async fn start(provider: &Provider) -> Result<Url> {
    provider.authorize(REDIRECT, "s", NONCE, "c").await
}

#[tokio::test]
async fn untrustworthy_documents_are_refused() {
    let idp = Idp::start().await;
    let other = |name: &str, value: Value| {
        let mut document = idp.document();
        document[name] = value;
        document.to_string()
    };
    let to = || vec![("location", idp.server.url("/elsewhere"))];
    for (status, headers, body, code, says) in [
        (302, to(), String::new(), "invalid_answer", "redirects are not followed"),
        (200, vec![], "x".repeat(10 << 20), "invalid_answer", "more than 1048576 bytes"),
        (200, vec![], "{".to_owned(), "invalid_answer", "expected JSON"),
        (200, vec![], "[]".to_owned(), "invalid_answer", "a JSON object"),
        (404, vec![], String::new(), "invalid_answer", "404"),
        (502, vec![], String::new(), "unreachable", "502"),
        (
            200,
            vec![],
            other("issuer", json!("https://evil.example.com")),
            "invalid_answer",
            "expected exactly",
        ),
        (200, vec![], other("issuer", json!(idp.server.url("/"))), "invalid_answer", "expected exactly"),
        (200, vec![], other("issuer", Value::Null), "invalid_answer", "expected exactly"),
        (200, vec![], other("token_endpoint", Value::Null), "invalid_answer", "no token_endpoint"),
        (200, vec![], other("jwks_uri", json!(7)), "invalid_answer", "no jwks_uri"),
        (
            200,
            vec![],
            other("authorization_endpoint", json!("javascript:alert(1)")),
            "unreachable",
            "javascript:",
        ),
    ] {
        idp.server.raw(DISCOVERY, status, headers, body);
        let error = start(&idp.provider()).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    assert_eq!(idp.server.asked("/elsewhere").len(), 0);
}

#[tokio::test]
async fn configured_endpoints_replace_discovered_ones() {
    let mut idp = Idp::start().await;
    idp.settings.discovery_url = Some(idp.server.url("/odd/place"));
    idp.settings.userinfo_endpoint = Some(idp.server.url("/me"));
    idp.server.json("/odd/place", 200, &idp.document());
    idp.server.json("/me", 200, &json!({"sub": "u-1"}));
    idp.sign_in().await.unwrap();
    let counts = [DISCOVERY, "/odd/place", "/me"].map(|path| idp.server.asked(path).len());
    assert_eq!(counts, [0, 1, 1]);
}

#[tokio::test]
async fn nothing_is_discovered_if_all_endpoints_are_configured() {
    let mut idp = Idp::start().await;
    idp.settings.authorization_endpoint = Some(idp.server.url("/a"));
    idp.settings.token_endpoint = Some(idp.server.url("/token"));
    idp.settings.jwks_uri = Some(idp.server.url("/jwks"));
    idp.server.json(DISCOVERY, 500, &json!({}));
    idp.sign_in().await.unwrap();
    assert!(start(&idp.provider()).await.unwrap().as_str().starts_with(&idp.server.url("/a?")));
    assert_eq!(idp.server.asked(DISCOVERY).len(), 0);
    let report = idp.provider().check().await;
    assert_eq!((report.ok, step(&report, "Discovery document").ok), (true, Some(true)));
}

/// A provider behind the guard, whose endpoints are configured, so that no discovery is needed.
fn guarded(idp: &Idp, authorization: &str, token: &str) -> Provider {
    let mut settings = settings("https://public.example.com");
    settings.allow_private_provider_urls = false;
    settings.authorization_endpoint = Some(authorization.to_owned());
    settings.token_endpoint = Some(token.to_owned());
    settings.jwks_uri = Some(idp.server.url("/jwks"));
    Provider::new(settings, split_client(), Clock::default())
}

#[tokio::test]
async fn every_endpoint_is_guarded_when_it_is_used() {
    let idp = Idp::start().await;
    let fine = "https://public.example.com/a";
    assert!(start(&guarded(&idp, fine, fine)).await.is_ok());
    let port = idp.server.port;
    for endpoint in [
        idp.server.url("/token"),
        format!("https://127.0.0.1:{port}/token"),
        format!("https://private.example.com:{port}/token"),
        format!("https://localhost:{port}/token"),
        format!("https://[::ffff:127.0.0.1]:{port}/token"),
        "http://public.example.com/token".to_owned(),
        "https://169.254.169.254/latest".to_owned(),
    ] {
        let error = start(&guarded(&idp, &endpoint, fine)).await.unwrap_err();
        assert_eq!(error.code(), "unreachable", "{error}");
        let error = guarded(&idp, fine, &endpoint).exchange(grant(), NONCE).await.unwrap_err();
        assert_eq!(error.code(), "unreachable", "{error}");
        let report = guarded(&idp, &endpoint, &endpoint).check().await;
        let endpoints = step(&report, "Endpoints");
        assert_eq!(endpoints.ok, Some(false));
        for name in ["authorization ", "token ", "jwks "] {
            assert!(endpoints.detail.contains(name), "{}", endpoints.detail);
        }
        assert_eq!(step(&report, "Signing keys").ok, None);
    }
    assert_eq!(idp.server.count(), 0);
}

#[tokio::test]
async fn a_private_issuer_is_refused_without_a_request() {
    let idp = Idp::start().await;
    for issuer in [idp.server.url(""), format!("https://private.example.com:{}", idp.server.port)] {
        let mut settings = settings(&issuer);
        settings.allow_private_provider_urls = false;
        let provider = Provider::new(settings, split_client(), Clock::default());
        assert_eq!(start(&provider).await.unwrap_err().code(), "unreachable");
        let report = provider.check().await;
        assert_eq!((report.ok, step(&report, "Issuer address").ok), (false, Some(false)));
        assert!(report.steps[1..].iter().all(|step| step.ok.is_none()), "{report:?}");
    }
    assert_eq!(idp.server.count(), 0);
}

#[tokio::test]
async fn the_issuer_is_guarded_even_if_it_is_only_a_name() {
    let fine = || Some("https://public.example.com/a".to_owned());
    let mut settings = settings("https://private.example.com");
    settings.allow_private_provider_urls = false;
    (settings.authorization_endpoint, settings.token_endpoint, settings.jwks_uri) = (fine(), fine(), fine());
    let error = start(&Provider::new(settings, split_client(), Clock::default())).await.unwrap_err();
    assert!(error.to_string().starts_with("Issuer: private.example.com (127.0.0.1)"), "{error}");
}

fn step<'a>(report: &'a Report, name: &str) -> &'a Step {
    report.steps.iter().find(|step| step.name == name).unwrap()
}

#[tokio::test]
async fn a_check_reports_each_step() {
    let idp = Idp::start().await;
    let report = idp.provider().check().await;
    assert!(report.ok && report.steps.iter().all(|step| step.ok == Some(true)), "{report:?}");
    assert_eq!(report.steps.iter().map(|step| step.name.as_str()).collect::<Vec<_>>(), CHECK_STEPS);
    assert_eq!(step(&report, "Signing keys").detail, "1 key, for RS256, RS384, RS512, PS256, PS384, PS512");
    let elliptic = Idp::signing("ES384").await.provider().check().await;
    assert_eq!(step(&elliptic, "Signing keys").detail, "1 key, for ES384");
    assert!(step(&report, "Endpoints").detail.contains("token http://127.0.0.1"), "{report:?}");
    for (listed, ok, says) in [
        (json!(["openid", "email", "profile", "groups"]), true, "supports all"),
        (json!(["openid"]), true, "does not list email, profile"),
        (json!(["email", "profile"]), false, "does not list openid"),
    ] {
        let mut document = idp.document();
        document["scopes_supported"] = listed;
        idp.server.json(DISCOVERY, 200, &document);
        let report = idp.provider().check().await;
        let scopes = step(&report, "Scopes");
        assert!(report.ok == ok && scopes.ok == Some(ok) && scopes.detail.contains(says), "{scopes:?}");
    }
}

#[tokio::test]
async fn a_check_fails_if_no_key_can_sign() {
    let idp = Idp::start().await;
    for (keys, says) in [
        (json!({"keys": []}), "None of its keys is for signatures"),
        (json!({"keys": [{"kty": "oct", "k": "YQ"}]}), "None of its keys is for signatures"),
        (json!({"none": 1}), "expected a JSON Web Key Set"),
        (json!([]), "expected a JSON Web Key Set"),
    ] {
        idp.server.json("/jwks", 200, &keys);
        let report = idp.provider().check().await;
        let keys = step(&report, "Signing keys");
        assert!(keys.ok == Some(false) && keys.detail.contains(says), "{keys:?}");
        assert_eq!(step(&report, "Scopes").ok, None);
    }
}

#[tokio::test]
async fn an_address_without_a_server_is_unreachable() {
    let provider = Provider::new(settings("http://127.0.0.1:1"), client(), Clock::default());
    assert_eq!(start(&provider).await.unwrap_err().code(), "unreachable");
    let report = provider.check().await;
    assert_eq!(step(&report, "Discovery document").ok, Some(false));
}
