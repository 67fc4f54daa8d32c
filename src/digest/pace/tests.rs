use super::*;

const BATCH: usize = 500;
/// 5,000 events per second.
const WORKED: Duration = Duration::from_millis(100);

/// The share of rest while `rate` events per second arrive, with a backlog of `waiting` and a digest of known
/// speed.
fn share(rate: i64, mut waiting: i64) -> f64 {
    let start = Instant::now();
    let (mut now, mut last) = (start, waiting);
    let mut pace = Pace::new(last, now);
    pace.measure(MEASURED, WORKED.mul_f64(MEASURED as f64 / BATCH as f64));
    let mut rested = Duration::ZERO;
    for _ in 0..15 {
        let digested = waiting.min(BATCH as i64);
        let worked = WORKED.mul_f64(digested as f64 / BATCH as f64);
        let rest = pace.rest(digested as usize, (worked, worked), (last, waiting), now);
        rested += rest;
        let passed = WORKED + rest;
        now += passed;
        let arrived = (rate as f64 * passed.as_secs_f64()) as i64;
        last += arrived;
        waiting += arrived - digested;
    }
    rested.as_secs_f64() / now.duration_since(start).as_secs_f64()
}

#[test]
fn it_rests_while_more_arrives_than_it_can_digest() {
    let share = share(15_000, 0);
    assert!((0.65..0.91).contains(&share), "{share}");
}

#[test]
fn it_does_not_rest_at_a_rate_it_can_follow() {
    assert!(share(1_000, 0) < f64::EPSILON);
    assert!(share(1_700, 20_000) < f64::EPSILON);
}

#[test]
fn a_long_backlog_ends_the_rest() {
    assert!(share(15_000, BACKLOG_MAX * 2) < f64::EPSILON);
}

#[test]
fn it_stops_resting_when_the_burst_is_over() {
    assert!(share(0, 50_000) < f64::EPSILON);
}

#[test]
fn a_machine_that_became_slower_is_noticed() {
    let mut pace = Pace::new(0, Instant::now());
    pace.measure(MEASURED, Duration::from_millis(100));
    let best = pace.best;
    (0..100).for_each(|_| pace.measure(MEASURED, Duration::from_secs(1)));
    assert!(pace.best < best / 5.0, "{} of {best}", pace.best);
}
