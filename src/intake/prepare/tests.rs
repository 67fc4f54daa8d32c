use super::*;
use crate::config::RateLimits;
use crate::crypto::token::key_hash;
use crate::ids::{KeyId, OrganizationId, ProjectId};
use crate::projects::key::{Scope, ValidKey};
use crate::scrubbing::Scrubbing;
use serde_json::{Value, json};
use std::sync::Arc;

const KEY: &str = "pk_test";

fn directory() -> Directory {
    limited(RateLimits::default())
}

fn limited(limits: RateLimits) -> Directory {
    let scrubber = Arc::new(Scrubbing::default().compile());
    let entry = ValidKey {
        id: KeyId(1),
        project: ProjectId(1),
        organization: OrganizationId(1),
        scopes: vec![Scope::Ingest],
        environment: None,
        scrubber,
    };
    let directory = Directory::new(limits);
    directory.replace(vec![(key_hash(KEY), entry)]);
    directory
}

fn taken(batch: &Value) -> (usize, usize) {
    let (rows, total) = super::batch(&directory(), &Packer::default(), batch.to_string().as_bytes()).unwrap();
    (rows.len(), total)
}

fn many(values: usize) -> String {
    vec!["[0]"; values / 2].join(",")
}

#[test]
fn a_large_body_without_a_valid_key_is_not_parsed() {
    // The tree would be refused with 422: the key was checked before one was built.
    let directory = directory();
    let wide = many(300_000);
    for batch in [format!("[{wide}]"), format!("[{{\"api_key\":\"pk_no\",\"extra\":[{wide}]}}]")] {
        let refused = super::batch(&directory, &Packer::default(), batch.as_bytes()).err();
        assert!(matches!(refused, Some(Error::Unauthenticated(_))), "{refused:?}");
    }
    let event =
        |key: &str| format!("{{\"extra\":{{\"a\":[{wide}]}},\"message\":\"x\",\"api_key\":\"{key}\"}}");
    assert!(matches!(
        one(&directory, &Packer::default(), event("pk_no").as_bytes()),
        Err(Error::Unauthenticated(_))
    ));
    assert!(matches!(one(&directory, &Packer::default(), event(KEY).as_bytes()), Err(Error::Invalid(_))));
}

#[test]
fn an_event_in_a_batch_has_the_limits_of_a_single_one() {
    let good = json!({"api_key": KEY, "message": "x"});
    let long = json!({"api_key": KEY, "message": "x".repeat(decode::EVENT_MAX)});
    let deep: Value = (0..70).fold(json!(0), |inner, _| json!([inner]));
    let deep = json!({"api_key": KEY, "message": "x", "extra": {"a": deep}});
    let wide = json!({"api_key": KEY, "message": "x", "extra": {"a": vec![0; 200_000]}});
    assert_eq!(taken(&json!([good, long, deep, wide, good])), (2, 5));
    assert_eq!(taken(&json!([long, good])), (1, 2), "whose key counts all the same");
}

#[test]
fn more_than_a_hundred_events_are_refused_after_the_key_check() {
    let batch = |key: &str, events: usize| {
        let batch = vec![json!({"api_key": key, "message": "x"}); events];
        super::batch(&directory(), &Packer::default(), json!(batch).to_string().as_bytes())
    };
    assert_eq!(batch(KEY, 100).unwrap().0.len(), 100);
    assert!(matches!(batch(KEY, 101), Err(Error::Invalid(text)) if text.contains("101")));
    assert!(matches!(batch("pk_no", 101), Err(Error::Unauthenticated(_))));
}

#[test]
fn a_body_that_is_not_an_array_or_not_json_is_reported() {
    let refuse = |body: &str| super::batch(&directory(), &Packer::default(), body.as_bytes()).err();
    assert!(matches!(refuse("{}"), Some(Error::Invalid(text)) if text.contains("got an object")));
    assert!(matches!(refuse("[{"), Some(Error::Malformed(_))));
    assert!(matches!(refuse(""), Some(Error::Malformed(_))));
    assert!(matches!(refuse("[]"), Some(Error::Unauthenticated(_))));
}

#[tokio::test]
async fn a_large_body_releases_its_slot() {
    let share = Share::default();
    for _ in 0..10 {
        assert_eq!(in_place(&share, || Ok(1)).await.unwrap(), 1);
        assert!(in_place(&share, || Err::<(), _>(Error::invalid("x"))).await.is_err());
    }
}

#[test]
fn over_its_rate_a_project_builds_no_trees() {
    let limits = RateLimits { errors_per_second: 1, ..RateLimits::default() };
    let directory = limited(limits);
    let event = json!({"api_key": KEY, "message": "x"});
    let hundred = json!(vec![&event; 100]).to_string();
    assert_eq!(super::batch(&directory, &Packer::default(), hundred.as_bytes()).unwrap().0.len(), 100);
    let refused = super::batch(&directory, &Packer::default(), hundred.as_bytes()).err();
    assert!(matches!(refused, Some(Error::TooMany { .. })), "{refused:?}");
    // Nested too deeply: the tree would be refused with 422.
    let deep = format!(r#"{{"extra":{}{},"api_key":"{KEY}"}}"#, "[".repeat(80), "]".repeat(80));
    let refused = one(&directory, &Packer::default(), deep.as_bytes());
    assert!(matches!(refused, Err(Error::TooMany { .. })), "{:?}", refused.err());
    let calm = limited(limits);
    assert!(matches!(one(&calm, &Packer::default(), deep.as_bytes()), Err(Error::Invalid(_))));
    // Whichever is checked first, one event counts once.
    let rest = json!(vec![&event; 99]).to_string();
    assert!(super::batch(&calm, &Packer::default(), rest.as_bytes()).is_ok(), "the event cost more than one");
}

#[test]
fn unusable_events_of_a_batch_cost_as_much_as_others() {
    let directory = limited(RateLimits { errors_per_second: 1, ..RateLimits::default() });
    let mut events = vec![json!({"api_key": KEY})];
    events.resize(60, json!(5));
    let events = json!(events).to_string();
    assert_eq!(super::batch(&directory, &Packer::default(), events.as_bytes()).unwrap().0.len(), 0);
    assert!(matches!(
        super::batch(&directory, &Packer::default(), events.as_bytes()),
        Err(Error::TooMany { .. })
    ));
}
