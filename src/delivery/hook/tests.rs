use super::*;
use hyper::StatusCode;

fn answer(status: u16, retry_after: Option<&str>, body: &str) -> Response {
    let mut headers = HeaderMap::new();
    headers.extend(retry_after.map(|value| (RETRY_AFTER, HeaderValue::from_str(value).unwrap())));
    Response { status: StatusCode::from_u16(status).unwrap(), headers, body: body.as_bytes().to_vec() }
}

#[test]
fn the_signature_matches_the_published_example() {
    // From the specification of Standard Webhooks.
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
    assert_eq!(signed.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    assert_eq!(signature("nonsense", "id", 0, "{}"), None);
    assert!(signature(&new_secret(), "id", 0, "{}").is_some());
}

#[test]
fn the_status_decides_whether_and_when_to_retry() {
    assert_eq!(judge(&answer(204, None, "")), Ok(()));
    let gone = judge(&answer(410, None, "")).unwrap_err();
    assert!(gone.is_gone && gone.permanent);
    for status in [400, 413, 422] {
        let failure = judge(&answer(status, None, "")).unwrap_err();
        assert!(failure.permanent && !failure.is_gone, "{status}");
    }
    for status in [401, 404, 429, 500, 503] {
        assert!(!judge(&answer(status, None, "")).unwrap_err().permanent, "{status}");
    }
    let wait = |value: &str| judge(&answer(429, Some(value), "")).unwrap_err().wait;
    assert_eq!(wait("7"), Some(Duration::from_secs(7)));
    assert_eq!(wait("999999"), Some(PAUSE_MAX));
    assert_eq!(wait("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
    assert_eq!(wait("Fri, 21 Oct 2095 07:28:00 GMT"), Some(PAUSE_MAX));
    assert_eq!(wait("soon"), None);
}

#[test]
fn the_receivers_answer_becomes_one_short_line() {
    let failure = judge(&answer(500, None, &format!("no\r\n{}", "x".repeat(10_000)))).unwrap_err();
    assert!(failure.text.starts_with("the receiver answered 500: no xxx") && failure.text.len() < 300);
}
