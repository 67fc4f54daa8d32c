//! Whether work grows with its input, and not with the square of it.

use std::time::{Duration, Instant};

/// Bytes of the smaller of the two texts that are compared.
const SMALL: usize = 8 << 10;
/// What takes less is not looked at: other work on the machine would decide.
const SLOW: Duration = Duration::from_millis(250);
/// Of linear work the larger text takes four times as long; of quadratic work sixteen times.
const MOST: u32 = 10;

/// Repeats `piece` to two lengths, one four times the other, and compares how long `work` takes.
pub(crate) fn check(piece: &str, work: impl Fn(&str)) {
    if piece.is_empty() || piece.len() > SMALL {
        return;
    }
    let text = |bytes: usize| piece.repeat(bytes.div_ceil(piece.len()));
    let (small, large) = (text(SMALL), text(4 * SMALL));
    for attempt in 0.. {
        let (before, after) = (time(&small, &work), time(&large, &work));
        if after < SLOW || after < before * MOST {
            return;
        }
        assert!(attempt < 3, "{} bytes take {before:?}, {} take {after:?}", small.len(), large.len());
    }
}

fn time(text: &str, work: impl Fn(&str)) -> Duration {
    let start = Instant::now();
    work(text);
    start.elapsed()
}
