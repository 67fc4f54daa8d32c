//! Waiting by asking.

use std::time::{Duration, Instant};

/// Long enough for a machine that does much else: only what never comes is late.
const LIMIT: Duration = Duration::from_mins(3);
const PAUSE: Duration = Duration::from_millis(5);

/// Asks until there is an answer.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < LIMIT, "waited {LIMIT:?} in vain for {what}");
        std::thread::sleep(PAUSE);
    }
}
