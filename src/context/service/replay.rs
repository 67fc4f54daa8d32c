//! The file with what a person did and saw in the replay before an event.

use crate::replays::steps::Step;
use crate::text::line;
use std::fmt::Write as _;

/// Characters of a step.
const STEP_MAX: usize = 300;

/// Steps, the oldest first.
pub fn text(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        let _ = writeln!(text, "    {} {}: {}", step.at, step.kind.as_str(), line(&step.text, STEP_MAX));
    }
    text
}
