//! Judges work by the tests of its states.

use super::results::{Name, Results, Tally, tests, told};
use super::{State, Tried, paths::is_test};

const FAILS: &str = "its tests fail";
const NO_TEST: &str = "it changes no test: none shows that the fault is gone";
const PASSES_BEFORE: &str = "its tests pass without the change, too";
const FAILED_BEFORE: &str = "the tests fail on where it began, too: they show nothing";
const NOT_BUILT: &str = "without the rest of the change its tests could not be built: that proves nothing";

/// Whether work is proven, or why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Proven(String),
    Held(String),
}

impl Verdict {
    fn held(why: &str) -> Self {
        Self::Held(why.to_owned())
    }
}

/// Judges by the exit codes of the test command. `passes` runs the tests of a state.
///
/// # Errors
/// If the tests could not be run.
pub(super) fn by_exit_codes(
    files: &[&str],
    passes: impl Fn(State<'_>) -> Result<bool, String>,
) -> Result<Verdict, String> {
    let tests = tests_of(files);
    if !passes(State::After)? {
        return Ok(Verdict::held(FAILS));
    }
    if tests.is_empty() {
        return Ok(Verdict::held(NO_TEST));
    }
    if passes(State::WithTests(&tests))? {
        return Ok(Verdict::held(PASSES_BEFORE));
    }
    if !passes(State::Before)? {
        return Ok(Verdict::held(FAILED_BEFORE));
    }
    let said = "tests that came with the change fail without it, and pass with it, as far as exit codes tell";
    Ok(Verdict::Proven(said.to_owned()))
}

/// Judges by single tests. `run` tests a state, and gets the results of the base once they are known; `mask` removes
/// secrets from names.
///
/// # Errors
/// If the tests could not be run.
pub(super) fn by_tests(
    files: &[&str],
    run: impl Fn(State<'_>, Option<&Results>) -> Result<Tried, String>,
    mask: &dyn Fn(&str) -> String,
) -> Result<Verdict, String> {
    let changed = tests_of(files);
    let before = ran(run(State::Before, None)?, State::Before)?;
    let after = ran(run(State::After, Some(&before))?, State::After)?;
    if let Some(why) = worse(&before, &after, mask) {
        return Ok(Verdict::Held(why));
    }
    if changed.is_empty() {
        let mended = mended(&before, &after);
        if mended.is_empty() {
            return Ok(Verdict::held(NO_TEST));
        }
        // None of its own tests proves the change, and one that fails only sometimes does not, either.
        let again = ran(run(State::Before, Some(&before))?, State::Before)?;
        return Ok(confirmed(&mended, &again, mask));
    }
    let tried = run(State::WithTests(&changed), Some(&before))?;
    Ok(shown((&before, &after), &tried, mask))
}

fn tests_of<'a>(files: &[&'a str]) -> Vec<&'a str> {
    files.iter().copied().filter(|path| is_test(path)).collect()
}

/// The tests of a state in which all must build; an error if some may not have run.
fn ran(tried: Tried, state: State<'_>) -> Result<Results, String> {
    let fault = |why: &str| Err(format!("on {}: {why}", state.words()));
    match tried.results {
        None => fault("they wrote no report"),
        // The repository may have had no tests before.
        Some(results) if results.is_empty() && matches!(state, State::Before) => Ok(results),
        Some(results) if results.is_empty() => fault("their report names no test"),
        // Something else failed, perhaps before the remaining tests.
        Some(results) if tried.code != 0 && results.all().failed == 0 => {
            fault(&format!("the test command ended with exit code {}, and no test failed", tried.code))
        }
        // The exit code may belong to the program that wrote the report.
        Some(results) => Ok(results),
    }
}

/// What became worse: a test that passed now fails, is skipped or missing, or another test fails.
fn worse(before: &Results, after: &Results, mask: &dyn Fn(&str) -> String) -> Option<String> {
    let failing = after.that(|name, tally| tally.failed > before.of(name).failed);
    if !failing.is_empty() {
        return Some(format!("{FAILS}: {}", told(&failing, mask)));
    }
    let lost = before.that(|name, tally| after.of(name).passed < tally.passed);
    let (skipped, missing): (Vec<&Name>, Vec<&Name>) =
        lost.into_iter().partition(|name| after.of(name).skipped > before.of(name).skipped);
    let say = |names: &[&Name], what: &str| {
        (!names.is_empty()).then(|| format!("tests that passed before {what}: {}", told(names, mask)))
    };
    say(&missing, "are missing").or_else(|| say(&skipped, "are skipped"))
}

/// The tests that failed before the change and pass with it.
fn mended<'a>(before: &'a Results, after: &Results) -> Vec<&'a Name> {
    before.that(|name, tally| {
        let now = after.of(name);
        tally.failed > 0 && now.failed == 0 && now.passed > tally.passed
    })
}

/// What tests from before the change prove, which were run there twice.
fn confirmed(mended: &[&Name], again: &Results, mask: &dyn Fn(&str) -> String) -> Verdict {
    let failed = |name: &&&Name| again.of(name).failed > 0 && again.of(name).passed == 0;
    let proving: Vec<&Name> = mended.iter().filter(failed).copied().collect();
    if proving.is_empty() { Verdict::held(NO_TEST) } else { Verdict::Proven(proof(&proving, mask)) }
}

/// What the change's own tests prove, which were run without the rest of it.
fn shown((before, after): (&Results, &Results), tried: &Tried, mask: &dyn Fn(&str) -> String) -> Verdict {
    let Some(with) = tried.results.as_ref().filter(|with| !with.is_empty()) else {
        return Verdict::held(NOT_BUILT);
    };
    // They pass with the change, so they are part of it.
    let unseen = before.that(|name, tally| seen(with.of(name)) < tally.passed);
    if !unseen.is_empty() {
        return Verdict::Held(format!("{NOT_BUILT} (not run: {})", told(&unseen, mask)));
    }
    let failing = with.that(|name, tally| tally.failed > after.of(name).failed);
    let shows = |name: &&&Name| after.of(name).passed > with.of(name).passed;
    let proving: Vec<&Name> = failing.iter().filter(shows).copied().collect();
    if !proving.is_empty() {
        return Verdict::Proven(proof(&proving, mask));
    }
    let new = |name: &Name| seen(before.of(name)) == 0;
    let unseen = after.that(|name, tally| new(name) && tally.passed > 0 && seen(with.of(name)) == 0);
    let unknown: Vec<&Name> =
        failing.into_iter().filter(|name| with.of(name).failed > before.of(name).failed).collect();
    match (unseen.is_empty(), unknown.is_empty()) {
        // The exit code shows a fault outside of the tests.
        (true, true) if tried.code != 0 && with.all().failed == 0 => Verdict::held(NOT_BUILT),
        (true, true) => Verdict::held(PASSES_BEFORE),
        (false, _) => Verdict::Held(format!("{NOT_BUILT} (not run: {})", told(&unseen, mask))),
        // For example the entry that a test runner writes for a file it could not load.
        (true, false) => Verdict::Held(format!("{NOT_BUILT} (instead: {})", told(&unknown, mask))),
    }
}

fn proof(names: &[&Name], mask: &dyn Fn(&str) -> String) -> String {
    let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
    let what =
        if count == 1 { "fails without the change, and passes" } else { "fail without the change, and pass" };
    format!("{count} {} {what} with it: {}", tests(count), told(names, mask))
}

fn seen(tally: Tally) -> u32 {
    tally.passed + tally.failed + tally.skipped
}

#[cfg(test)]
mod tests;
