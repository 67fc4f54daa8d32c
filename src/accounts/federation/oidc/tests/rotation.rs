//! Keys that change.

use super::*;

#[tokio::test]
async fn a_rotated_key_is_fetched_once() {
    let idp = Idp::start().await;
    let provider = idp.provider();
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
    assert_eq!((idp.server.asked("/jwks").len(), idp.server.asked(DISCOVERY).len()), (1, 1));
    let next = Signer::other("k2");
    idp.server.json("/jwks", 200, &json!({"keys": [next.jwk()]}));
    idp.gives(&next.sign(&idp.claims()));
    for _ in 0..3 {
        assert!(provider.exchange(grant(), NONCE).await.is_ok());
    }
    assert_eq!(idp.server.asked("/jwks").len(), 2);
}

#[tokio::test]
async fn concurrent_sign_ins_share_one_fetch_of_rotated_keys() {
    let idp = Idp::start().await;
    let provider = Arc::new(idp.provider());
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
    let next = Signer::other("k2");
    idp.server.json("/jwks", 200, &json!({"keys": [next.jwk()]}));
    idp.gives(&next.sign(&idp.claims()));
    for one in together(&provider, 12) {
        assert!(one.await.unwrap().is_ok());
    }
    assert_eq!(idp.server.asked("/jwks").len(), 2);
}

fn together(provider: &Arc<Provider>, count: usize) -> Vec<tokio::task::JoinHandle<Result<Profile>>> {
    let one = |_| {
        let provider = provider.clone();
        tokio::spawn(async move { provider.exchange(grant(), NONCE).await })
    };
    (0..count).map(one).collect()
}

#[tokio::test]
async fn a_token_without_a_key_id_also_has_the_keys_fetched_again() {
    let idp = Idp::start().await;
    let provider = idp.provider();
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
    let next = Signer::other("k1");
    idp.server.json("/jwks", 200, &json!({"keys": [next.jwk()]}));
    idp.gives(&next.sign_as(&json!({"alg": "RS256"}), &idp.claims()));
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
}

#[tokio::test]
async fn unknown_keys_cause_one_fetch_a_minute() {
    let idp = Idp::start().await;
    let provider = Arc::new(idp.provider());
    assert!(provider.exchange(grant(), NONCE).await.is_ok());
    idp.gives(&Signer::other("unknown").sign(&idp.claims()));
    for one in together(&provider, 12) {
        let error = one.await.unwrap().unwrap_err();
        assert!(error.to_string().contains("no key for RS256 and the key `unknown`"), "{error}");
    }
    assert_eq!(idp.server.asked("/jwks").len(), 2);
    idp.wait(Duration::from_secs(59));
    assert!(provider.exchange(grant(), NONCE).await.is_err());
    assert_eq!(idp.server.asked("/jwks").len(), 2);
    idp.wait(Duration::from_secs(2));
    for _ in 0..5 {
        assert!(provider.exchange(grant(), NONCE).await.is_err());
    }
    assert_eq!(idp.server.asked("/jwks").len(), 3);
}

#[tokio::test]
async fn a_wrong_signature_of_a_known_key_fetches_nothing() {
    let idp = Idp::start().await;
    let provider = idp.provider();
    idp.gives(&Signer::other("k1").sign(&idp.claims()));
    for _ in 0..3 {
        assert!(provider.exchange(grant(), NONCE).await.unwrap_err().to_string().contains("is wrong"));
    }
    assert_eq!(idp.server.asked("/jwks").len(), 1);
}

#[tokio::test]
async fn documents_are_cached_for_an_hour() {
    let idp = Idp::start().await;
    let provider = idp.provider();
    for (wait, fetched) in [(0, 1), (3_599, 1), (2, 2)] {
        idp.wait(Duration::from_secs(wait));
        assert!(provider.exchange(grant(), NONCE).await.is_ok());
        assert_eq!((idp.server.asked("/jwks").len(), idp.server.asked(DISCOVERY).len()), (fetched, fetched));
    }
}
