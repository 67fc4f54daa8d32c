use super::*;
use std::collections::HashMap;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY: &[u8] = br#"{"test": 2432232314}"#;

fn now() -> Timestamp {
    Timestamp::from_millis(1_614_265_330_000)
}

#[track_caller]
fn checked(headers: &[(&str, &str)], body: &[u8], now: Timestamp) -> Option<Signed> {
    let headers: HashMap<&str, &str> = headers.iter().copied().collect();
    check(SECRET, |name| headers.get(name).copied(), body, now)
}

fn hex() -> String {
    token::hex(&token::signature(SECRET.as_bytes(), BODY))
}

#[test]
fn the_standard_webhooks_example_is_accepted() {
    // From the specification's own libraries.
    let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    let headers = |signature| {
        [("webhook-id", id), ("webhook-timestamp", "1614265330"), ("webhook-signature", signature)]
    };
    let expected = Some(Signed { id: Some(id.to_owned()) });
    assert_eq!(checked(&headers(signature), BODY, now()), expected);
    let several = format!("v1,AAAA v1a,xxxx {signature}");
    assert_eq!(checked(&headers(&several), BODY, now()), expected);
    for bad in ["", "v1", "v1,", &signature[3..], "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="] {
        assert_eq!(checked(&headers(bad), BODY, now()), None, "{bad}");
    }
    assert_eq!(checked(&headers(signature), b"{}", now()), None);
    for (distance, is_good) in
        [(-5 * MINUTE, true), (5 * MINUTE, true), (-5 * MINUTE - 1, false), (5 * MINUTE + 1, false)]
    {
        assert_eq!(checked(&headers(signature), BODY, now().plus(distance)).is_some(), is_good, "{distance}");
    }
}

#[test]
fn time_and_id_are_signed() {
    let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    for (id, time) in [
        (id, "1614265331"),
        ("msg_another", "1614265330"),
        (id, "x"),
        (id, "99999999999999999999"),
        (id, "-9223372036854775808"),
        ("", "1614265330"),
    ] {
        let headers = [("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signature)];
        assert_eq!(checked(&headers, BODY, now()), None, "{id} {time}");
    }
}

#[test]
fn an_hmac_in_any_of_four_headers_is_accepted() {
    let hex = hex();
    for name in HEADERS {
        for value in [hex.clone(), format!("sha256={hex}"), hex.to_uppercase()] {
            assert_eq!(checked(&[(name, &value)], BODY, now()), Some(Signed { id: None }), "{name} {value}");
        }
    }
    let delivery = [("x-hub-signature-256", hex.as_str()), ("x-github-delivery", "72d3162e")];
    assert_eq!(checked(&delivery, BODY, now()), Some(Signed { id: Some("72d3162e".to_owned()) }));
}

#[test]
fn the_first_header_counts() {
    let hex = hex();
    let bad = "0".repeat(64);
    assert!(checked(&[("x-webhook-signature", &bad), ("x-signature", &hex)], BODY, now()).is_none());
    assert!(checked(&[("x-webhook-signature", &hex), ("x-signature", &bad)], BODY, now()).is_some());
}

#[test]
fn invalid_signatures_are_refused() {
    let hex = hex();
    for value in [
        "",
        "sha256=",
        &hex[1..],
        &format!("{hex}0"),
        &format!("sha1={hex}"),
        &"é".repeat(32),
        &"g".repeat(64),
    ] {
        assert_eq!(checked(&[("x-signature", value)], BODY, now()), None, "{value}");
    }
    assert_eq!(checked(&[], BODY, now()), None);
    let other = token::hex(&token::signature(b"another secret", BODY));
    assert_eq!(checked(&[("x-signature", &other)], BODY, now()), None);
}
