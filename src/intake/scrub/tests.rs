use super::*;
use crate::intake::decode;
use crate::time::Timestamp;
use serde_json::{Value, json};

fn scrub_with(scrubbing: &Scrubbing, mut event: Value) -> Value {
    event["exception"] = json!({"type": "E", "message": event["text"], "stack": event["text"]});
    let body = event.to_string();
    let mut accepted = decode::event(decode::parse(body.as_bytes()).unwrap(), Timestamp::now()).unwrap();
    scrubbing.compile().scrub(&mut accepted);
    serde_json::to_value(accepted).unwrap()
}

fn text(text: &str) -> (String, u64) {
    let event = scrub_with(&Scrubbing::default(), json!({"text": text}));
    (event["exception"]["message"].as_str().unwrap().to_owned(), event["scrubbed"].as_u64().unwrap_or(0) / 2)
}

#[test]
fn values_of_secret_names_are_filtered_wherever_they_stand() {
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
    assert_eq!(text("a=b token=c"), ("a=b token=c".into(), 0));
}

#[test]
fn addresses_are_kept_only_when_the_project_says_so() {
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
fn every_text_that_may_hold_a_secret_is_looked_at() {
    let secret = "Bearer canary-canary";
    let body = json!({"timestamp": secret, "exception": {"type": secret, "cause": {"type": secret}},
        "breadcrumbs": [{"category": secret, "type": secret, "message": secret}]})
    .to_string();
    let mut accepted = decode::event(decode::parse(body.as_bytes()).unwrap(), Timestamp::now()).unwrap();
    Scrubbing::default().compile().scrub(&mut accepted);
    assert_eq!(accepted.scrubbed, 6);
    assert!(!serde_json::to_string(&accepted).unwrap().contains("canary"));
}

/// Each would take minutes if a pass began anew at every place that looks like a secret's.
#[test]
fn hostile_texts_of_a_mebibyte_are_scrubbed_in_one_pass() {
    let Scrubber { patterns, .. } = Scrubbing::default().compile();
    let fill = |piece: &str| piece.repeat((1 << 20) / piece.len());
    let clean = |text: &str| patterns.clean(text, |name| name == "token").map(|(_, count)| count);
    assert_eq!(clean(&format!("{}PRIVATE KEY-----", fill("-----BEGIN "))), Some(1), "the last few");
    assert_eq!(clean(&format!("{} PRIVATE KEY-----", fill("-----BEGIN x\n").trim_end())), Some(1));
    assert_eq!(clean(&fill("-----BEGIN PRIVATE KEY-----")), Some(1));
    let ends = format!("-----BEGIN PRIVATE KEY-----{}", fill("-----END "));
    assert_eq!(clean(&ends), Some(1));
    assert_eq!(clean(&fill("?token=")), Some(1));
    assert_eq!(clean(&fill("bearer ")), None);
    assert_eq!(clean(&fill(".bearer.")), None);
    assert_eq!(clean(&fill("4 1-")), None);
    assert_eq!(clean(&fill("4")), None);
    assert_eq!(clean(&fill("://")), None);
    assert_eq!(clean(&fill("://a:@:")), Some((1 << 20) / 7));
}

#[test]
fn each_part_of_a_secret_name_is_found() {
    for part in names::SECRET_PARTS {
        assert!(is_secret_name(&format!("my{part}x")), "{part}");
    }
}

/// What is looked at while it is read, and what is looked at as a tree.
#[test]
fn without_a_tree_the_same_is_secret() {
    let texts = [
        r#"{"a": 1, "b": ["x", null, true, 1.5, -3]}"#,
        r#"{"password": "x"}"#,
        r#"{"password": null, "token": true, "secret": false}"#,
        r#"{"password": []}"#,
        r#"{"a": {"Api-Key": {}}}"#,
        r#"{"ip": "10.0.0.1"}"#,
        r#"[["4111 1111 1111 1111"]]"#,
        r#"{"n": 4111111111111111, "m": 5}"#,
        r#"{"n": -4111111111111111, "m": 4.5e15}"#,
        r#"{"n": 411111111111}"#,
        r#""Bearer abcdefghijklmnop""#,
        r#"{"url": "https://x/?token=abc"}"#,
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
        assert!(!scrubber.is_clean("{") && !scrubber.is_clean("{} {}"), "what cannot be read is not clean");
    }
}
