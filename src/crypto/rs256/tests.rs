use super::*;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

/// A key in PKCS #1, as GitHub issues it, and one in PKCS #8.
const KEYS: [&str; 2] = [
    include_str!("../../../tests/fixtures/keys/rsa-1.pem"),
    include_str!("../../../tests/fixtures/keys/host-app.pem"),
];

#[test]
fn a_token_verifies_with_the_public_key_and_has_its_claims() {
    for pem in KEYS {
        let signer = RsaSigner::from_pem(pem).unwrap();
        let claims = json!({ "iss": "12345", "iat": 1, "exp": 601 });
        let token = signer.token(&claims).unwrap();
        let [head, body, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!("{token}") };
        let read = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap();
        let json = |part: &str| serde_json::from_slice::<Value>(&read(part)).unwrap();
        assert_eq!(json(head), json!({ "alg": "RS256", "typ": "JWT" }));
        assert_eq!(json(body), claims);
        let public = ring::signature::KeyPair::public_key(&*signer.0).as_ref().to_vec();
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public);
        let signed = format!("{head}.{body}");
        assert!(key.verify(signed.as_bytes(), &read(signature)).is_ok());
        assert!(key.verify(format!("{signed}x").as_bytes(), &read(signature)).is_err());
    }
}

#[test]
fn other_keys_are_refused_and_never_shown() {
    let other = include_str!("../../../tests/fixtures/keys/p256.pem");
    let cut = &KEYS[0][..KEYS[0].len() / 2];
    for pem in
        ["", "canary", "-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----\n", other, cut]
    {
        let error = RsaSigner::from_pem(pem).unwrap_err();
        assert!(error.contains("RSA private key") && !error.contains("canary"), "{error}");
    }
    assert_eq!(format!("{:?}", RsaSigner::from_pem(KEYS[0]).unwrap()), "RsaSigner(…)");
}
