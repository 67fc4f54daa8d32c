use super::*;
use std::time::Instant;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn fail(throttle: &Throttle, email: &str, address: &str) -> bool {
    throttle.begin_login(email, ip(address)).map(drop).is_ok()
}

#[test]
fn the_sixth_guess_at_an_account_from_one_address_is_refused() {
    let throttle = Throttle::default();
    for _ in 0..5 {
        assert!(fail(&throttle, "ada@example.com", "203.0.113.7"));
    }
    let refused = throttle.begin_login("ada@example.com", ip("203.0.113.7")).err().unwrap();
    let Error::TooMany { retry_after, .. } = refused else { panic!("{refused}") };
    assert!((890..=900).contains(&retry_after), "{retry_after}");
    // Its owner can sign in from elsewhere, and the address can still sign in to other accounts.
    assert!(fail(&throttle, "ada@example.com", "203.0.113.8"));
    assert!(fail(&throttle, "bob@example.com", "203.0.113.7"));
}

#[test]
fn a_successful_attempt_does_not_count() {
    let throttle = Throttle::default();
    for _ in 0..60 {
        throttle.begin_login("ada@example.com", ip("203.0.113.7")).unwrap().succeed();
    }
    assert_eq!((throttle.accounts.len(), throttle.addresses.len()), (0, 0));
}

#[test]
fn concurrent_attempts_take_their_slots_before_they_are_judged() {
    let throttle = Throttle::default();
    let begun: Vec<_> =
        (0..10).filter_map(|_| throttle.begin_login("ada@example.com", ip("203.0.113.7")).ok()).collect();
    assert_eq!(begun.len(), 5);
}

#[test]
fn an_address_has_50_failures_at_each_door_and_a_v6_network_counts_as_one() {
    let throttle = Throttle::default();
    for number in 0..50 {
        assert!(fail(&throttle, &format!("{number}@example.com"), &format!("2001:db8::{number:x}")));
    }
    assert!(!fail(&throttle, "new@example.com", "2001:db8::ffff"));
    assert!(fail(&throttle, "new@example.com", "2001:db8:0:1::1"));
    assert!(throttle.begin(Door::Register, ip("2001:db8::1")).is_ok());
}

#[test]
fn a_refused_account_does_not_count_for_the_address() {
    let throttle = Throttle::default();
    for _ in 0..200 {
        fail(&throttle, "ada@example.com", "203.0.113.7");
    }
    assert!(fail(&throttle, "bob@example.com", "203.0.113.7"));
}

#[test]
fn the_table_of_windows_is_bounded() {
    let windows = Windows::default();
    for key in 0..120_000 {
        let _ = windows.take(key, 1, Duration::from_mins(15));
    }
    assert!(windows.len() <= 50_000);
}

#[test]
fn failures_stop_counting_after_the_window() {
    let windows = Windows::default();
    let long = Duration::from_hours(1);
    assert!(windows.take(1, 1, long).is_ok());
    assert!(windows.take(1, 1, long).is_err());
    // A new window forgets the earlier failures.
    assert!(windows.take(1, 1, Duration::ZERO).is_ok());
}

#[test]
fn a_bucket_holds_an_hours_requests_and_refills_evenly() {
    let buckets = Buckets::default();
    let start = Instant::now();
    let take = |seconds| buckets.take_at(Bearer::User(1), 3_600, start + Duration::from_secs(seconds));
    for _ in 0..3_600 {
        take(0).unwrap();
    }
    let Err(Error::TooMany { retry_after, quota, .. }) = take(0) else { panic!("taken") };
    // Until about 20 are allowed: a page sends several requests at once.
    assert_eq!((retry_after, quota), (20, Some(Quota { limit: 3_600, remaining: 0 })));
    assert!(buckets.take_at(Bearer::User(2), 3_600, start).is_ok());
    take(10).unwrap();
    for _ in 0..9 {
        take(10).unwrap();
    }
    assert!(take(10).is_err());
    assert!(buckets.take(Bearer::User(1), 0).is_ok());
}

#[test]
fn an_owner_is_warned_once_in_an_hour_and_only_of_guesses_at_their_account() {
    let throttle = Throttle::default();
    let warns = |email: &str, address: &str| throttle.is_warning(email, ip(address));
    for _ in 0..4 {
        fail(&throttle, "ada@example.com", "203.0.113.7");
    }
    assert!(!warns("ada@example.com", "203.0.113.7"));
    for address in ["203.0.113.7", "203.0.113.8"] {
        for _ in 0..5 {
            fail(&throttle, "ada@example.com", address);
        }
    }
    assert!(!warns("bob@example.com", "203.0.113.7"));
    assert!(warns("ada@example.com", "203.0.113.7"));
    assert!(!warns("ada@example.com", "203.0.113.7") && !warns("ada@example.com", "203.0.113.8"));
}
