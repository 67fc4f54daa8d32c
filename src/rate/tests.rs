use super::*;

/// Pseudo-random numbers with a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Arrivals: quiet times, bursts at one instant, steady streams; costs from 1 to a full batch.
fn arrivals(dice: &mut Dice, rate: Rate) -> Vec<(u64, u32)> {
    let step = rate.nanos_of(1);
    let mut at = 0;
    let next = |_| {
        at += match dice.below(4) {
            0 => 0,
            1 => dice.below(step + 1),
            2 => dice.below(20 * step + 1),
            _ => dice.below(2 * rate.nanos_of(rate.burst) + 1) / 4,
        };
        let cost = if dice.below(2) == 0 { 1 } else { 1 + dice.below(100) as u32 };
        (at, cost.min(rate.burst))
    };
    (0..300).map(next).collect()
}

#[test]
fn never_more_is_taken_than_rate_times_window_plus_burst() {
    let start = Instant::now();
    for seed in 1..400_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let limit = [1, 3, 7, 100, 999, 1_000, 5_000, 999_983, 1_000_000][dice.below(9) as usize];
        let rate = if seed % 3 == 0 { Rate::per_hour(limit) } else { Rate::per_second(limit, 100) };
        let bucket = Bucket::default();
        let mut taken: Vec<(u64, u64)> = Vec::new();
        for (at, cost) in arrivals(&mut dice, rate) {
            if bucket.take(rate, cost, start + Duration::from_nanos(at)).is_ok() {
                taken.push((at, u64::from(cost)));
            }
        }
        assert!(!taken.is_empty(), "seed {seed}");
        for (first, (from, _)) in taken.iter().enumerate() {
            let mut sum = 0;
            for (to, cost) in &taken[first..] {
                sum += cost;
                let window = u128::from(to - from) * u128::from(limit) / u128::from(rate.per);
                let most = window as u64 + u64::from(rate.burst) + 1;
                assert!(sum <= most, "seed {seed}: {sum} in {} ns at {rate:?}", to - from);
            }
        }
    }
}

/// Otherwise a limiter that refuses everything would pass.
#[test]
fn a_steady_stream_at_the_rate_is_never_refused() {
    let start = Instant::now();
    for limit in [1, 3, 7, 999, 1_000, 999_983] {
        let (rate, bucket) = (Rate::per_second(limit, 100), Bucket::default());
        for step in 0..10_000 {
            let at = start + Duration::from_nanos(rate.nanos_of(1) * step);
            assert_eq!(bucket.take(rate, 1, at), Ok(()), "{limit} a second, step {step}");
        }
    }
}

#[test]
fn a_refusal_takes_nothing_and_reports_the_wait_and_the_rest() {
    let (rate, bucket, now) = (Rate::per_second(10, 100), Bucket::default(), Instant::now());
    bucket.take(rate, 70, now).unwrap();
    let refused = bucket.take(rate, 50, now).unwrap_err();
    assert_eq!(refused, RateRefusal { wait: Duration::from_secs(2), remaining: 30 });
    assert_eq!(bucket.take(rate, 50, now), Err(refused), "a refusal is free");
    assert_eq!(bucket.take(rate, 30, now), Ok(()));
    let refused = bucket.take(rate, 1, now).unwrap_err();
    assert_eq!((refused.remaining, refused.seconds()), (0, 1), "a tenth of a second is a second");
    let later = now + refused.wait;
    assert_eq!(bucket.take(rate, 1, later), Ok(()));
    assert!(!bucket.is_full(later) && bucket.is_full(later + Duration::from_secs(10)));
}

#[test]
fn a_full_batch_fits_any_rate_and_zero_means_unlimited() {
    let now = Instant::now();
    assert_eq!(Bucket::default().take(Rate::per_second(3, 100), 100, now), Ok(()));
    let bucket = Bucket::default();
    for _ in 0..1_000 {
        assert_eq!(bucket.take(Rate::per_second(0, 100), 100, now), Ok(()));
    }
}

#[test]
fn concurrent_callers_share_one_bucket() {
    let (rate, bucket, now) = (Rate::per_hour(1_000), Bucket::default(), Instant::now());
    let taken = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let got = (0..1_000).filter(|_| bucket.take(rate, 1, now).is_ok()).count();
                taken.fetch_add(got as u64, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(taken.into_inner(), 1_000);
}
