//! The duration of a replay, whatever the clocks say.

use crate::event::replay::DURATION_MAX;

/// From when to when, in milliseconds since the epoch; at most [`DURATION_MAX`] long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: i64,
    pub(super) end: i64,
}

impl Span {
    /// With a part that may begin before it.
    pub(super) fn with(self, part: Self) -> Self {
        let whole = Self { start: self.start.min(part.start), end: self.end.max(part.end) };
        if whole.length() <= DURATION_MAX { whole } else { self.continued(part) }
    }

    /// With the end of a part; the start stays.
    pub(super) fn reaching(self, part: Self) -> Self {
        let fits = (part.end - self.start).abs() <= DURATION_MAX;
        if fits { Self { end: self.end.max(part.end), ..self } } else { self.continued(part) }
    }

    /// The clock has jumped: the part counts by its length alone.
    fn continued(self, part: Self) -> Self {
        let end = (self.end + part.length()).min(self.start + DURATION_MAX);
        Self { end: end.max(self.end), ..self }
    }

    fn length(self) -> i64 {
        self.end - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn span(start: i64, end: i64) -> Span {
        Span { start: start * MINUTE, end: end * MINUTE }
    }

    #[test]
    fn parts_make_it_longer_in_any_order() {
        assert_eq!(span(10, 20).with(span(5, 8)), span(5, 20));
        assert_eq!(span(10, 20).with(span(30, 40)), span(10, 40));
        assert_eq!(span(10, 20).reaching(span(5, 8)), span(10, 20));
        assert_eq!(span(10, 20).reaching(span(60, 70)), span(10, 70));
    }

    #[test]
    fn a_clock_that_jumps_adds_only_the_recorded_time_up_to_an_hour() {
        assert_eq!(span(10, 20).reaching(span(600, 605)), span(10, 25));
        assert_eq!(span(1_000, 1_010).reaching(span(2, 5)), span(1_000, 1_013));
        assert_eq!(span(1_000, 1_010).with(span(2, 5)), span(1_000, 1_013));
        assert_eq!(span(0, 59).with(span(600, 610)), span(0, 60));
        assert_eq!(span(0, 60).with(span(100, 160)), span(0, 60));
    }
}
