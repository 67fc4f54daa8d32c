use super::*;
use crate::outbound::Client;
use serde_json::json;

fn service() -> Service {
    Service {
        name: "Jira",
        client: Client::new(),
        policy: Policy::Guarded,
        base: "https://jira.example".to_owned(),
        proof: Proof::Bearer(Secret::new("canary")),
        headers: &[],
    }
}

fn judged(status: u16, headers: &[(&'static str, &str)], body: &Value) -> Result<(), AskError> {
    let headers = headers
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()));
    let status = StatusCode::from_u16(status).unwrap();
    service().judge(&Reply { status, headers: headers.collect(), body: body.to_string().into_bytes() })
}

#[test]
fn the_status_decides_whether_a_failure_may_pass() {
    let none = json!(null);
    assert_eq!(judged(200, &[], &none), Ok(()));
    for status in [401, 410] {
        assert!(matches!(judged(status, &[], &none), Err(AskError::Revoked(_))), "{status}");
    }
    assert!(matches!(judged(404, &[], &none), Err(AskError::Missing(_))));
    for status in [400, 403, 422] {
        assert!(matches!(judged(status, &[], &none), Err(AskError::Refused(_))), "{status}");
    }
    for status in [408, 500, 503] {
        assert!(matches!(judged(status, &[], &none), Err(AskError::Passing(_))), "{status}");
    }
}

#[test]
fn the_pause_of_a_rate_limit_is_bounded() {
    let wait = |headers: &[(&'static str, &str)], status| match judged(status, headers, &json!(null)) {
        Err(AskError::Busy { wait, .. }) => wait.as_secs(),
        other => panic!("{other:?}"),
    };
    assert_eq!(wait(&[("retry-after", "7")], 429), 7);
    assert_eq!(wait(&[], 429), 60);
    assert_eq!(wait(&[("retry-after", "99999999")], 429), 3_600);
    assert_eq!(wait(&[("retry-after", "7")], 403), 7);
    assert_eq!(wait(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1")], 403), 0);
}

#[test]
fn a_services_message_is_one_line_without_our_secret() {
    let said = |body: Value| judged(422, &[], &body).unwrap_err().text().to_owned();
    assert_eq!(
        said(json!({"message": "Bad\r\nname", "errors": [{"message": "title"}]})),
        "Jira answered 422: Bad name: title"
    );
    assert_eq!(said(json!({"errorMessages": ["No canary here"]})), "Jira answered 422: No … here");
    assert_eq!(
        said(json!({"errors": {"summary": "is required"}})),
        "Jira answered 422: summary: is required"
    );
    assert_eq!(said(json!(["x"])), "Jira answered 422");
    assert!(said(json!({"message": "x".repeat(10_000)})).chars().count() < 200);
}
