//! The results of single tests.

use crate::text::line;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The most tests of a run; a report with more is refused.
const TESTS_MAX: usize = 100_000;
/// Characters of a name, as stored and as shown.
pub(super) const NAME_MAX: usize = 300;
const TOLD_MAX: usize = 80;
/// The most names that are shown.
const NAMES_MAX: usize = 3;

/// A test, identified by its suites, class and own name. The displayed name comes first, so tests are sorted by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    shown: String,
    whole: [u8; 32],
}

impl Name {
    pub(super) fn new(shown: &str, whole: blake3::Hash) -> Self {
        // Displayed within quotation marks.
        let shown = shown.replace(['“', '”'], "\"");
        Self { shown: line(&shown, NAME_MAX), whole: *whole.as_bytes() }
    }

    pub(super) fn shown(&self) -> &str {
        &self.shown
    }
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Passed,
    Failed,
    Skipped,
}

/// How many tests with one name ended in each way: names need not be unique.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u32,
    pub(super) failed: u32,
    pub(super) skipped: u32,
}

/// The tests in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Results {
    tests: BTreeMap<Name, Tally>,
    count: usize,
}

impl Results {
    /// # Errors
    /// If there are too many.
    pub(super) fn add(&mut self, name: Name, end: End) -> Result<(), String> {
        self.count += 1;
        if self.count > TESTS_MAX {
            return Err(format!("it names more than {TESTS_MAX} tests"));
        }
        let tally = match self.tests.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Tally::default()),
        };
        *match end {
            End::Passed => &mut tally.passed,
            End::Failed => &mut tally.failed,
            End::Skipped => &mut tally.skipped,
        } += 1;
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    pub(super) fn of(&self, name: &Name) -> Tally {
        self.tests.get(name).copied().unwrap_or_default()
    }

    pub(super) fn all(&self) -> Tally {
        let sum = |all: Tally, one: &Tally| Tally {
            passed: all.passed + one.passed,
            failed: all.failed + one.failed,
            skipped: all.skipped + one.skipped,
        };
        self.tests.values().fold(Tally::default(), sum)
    }

    /// The tests that satisfy a condition.
    pub(super) fn that(&self, is: impl Fn(&Name, Tally) -> bool) -> Vec<&Name> {
        self.tests.iter().filter(|(name, tally)| is(name, **tally)).map(|(name, _)| name).collect()
    }

    /// The counts of each ending, for people; `before` has the results of the base.
    pub(super) fn counts(&self, before: Option<&Self>) -> String {
        if self.is_empty() {
            return "no test ran".to_owned();
        }
        let Tally { passed, failed, skipped } = self.all();
        let as_before: u32 = before.map_or(0, |before| {
            self.tests.iter().map(|(name, tally)| tally.failed.min(before.of(name).failed)).sum()
        });
        let new = failed - as_before;
        let parts = [
            Some(format!("{passed} {} {}", tests(passed), if passed == 1 { "passes" } else { "pass" })),
            (as_before > 0).then(|| format!("{as_before} {} as before", fail(as_before))),
            (new > 0 && before.is_none()).then(|| format!("{new} {}", fail(new))),
            (new > 0 && before.is_some()).then(|| format!("{new} {} that did not before", fail(new))),
            (skipped > 0).then(|| format!("{skipped} {} skipped", if skipped == 1 { "is" } else { "are" })),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn tests(count: u32) -> &'static str {
    if count == 1 { "test" } else { "tests" }
}

fn fail(count: u32) -> &'static str {
    if count == 1 { "fails" } else { "fail" }
}

/// The first few names, for people. The agent wrote them: `mask` removes secrets before they are cut.
pub(super) fn told(names: &[&Name], mask: &dyn Fn(&str) -> String) -> String {
    let first = names.iter().take(NAMES_MAX).map(|name| format!("“{}”", line(&mask(name.shown()), TOLD_MAX)));
    let text = first.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES_MAX) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::new(text, blake3::hash(text.as_bytes()))
    }

    fn results(ends: &[(&str, End)]) -> Results {
        let mut results = Results::default();
        for (text, end) in ends {
            results.add(name(text), *end).unwrap();
        }
        results
    }

    #[test]
    fn results_are_summed_up_in_numbers() {
        let before = results(&[("a", End::Passed), ("b", End::Failed), ("c", End::Skipped)]);
        assert_eq!(before.counts(None), "1 test passes, 1 fails, 1 is skipped");
        let after =
            results(&[("a", End::Passed), ("b", End::Failed), ("c", End::Passed), ("d", End::Failed)]);
        assert_eq!(
            after.counts(Some(&before)),
            "2 tests pass, 1 fails as before, 1 fails that did not before"
        );
        assert_eq!(Results::default().counts(None), "no test ran");
    }

    #[test]
    fn names_are_bounded_and_shown_safely() {
        let long = "x".repeat(10_000);
        let names = ["a\u{202e}b\u{7}c\n d", "” fails. “", &long, "e", "f"].map(name);
        let said = told(&names.iter().collect::<Vec<_>>(), &|text| text.replace("fails", "[Filtered]"));
        assert_eq!(said, format!("“abc d”, “\" [Filtered]. \"”, “{}…” and 2 more", "x".repeat(79)));
        assert_ne!(name(&format!("{long}a")), name(&format!("{long}b")), "what is not shown counts, too");
    }

    #[test]
    fn too_many_tests_are_refused() {
        let mut results = Results::default();
        for _ in 0..TESTS_MAX {
            results.add(name("a"), End::Passed).unwrap();
        }
        assert!(results.add(name("a"), End::Passed).unwrap_err().contains("100000"));
    }
}
