//! Which e-mail is used, and when it counts as proven.

use super::*;

/// Values of `email_verified`; only the last one proves anything. `None`: no value.
fn flags() -> [(Option<Value>, bool); 7] {
    [
        (None, false),
        (Some(json!(false)), false),
        (Some(json!("true")), false),
        (Some(json!("false")), false),
        (Some(json!(1)), false),
        (Some(Value::Null), false),
        (Some(json!(true)), true),
    ]
}

fn document(subject: &str, email: Option<&str>, flag: Option<&Value>) -> Value {
    let mut document = json!({"sub": subject});
    if let Some(email) = email {
        document["email"] = email.into();
    }
    if let Some(flag) = flag {
        document["email_verified"] = flag.clone();
    }
    document
}

fn with(mut claims: Value, email: Option<&str>, flag: Option<&Value>) -> Value {
    let object = claims.as_object_mut().unwrap();
    object.remove("email");
    object.remove("email_verified");
    object.extend(document("u-1", email, flag).as_object().unwrap().clone());
    claims
}

#[tokio::test]
async fn only_the_boolean_true_proves_the_id_tokens_email() {
    let idp = Idp::start().await;
    for (flag, proven) in flags() {
        idp.gives(&idp.signer.sign(&with(idp.claims(), Some("Ada@Example.com"), flag.as_ref())));
        let profile = idp.sign_in().await.unwrap();
        assert_eq!(
            (profile.email.as_deref(), profile.email_verified),
            (Some("Ada@Example.com"), proven),
            "{flag:?}"
        );
    }
}

#[tokio::test]
async fn only_the_boolean_true_proves_the_user_infos_email() {
    let idp = Idp::start().await;
    for (flag, proven) in flags() {
        idp.tells(&document("u-1", Some("ada@example.com"), flag.as_ref()));
        // The flag of a document without an e-mail proves nothing elsewhere.
        idp.gives(&idp.signer.sign(&with(idp.claims(), None, Some(&json!(true)))));
        let profile = idp.sign_in().await.unwrap();
        assert_eq!(
            (profile.email.as_deref(), profile.email_verified),
            (Some("ada@example.com"), proven),
            "{flag:?}"
        );
    }
}

#[tokio::test]
async fn a_flag_in_one_document_proves_nothing_in_the_other() {
    let idp = Idp::start().await;
    idp.tells(&document("u-1", Some("other@example.com"), Some(&json!(true))));
    idp.gives(&idp.signer.sign(&with(idp.claims(), Some("ada@example.com"), None)));
    let profile = idp.sign_in().await.unwrap();
    assert_eq!((profile.email.as_deref(), profile.email_verified), (Some("ada@example.com"), false));
}

#[tokio::test]
async fn an_email_that_is_not_text_is_ignored() {
    let idp = Idp::start().await;
    for email in [json!(""), json!(7), json!(["ada@example.com"]), Value::Null] {
        let mut claims = idp.claims();
        claims["email"] = email;
        idp.gives(&idp.signer.sign(&claims));
        let profile = idp.sign_in().await.unwrap();
        assert_eq!((profile.email, profile.email_verified), (None, false));
    }
}

#[tokio::test]
async fn user_info_of_another_subject_is_refused() {
    let idp = Idp::start().await;
    for info in [json!({"sub": "u-2", "email": "eve@example.com"}), json!({"sub": 1}), json!({}), json!([])] {
        idp.tells(&info);
        assert_eq!(idp.sign_in().await.unwrap_err().code(), "invalid_answer", "{info}");
    }
}

#[tokio::test]
async fn a_report_of_a_sign_in_says_why_an_email_is_not_proven() {
    let idp = Idp::start().await;
    idp.gives(&idp.signer.sign(&idp.changed("email_verified", json!("true"))));
    let mut recorder = Recorder::new(SIGN_IN_STEPS);
    idp.provider().exchange_recorded(grant(), NONCE, &mut recorder).await.unwrap();
    let report = recorder.report("sso");
    let last = report.steps.last().unwrap();
    assert_eq!((report.ok, last.name.as_str(), last.ok), (false, "E-mail and its proof", Some(false)));
    assert!(
        last.detail.contains("in the ID token is \"true\", expected the boolean true"),
        "{}",
        last.detail
    );
}

#[tokio::test]
async fn the_user_info_proves_the_same_address_if_the_id_token_has_no_flag() {
    let idp = Idp::start().await;
    idp.tells(&document("u-1", Some("ada@example.com"), Some(&json!(true))));
    for (flag, proven) in [(None, true), (Some(json!(false)), false), (Some(json!("true")), false)] {
        idp.gives(&idp.signer.sign(&with(idp.claims(), Some("Ada@example.com"), flag.as_ref())));
        assert_eq!(idp.sign_in().await.unwrap().email_verified, proven, "{flag:?}");
    }
}

#[tokio::test]
async fn the_operator_vouches_for_domains_if_the_provider_sends_no_flag() {
    let mut idp = Idp::start().await;
    idp.settings.trusted_email_domains = vec!["example.com".to_owned()];
    for (email, flag, proven) in [
        ("ada@example.com", None, true),
        ("Ada@EXAMPLE.com", None, true),
        ("ada@example.com", Some(json!(false)), false),
        ("ada@example.com", Some(Value::Null), false),
        ("ada@other.example", None, false),
        ("ada@sub.example.com", None, false),
        ("ada@example.com.evil", None, false),
        ("example.com", None, false),
    ] {
        idp.gives(&idp.signer.sign(&with(idp.claims(), Some(email), flag.as_ref())));
        assert_eq!(idp.sign_in().await.unwrap().email_verified, proven, "{email} {flag:?}");
    }
    // What the ID token says without an address is about the one in the user info.
    idp.tells(&document("u-1", Some("ada@example.com"), None));
    for (flag, proven) in [(None, true), (Some(json!(false)), false)] {
        idp.gives(&idp.signer.sign(&with(idp.claims(), None, flag.as_ref())));
        assert_eq!(idp.sign_in().await.unwrap().email_verified, proven, "{flag:?}");
    }
}
