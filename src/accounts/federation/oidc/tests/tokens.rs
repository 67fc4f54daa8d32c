//! ID tokens that are accepted, and those that are not.

use super::signer::{SIGNERS, base64};
use super::*;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

fn hs256(key: &[u8], header: &Value, claims: &Value) -> String {
    let signed = format!("{}.{}", base64(header.to_string()), base64(claims.to_string()));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(signed.as_bytes());
    format!("{signed}.{}", base64(mac.finalize().into_bytes()))
}

async fn refused(idp: &Idp, token: &str, says: &str) {
    idp.gives(token);
    let error = idp.sign_in().await.expect_err(says);
    assert_eq!(error.code(), "invalid_answer", "{error}");
    let text = error.to_string();
    assert!(text.contains(says), "expected {says:?} in {text:?}");
    assert!(!text.contains(token) && !text.contains(SECRET) && !text.contains("at-1"), "{text}");
}

#[tokio::test]
async fn every_listed_algorithm_is_verified() {
    for (algorithm, ..) in SIGNERS {
        let idp = Idp::signing(algorithm).await;
        assert_eq!(idp.sign_in().await.expect(algorithm).subject, "u-1");
        // A single changed bit in what was signed.
        let token = idp.signer.sign(&idp.claims());
        let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!() };
        let other = base64(idp.changed("sub", json!("u-2")).to_string());
        refused(&idp, &format!("{header}.{other}.{signature}"), "is wrong").await;
    }
}

#[tokio::test]
async fn unsigned_tokens_are_refused() {
    let idp = Idp::start().await;
    let claims = idp.claims();
    for algorithm in ["none", "None", "nOnE", "", "HS256", "HS384", "HS512", "ES512", "RSA-OAEP", "dir"] {
        let header = json!({"alg": algorithm, "kid": "k1"});
        let token = format!("{}.{}.", base64(header.to_string()), base64(claims.to_string()));
        refused(&idp, &token, "expected one of RS256").await;
    }
    for text in ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "=.=.="] {
        idp.gives(text);
        assert_eq!(idp.sign_in().await.unwrap_err().code(), "invalid_answer", "{text}");
    }
    let valid = idp.signer.sign(&claims);
    refused(&idp, valid.rsplit_once('.').unwrap().0, "three parts").await;
    refused(&idp, &format!("{}.", valid.rsplit_once('.').unwrap().0), "is wrong").await;
}

#[tokio::test]
async fn signatures_by_a_public_key_or_the_client_secret_are_refused() {
    let idp = Idp::start().await;
    let jwk = idp.signer.jwk();
    let modulus = jwk["n"].as_str().unwrap();
    for key in [SECRET.as_bytes(), modulus.as_bytes(), jwk.to_string().as_bytes(), b""] {
        for algorithm in ["HS256", "RS256"] {
            let header = json!({"alg": algorithm, "kid": "k1"});
            let token = hs256(key, &header, &idp.claims());
            idp.gives(&token);
            assert_eq!(idp.sign_in().await.unwrap_err().code(), "invalid_answer");
        }
    }
    // Not even if the provider publishes a shared key.
    let shared = json!({"kty": "oct", "kid": "k1", "k": base64("shared")});
    idp.server.json("/jwks", 200, &json!({"keys": [shared]}));
    let header = json!({"alg": "HS256", "kid": "k1"});
    refused(&idp, &hs256(b"shared", &header, &idp.claims()), "expected one of RS256").await;
}

#[tokio::test]
async fn a_key_signs_only_with_its_own_algorithm_and_use() {
    let idp = Idp::start().await;
    let token = idp.signer.sign(&idp.claims());
    for (name, value) in [("alg", "RS512"), ("alg", "A128GCM"), ("alg", "RSA-OAEP"), ("use", "enc")] {
        let mut jwk = idp.signer.jwk();
        jwk[name] = value.into();
        idp.server.json("/jwks", 200, &json!({"keys": [jwk]}));
        refused(&idp, &token, "no key for RS256").await;
    }
    let mut jwk = idp.signer.jwk();
    jwk["alg"] = "RS256".into();
    idp.server.json("/jwks", 200, &json!({"keys": [{"kty": "odd"}, jwk]}));
    assert!(idp.sign_in().await.is_ok());
}

#[tokio::test]
async fn the_token_type_in_the_header_is_checked() {
    let idp = Idp::start().await;
    let token = |name: &str, value: Value| {
        let mut header = json!({"alg": "RS256", "kid": "k1"});
        header[name] = value;
        idp.signer.sign_as(&header, &idp.claims())
    };
    refused(&idp, &token("typ", json!("at+jwt")), "expected JWT").await;
    refused(&idp, &token("typ", json!("logout+jwt")), "expected JWT").await;
    refused(&idp, &token("crit", json!(["exp"])), "crit").await;
    for kind in ["JWT", "jwt", "application/jwt", "JOSE"] {
        idp.gives(&token("typ", json!(kind)));
        assert!(idp.sign_in().await.is_ok(), "{kind}");
    }
    idp.gives(&idp.signer.sign_as(&json!({"alg": "RS256"}), &idp.claims()));
    assert!(idp.sign_in().await.is_ok(), "no kid");
}

#[tokio::test]
async fn unexpected_claims_are_refused() {
    let idp = Idp::start().await;
    let now = Timestamp::now().millis() / 1_000;
    let other = idp.server.url("/");
    for (name, value, says) in [
        ("iss", json!("https://evil.example.com"), "expected exactly"),
        ("iss", json!(other), "expected exactly"),
        ("iss", Value::Null, "expected exactly"),
        ("aud", json!("another"), "its audience is `another`"),
        ("aud", json!([]), "its audience"),
        ("aud", json!([CLIENT, 7]), "something other than strings"),
        ("aud", Value::Null, "no aud"),
        ("aud", json!([CLIENT, "another"]), "no azp"),
        ("azp", json!("another"), "its azp is not"),
        ("azp", json!(7), "its azp is not"),
        ("nonce", json!("another"), "its nonce"),
        ("nonce", Value::Null, "its nonce"),
        ("exp", json!(now - 61), "expired"),
        ("exp", json!("soon"), "its exp is not a number"),
        ("exp", Value::Null, "no exp"),
        ("iat", json!(now + 3_600), "in the future"),
        ("iat", Value::Null, "no iat"),
        ("nbf", json!(now + 3_600), "in the future"),
        ("sub", json!(""), "its sub"),
        ("sub", json!(7), "its sub"),
        ("sub", json!("x".repeat(256)), "its sub"),
        ("sub", Value::Null, "its sub"),
    ] {
        refused(&idp, &idp.signer.sign(&idp.changed(name, value)), says).await;
    }
}

#[tokio::test]
async fn claims_within_the_leeway_or_for_several_audiences_are_accepted() {
    let idp = Idp::start().await;
    let now = Timestamp::now().millis() / 1_000;
    let mut several = idp.changed("aud", json!([CLIENT, "another"]));
    several["azp"] = CLIENT.into();
    for (what, claims) in [
        ("expired a moment ago", idp.changed("exp", json!(now - 1))),
        ("fraction", idp.changed("exp", json!(now as f64 + 0.5))),
        ("issued in 59 s", idp.changed("iat", json!(now + 59))),
        ("valid in 59 s", idp.changed("nbf", json!(now + 59))),
        ("one audience as a list", idp.changed("aud", json!([CLIENT]))),
        ("azp", idp.changed("azp", json!(CLIENT))),
        ("two audiences with azp", several),
    ] {
        idp.gives(&idp.signer.sign(&claims));
        idp.sign_in().await.expect(what);
    }
}

#[test]
fn the_leeway_is_sixty_seconds_to_the_second() {
    let claims = |exp: i64, iat: i64| {
        let claims = json!({"iss": "i", "aud": "c", "nonce": "n", "sub": "s", "exp": exp, "iat": iat});
        claims.as_object().unwrap().clone()
    };
    let now = Timestamp::from_millis(10_000_000);
    let expected = Expected { issuer: "i", client_id: "c", nonce: "n", now };
    for (exp, iat, fine) in [
        (10_000 - 59, 10_000, true),
        (10_000 - 60, 10_000, false),
        (10_000 - 61, 10_000, false),
        (10_001, 10_060, true),
        (10_001, 10_061, false),
    ] {
        assert_eq!(id_token::check_claims(&claims(exp, iat), &expected).is_ok(), fine, "{exp} {iat}");
    }
}
