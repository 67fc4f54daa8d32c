mod fields;

use super::*;
use crate::intake::decode;
use crate::time::Timestamp;
use serde_json::{Value, json};

fn scrub_with(scrubbing: &Scrubbing, mut event: Value) -> Value {
    event["exception"] = json!({"type": "E", "message": event["text"], "stack": event["text"]});
    let body = event.to_string();
    let mut accepted =
        decode::event(decode::parse(body.as_bytes()).unwrap(), None, Timestamp::now()).unwrap();
    scrubbing.compile().scrub(&mut accepted);
    serde_json::to_value(accepted).unwrap()
}

fn text(text: &str) -> (String, u64) {
    let event = scrub_with(&Scrubbing::default(), json!({"text": text}));
    (event["exception"]["message"].as_str().unwrap().to_owned(), event["scrubbed"].as_u64().unwrap_or(0) / 2)
}

#[test]
fn values_of_secret_names_are_filtered_everywhere() {
    let names = [
        "password",
        "user_password",
        "X-Api-Key",
        "apiKey",
        "Authorization",
        "set-cookie",
        "client_secret",
        "accessToken",
        "csrf",
        "private_key",
    ];
    for name in names {
        let event = scrub_with(
            &Scrubbing::default(),
            json!({"text": "x", "extra": {"deep": [{name: "canary"}]}, "contexts": {name: {"a": "canary"}},
                "tags": {name: "canary"}, "breadcrumbs": [{"data": {name: ["canary"]}}]}),
        );
        assert!(!event.to_string().contains("canary"), "{name}: {event}");
        assert_eq!(event["scrubbed"], 4, "{name}");
    }
}

#[test]
fn harmless_names_stay() {
    for name in ["author", "pinned", "shipping", "passenger", "keyboard", "monkey", "description", "zip"] {
        let event = scrub_with(&Scrubbing::default(), json!({"text": "x", "extra": {name: "kept"}}));
        assert_eq!(event["extra"][name], "kept", "{name}");
    }
}

#[test]
fn card_numbers_with_a_right_check_digit_go() {
    assert_eq!(text("paid with 4111 1111 1111 1111."), ("paid with [Filtered].".into(), 1));
    assert_eq!(text("5500-0000-0000-0004"), ("[Filtered]".into(), 1));
    for kept in [
        "4111111111111112",
        "1790000000000",
        "order 41111111111111111111111",
        "a4111111111111111",
        "0.4111111111111111",
    ] {
        assert_eq!(text(kept), (kept.into(), 0));
    }
    let event =
        scrub_with(&Scrubbing::default(), json!({"text": "x", "extra": {"n": 4_111_111_111_111_111_u64}}));
    assert_eq!(event["extra"]["n"], FILTERED);
}

#[test]
fn private_keys_go_whole_and_cut_ones_to_the_end() {
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIcanary\n-----END RSA PRIVATE KEY-----";
    assert_eq!(text(&format!("a {key} b")), ("a [Filtered] b".into(), 1));
    assert_eq!(text("a -----BEGIN PRIVATE KEY-----\nMIIcanary"), ("a [Filtered]".into(), 1));
    assert_eq!(
        text("-----BEGIN PRIVATE KEY-----\nMIIcanary\n-----BEGIN PRIVATE KEY-----\nMIIcanary"),
        ("[Filtered]".into(), 1),
        "a cut key before another"
    );
    assert_eq!(text("-----BEGIN üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü PRIVATE KEY-----").1, 0);
    let public = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----";
    assert_eq!(text(public), (public.into(), 0));
}

#[test]
fn bearer_values_go_and_the_word_stays() {
    assert_eq!(
        text("sent Authorization: bearer abc.DEF-123_4="),
        ("sent Authorization: bearer [Filtered]".into(), 1)
    );
    assert_eq!(text("the bearer of this"), ("the bearer of this".into(), 0));
}

#[test]
fn secret_parameters_of_addresses_go() {
    assert_eq!(
        text("GET https://x/y?page=2&access_token=abc&z=1#t"),
        ("GET https://x/y?page=2&access_token=[Filtered]&z=1#t".into(), 1)
    );
    assert_eq!(text("a=b page=c"), ("a=b page=c".into(), 0));
}

#[test]
fn addresses_are_kept_only_if_the_project_says_so() {
    let sent = || json!({"text": "x", "user": {"id": "1", "ip_address": "203.0.113.9"}, "extra": {"client_ip": "203.0.113.9"}});
    let dropped = scrub_with(&Scrubbing::default(), sent());
    assert!(!dropped.to_string().contains("203.0.113.9"), "{dropped}");
    let kept = scrub_with(&Scrubbing { keep_ip_addresses: true, ..Scrubbing::default() }, sent());
    assert_eq!(kept["user"]["ip_address"], "203.0.113.9");
    assert_eq!(kept["extra"]["client_ip"], "203.0.113.9");
}

#[test]
fn a_project_adds_names_and_switches_parts_off() {
    let mine = Scrubbing { keys: vec!["Customer-Ref".into()], card_numbers: false, ..Scrubbing::default() };
    let event = scrub_with(&mine, json!({"text": "4111111111111111", "extra": {"customerRef": "canary"}}));
    assert_eq!(event["extra"]["customerRef"], FILTERED);
    assert_eq!(event["exception"]["message"], "4111111111111111");
    assert!(Scrubbing { keys: vec!["--".into()], ..Scrubbing::default() }.check().is_err());
}

#[test]
fn passwords_in_addresses_go() {
    for (sent, kept) in [
        ("at postgres://app:canary@db:5432/x?y=1", "at postgres://[Filtered]@db:5432/x?y=1"),
        ("https://a:b@c@host", "https://[Filtered]@host"),
    ] {
        assert_eq!(text(sent), (kept.into(), 1));
    }
    for kept in [
        "https://host:80/@scope/a:b@c",
        "f@https://host:3000/a.js:1:2",
        "webpack://@scope/x",
        "://a:b",
        "://\u{fc}:80 a@b",
    ] {
        assert_eq!(text(kept), (kept.into(), 0));
    }
    let off = Scrubbing { secret_names: false, ..Scrubbing::default() };
    assert_eq!(scrub_with(&off, json!({"text": "x", "url": "s://a:b@c"}))["url"], "s://a:b@c");
}

#[test]
fn each_name_is_known_in_fields_and_in_texts() {
    let names = Names::new(true, true, &["Nr 2".into()]);
    let parts = names::SECRET_PARTS.iter().flat_map(|part| [format!("my{part}"), format!("{part}2x")]);
    let whole = names::SECRET_NAMES.iter().chain(&names::ADDRESS_NAMES).map(|name| name.to_uppercase());
    for name in parts.chain(whole).chain(["nr_2".to_owned()]) {
        assert!(names.says(&name).is_some(), "{name}");
        let in_text = names.may_end(name.as_bytes()) && names.says_in_text(&name).is_some();
        assert_eq!(in_text, !name.ends_with("2x"), "{name}");
    }
    let long = format!("{}password", "x-".repeat(40));
    assert!(names.says(&long).is_some() && names.says_in_text(&long).is_some());
    assert!(names.says("Ünï_Password").is_some() && names.says("").is_none() && names.says("p").is_none());
}

#[test]
fn a_number_of_tokens_stays_where_a_text_goes() {
    let own = Scrubbing { keys: vec!["Tokens".into()], ..Scrubbing::default() };
    for (scrubbing, sent, left) in [
        (&Scrubbing::default(), json!({"tokens": 1532}), json!({"tokens": 1532})),
        (&Scrubbing::default(), json!({"tokens": "1532"}), json!({"tokens": FILTERED})),
        (&Scrubbing::default(), json!({"tokens": 4_111_111_111_111_111_u64}), json!({"tokens": FILTERED})),
        (&Scrubbing::default(), json!({"name": "tokens", "value": 5}), json!({"name": "tokens", "value": 5})),
        (
            &Scrubbing::default(),
            json!([["tokens", 5], ["tokens", "a"]]),
            json!([["tokens", 5], ["tokens", FILTERED]]),
        ),
        (&own, json!({"tokens": 1532}), json!({"tokens": FILTERED})),
    ] {
        let event = scrub_with(scrubbing, json!({"text": "x", "extra": {"it": sent}}));
        assert_eq!(event["extra"]["it"], left);
    }
}

/// Checking JSON while it is read, and checking it as a tree.
#[test]
fn without_a_tree_the_same_is_secret() {
    let texts = [
        r#"{"a": 1, "b": ["x", null, true, 1.5, -3]}"#,
        r#"{"password": "x"}"#,
        r#"{"password": null, "token": true, "secret": false}"#,
        r#"{"password": []}"#,
        r#"{"tokens": 1532, "max_tokens": -1, "adminTokens": 1.5}"#,
        r#"{"tokens": "1532"}"#,
        r#"{"tokens": [1]}"#,
        r#"{"tokens": 4111111111111111}"#,
        r#"{"a": {"Api-Key": {}}}"#,
        r#"{"ip": "10.0.0.1"}"#,
        r#"[["4111 1111 1111 1111"]]"#,
        r#"{"n": 4111111111111111, "m": 5}"#,
        r#"{"n": -4111111111111111, "m": 4.5e15}"#,
        r#"{"n": 411111111111}"#,
        r#""Bearer abcdefghijklmnop""#,
        r#"{"url": "https://x/?token=abc"}"#,
        r#"[["Cookie", "a"], ["Host", "x"]]"#,
        r#"{"rawHeaders": ["token", "a"]}"#,
        r#"{"name": "Cookie", "value": 5}"#,
        r#"{"ghp_0123456789abcdefghij0123456789012345": 1}"#,
        r#"{"4111111111111111": 1}"#,
        "5",
        "null",
    ];
    let keeps = Scrubbing { keep_ip_addresses: true, secret_names: false, ..Scrubbing::default() };
    for scrubber in [Scrubbing::default().compile(), keeps.compile()] {
        for text in texts {
            let mut tree = Json::parse(text.as_bytes()).unwrap();
            let before = tree.clone();
            let count = scrubber.clean_value(&mut tree);
            assert_eq!(
                (count == 0, tree == before),
                (scrubber.is_clean(text), scrubber.is_clean(text)),
                "{text}"
            );
        }
        for text in [r#"["password", "email"]"#, r#"{"name": "token", "x": 1}"#] {
            let mut tree = Json::parse(text.as_bytes()).unwrap();
            assert_eq!(
                scrubber.clean_value(&mut tree),
                0,
                "it is looked at as a tree, and has nothing: {text}"
            );
        }
        assert!(!scrubber.is_clean("{") && !scrubber.is_clean("{} {}"), "what cannot be read is not clean");
    }
}
