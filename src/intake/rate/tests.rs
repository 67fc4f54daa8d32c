use super::*;
use crate::crypto::token::key_hash;
use crate::ids::{KeyId, OrganizationId, ProjectId};
use crate::intake::directory::Directory;
use crate::projects::key::Scope;
use crate::projects::key::ValidKey;
use crate::scrubbing::Scrubbing;
use std::sync::Arc;

const LOW: RateLimits = RateLimits {
    errors_per_second: 1,
    logs_per_second: 1,
    kilobytes_per_second: 1,
    replays_per_second: 1,
    sourcemaps_per_hour: 1,
};

fn keys() -> Vec<([u8; 32], ValidKey)> {
    let entry = |key: &str, id: i64, project: i64| {
        let scrubber = Arc::new(Scrubbing::default().compile());
        let (id, project) = (KeyId(id), ProjectId(project));
        (
            key_hash(key),
            ValidKey {
                id,
                project,
                organization: OrganizationId(1),
                scopes: vec![Scope::Ingest],
                environment: None,
                scrubber,
            },
        )
    };
    vec![entry("pk_a", 1, 1), entry("pk_b", 2, 1), entry("pk_c", 3, 2)]
}

#[test]
fn a_projects_keys_share_its_buckets_across_refreshes() {
    let directory = Directory::new(LOW);
    directory.replace(keys());
    let admit = |key: &str, cost| directory.admit(&directory.find(key).unwrap(), Kind::Errors, cost);
    admit("pk_a", 100).unwrap();
    assert!(admit("pk_b", 50).is_err(), "the same project");
    directory.replace(keys());
    assert!(admit("pk_a", 50).is_err(), "after a refresh");
    admit("pk_c", 100).unwrap();
}

#[test]
fn each_kind_has_its_own_bucket_and_refusals_name_the_variable() {
    let (limiter, buckets) = (Limiter::new(LOW), Buckets::default());
    for (kind, full, variable) in [
        (Kind::Errors, 100, "SERVICE_RATE_LIMIT_ERRORS_PER_SECOND"),
        (Kind::Logs, 100, "SERVICE_RATE_LIMIT_LOGS_PER_SECOND"),
        (Kind::Replays, 100, "SERVICE_RATE_LIMIT_REPLAYS_PER_SECOND"),
        (Kind::Bytes, 10 << 10, "SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND"),
        (Kind::SourceMaps, 1, "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR"),
    ] {
        limiter.take(&buckets, kind, full).unwrap();
        let refused = limiter.take(&buckets, kind, full).unwrap_err();
        assert!(refused.to_string().contains(variable), "{refused}");
        let Error::TooMany { retry_after, quota, .. } = refused else { panic!("{refused}") };
        assert!(retry_after > 90, "{kind:?}: {retry_after}");
        assert_eq!(quota, Some(Quota { limit: 1, remaining: 0 }));
    }
}

#[test]
fn bytes_are_limited_across_kinds_and_a_refusal_takes_none() {
    let limits = RateLimits { errors_per_second: 1, kilobytes_per_second: 1_000, ..RateLimits::default() };
    let (limiter, buckets) = (Limiter::new(limits), Buckets::default());
    // Ten seconds' worth.
    for _ in 0..9 {
        limiter.take_with_bytes(&buckets, Kind::Logs, 1, 1_000 << 10).unwrap();
    }
    limiter.take(&buckets, Kind::Errors, 100).unwrap();
    let refused = limiter.take_with_bytes(&buckets, Kind::Errors, 100, 1_000 << 10).unwrap_err();
    assert!(refused.to_string().contains("ERRORS_PER_SECOND"), "{refused}");
    limiter.take_with_bytes(&buckets, Kind::Logs, 1, 999 << 10).unwrap();
    let refused = limiter.take_with_bytes(&buckets, Kind::Logs, 1, 8_000 << 10).unwrap_err();
    assert!(refused.to_string().contains("1000 kilobytes a second"), "{refused}");
}

#[test]
fn only_refused_events_cause_early_key_checks() {
    let (limiter, buckets) = (Limiter::new(LOW), Buckets::default());
    while limiter.take(&buckets, Kind::SourceMaps, 1).is_ok() {}
    assert!(!limiter.is_pressed());
    while limiter.take(&buckets, Kind::Errors, 100).is_ok() {}
    assert!(limiter.is_pressed());
}

#[test]
fn unknown_keys_leave_nothing_behind() {
    let directory = Directory::default();
    directory.replace(keys());
    for number in 0..10_000 {
        assert!(directory.find(&format!("pk_{number}")).is_none());
    }
    assert!(directory.find(&format!("pk_{}", "x".repeat(1 << 20))).is_none());
    assert_eq!(directory.take_last_used(), []);
    assert!(directory.find("pk_a").is_some());
}
