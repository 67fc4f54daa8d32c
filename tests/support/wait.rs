//! Waiting by asking.

use std::time::{Duration, Instant};

/// Long enough for a busy machine: only something that never happens exceeds it.
const LIMIT: Duration = Duration::from_mins(3);
const PAUSE: Duration = Duration::from_millis(5);

/// Repeats `ask` until it returns something.
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
