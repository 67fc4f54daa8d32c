//! The result of a scenario: a report of its figures, or the promise that was broken.
//!
//! A scenario is a function, so that three tests can run it: the short one with `make test`, the long
//! one with `make soak` (MAYDAY_SOAK=1), and one on a server that breaks the promise on purpose
//! (`MAYDAY_SABOTAGE`), which must be noticed.

use std::fmt;
use std::time::{Duration, Instant, SystemTime};

/// `Err` says which promise was broken, and how.
pub(crate) type Outcome = Result<Report, String>;

/// Figures of a run, in the order in which they were noted.
#[derive(Default)]
pub(crate) struct Report(Vec<(&'static str, String)>);

impl Report {
    pub(crate) fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.push((name, value.to_string()));
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures: Vec<String> = self.0.iter().map(|(name, value)| format!("{name} {value}")).collect();
        f.write_str(&figures.join(", "))
    }
}

/// Asserts that the scenario kept its promise.
#[track_caller]
pub(crate) fn kept(outcome: Outcome) {
    match outcome {
        Ok(report) => eprintln!("kept: {report}"),
        Err(violation) => panic!("{violation}"),
    }
}

/// The promise was broken on purpose, and that was noticed as `violation`.
#[track_caller]
pub(crate) fn broken(outcome: Outcome, violation: &str) {
    match outcome {
        Ok(report) => panic!("the sabotage was not noticed: {report}"),
        Err(noticed) => assert!(noticed.contains(violation), "noticed something else: {noticed}"),
    }
}

/// A condition of a promise.
pub(crate) fn ensure(holds: bool, violation: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(violation()) }
}

/// Whether this is `make soak`.
pub(crate) fn is_soak() -> bool {
    std::env::var_os("MAYDAY_SOAK").is_some()
}

/// The limit in short runs for things without a time limit: they share their machine, so speed proves nothing there.
const HANGS: Duration = Duration::from_mins(4);

/// The time limit for something: as promised under `make soak`, which has the machine to itself; elsewhere so long
/// that only something that never happens exceeds it.
pub(crate) fn patience(promised: Duration) -> Duration {
    if is_soak() { promised } else { promised.max(HANGS) }
}

/// Reports that a test proves nothing on this machine. `make soak` must prove everything.
#[track_caller]
pub(crate) fn skipped(why: &str) {
    assert!(!is_soak(), "make soak needs this: {why}");
    eprintln!("SKIPPED: {why}");
}

/// The same for the variable of a server that breaks a promise.
pub(crate) fn sabotage(name: &'static str) -> [(&'static str, &'static str); 1] {
    [("MAYDAY_SABOTAGE", name)]
}

/// Repeats `ask` until it returns something, for at most `limit`.
pub(crate) fn within<T>(
    limit: Duration,
    what: &str,
    mut ask: impl FnMut() -> Option<T>,
) -> Result<T, String> {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return Ok(answer);
        }
        ensure(start.elapsed() < limit, || format!("waited {limit:?} in vain for {what}"))?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The value below which 99 of 100 lie.
pub(crate) fn p99(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get((times.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}

/// Pseudo-random numbers, the same for the same seed.
pub(crate) struct Random(u64);

impl Random {
    /// Seeded by MAYDAY_SEED; else always the same in short runs, and different in each long one.
    pub(crate) fn seeded() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(7, |time| time.as_secs());
        let given = std::env::var("MAYDAY_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or(if is_soak() { now } else { 7 });
        eprintln!("MAYDAY_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
