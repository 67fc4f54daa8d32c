use super::super::results::End;
use super::*;
use std::cell::RefCell;

const FILES: [&str; 2] = ["src/cart.mjs", "src/cart.test.mjs"];

#[test]
fn work_is_proven_if_its_tests_distinguish_it_from_its_base() {
    let verdict = |files: &[&str], after: bool, with_tests: bool, before: bool| {
        by_exit_codes(files, |state| {
            Ok(match state {
                State::After => after,
                State::WithTests(_) => with_tests,
                State::Before => before,
            })
        })
        .unwrap()
    };
    assert!(matches!(verdict(&FILES, true, false, true), Verdict::Proven(_)));
    assert_eq!(verdict(&FILES, false, false, true), Verdict::held(FAILS));
    assert_eq!(verdict(&FILES[..1], true, false, true), Verdict::held(NO_TEST));
    assert_eq!(verdict(&FILES, true, true, true), Verdict::held(PASSES_BEFORE));
    assert_eq!(verdict(&FILES, true, false, false), Verdict::held(FAILED_BEFORE));
    assert!(by_exit_codes(&FILES, |_| Err(String::new())).is_err());
}

/// The outcome of a state: `None` without a report, otherwise its tests: `a+` passes, `b-` fails, `c~` is skipped.
type StateOutcome<'a> = (i32, Option<&'a str>);

fn results(text: &str) -> Results {
    let mut results = Results::default();
    for test in text.split_whitespace() {
        let (name, end) = test.split_at(test.len() - 1);
        let end = match end {
            "+" => End::Passed,
            "-" => End::Failed,
            _ => End::Skipped,
        };
        results.add(Name::new(name, blake3::hash(name.as_bytes())), end).unwrap();
    }
    results
}

fn verdict(
    files: &[&str],
    before: StateOutcome<'_>,
    after: StateOutcome<'_>,
    with: StateOutcome<'_>,
) -> String {
    let tried = |state: State<'_>, _: Option<&Results>| {
        let (code, text) = match state {
            State::Before => before,
            State::After => after,
            State::WithTests(_) => with,
        };
        Ok(Tried { code, results: text.map(results) })
    };
    match by_tests(files, tried, &str::to_owned) {
        Ok(Verdict::Proven(how)) => format!("proven: {how}"),
        Ok(Verdict::Held(why)) => format!("held: {why}"),
        Err(why) => format!("not run: {why}"),
    }
}

#[test]
fn single_tests_can_prove_work() {
    for (before, after, with, expected) in [
        // A new test,
        ((0, "a+"), (0, "a+ b+"), (1, "a+ b-"), "1 test fails without the change, and passes with it: “b”"),
        // a changed one,
        ((0, "a+"), (0, "a+"), (1, "a-"), "1 test fails without the change, and passes with it: “a”"),
        // one that was red,
        (
            (1, "a+ r-"),
            (0, "a+ r+"),
            (1, "a+ r-"),
            "1 test fails without the change, and passes with it: “r”",
        ),
        // and one that still fails, or disappears.
        ((1, "a+ r-"), (1, "a+ r- b+"), (1, "a+ r- b-"), "passes with it: “b”"),
        ((1, "a+ r-"), (0, "a+ b+"), (1, "a+ b-"), "passes with it: “b”"),
        // The repository's first test.
        ((5, ""), (0, "b+"), (1, "b-"), "passes with it: “b”"),
        // The exit code may belong to the program that wrote the report.
        ((0, "a+ r-"), (0, "a+ r- b+"), (0, "a+ r- b-"), "passes with it: “b”"),
        // Several tests with one name.
        ((0, "a+ a+"), (0, "a+ a+ a+"), (1, "a+ a+ a-"), "passes with it: “a”"),
        (
            (0, "a+"),
            (0, "a+ b+ c+ d+ e+"),
            (1, "a+ b- c- d- e-"),
            "4 tests fail without the change, and pass with it: “b”, “c”, “d” and 1 more",
        ),
    ] {
        let found =
            verdict(&FILES, (before.0, Some(before.1)), (after.0, Some(after.1)), (with.0, Some(with.1)));
        assert!(
            found.starts_with("proven: ") && found.ends_with(expected),
            "{before:?} {after:?} {with:?}: {found}"
        );
    }
}

#[test]
fn single_tests_can_hold_back_work() {
    let good = (0, Some("a+ b+"));
    for (before, after, with, expected) in [
        // The change breaks something.
        ((0, Some("a+")), (1, Some("a- b+")), (1, Some("a+ b-")), "held: its tests fail: “a”"),
        ((0, Some("a+")), (0, Some("a- b+")), (1, Some("a+ b-")), "held: its tests fail: “a”"),
        ((0, Some("a+")), (1, Some("a+ b-")), (1, Some("a+ b-")), "held: its tests fail: “b”"),
        ((0, Some("a~")), (1, Some("a- b+")), (1, Some("a~ b-")), "held: its tests fail: “a”"),
        ((0, Some("a+ a+")), (1, Some("a+ a- b+")), (1, Some("a+ a+ b-")), "held: its tests fail: “a”"),
        (
            (0, Some("a+ c+")),
            (0, Some("a+ b+")),
            (1, Some("a+ c+ b-")),
            "held: tests that passed before are missing: “c”",
        ),
        (
            (0, Some("a+ a+")),
            (0, Some("a+ b+")),
            (1, Some("a+ a+ b-")),
            "held: tests that passed before are missing: “a”",
        ),
        (
            (0, Some("a+ c+")),
            (0, Some("a+ c~ b+")),
            (1, Some("a+ c+ b-")),
            "held: tests that passed before are skipped: “c”",
        ),
        // Its tests prove nothing.
        ((0, Some("a+")), good, (0, Some("a+ b+")), "held: its tests pass without the change, too"),
        (
            (1, Some("a+ r-")),
            (1, Some("a+ r- b+")),
            (1, Some("a+ r- b+")),
            "held: its tests pass without the change, too",
        ),
        ((0, Some("a+")), good, (0, Some("a+ b~")), "held: its tests pass without the change, too"),
        // They were not built.
        ((0, Some("a+")), good, (1, None), NOT_BUILT),
        ((0, Some("a+")), good, (0, None), NOT_BUILT),
        ((0, Some("a+")), good, (2, Some("")), NOT_BUILT),
        ((5, Some("")), (0, Some("b+")), (5, Some("")), NOT_BUILT),
        ((0, Some("a+")), good, (1, Some("a+ b+")), NOT_BUILT),
        ((0, Some("a+ c+")), (0, Some("a+ c+ b+")), (1, Some("a+ b-")), "nothing (not run: “c”)"),
        ((0, Some("a+")), good, (1, Some("file-")), "nothing (not run: “a”)"),
        ((0, Some("a+")), good, (1, Some("a+ file-")), "nothing (not run: “b”)"),
        ((1, Some("a+ r-")), (1, Some("a+ r- b+")), (1, Some("a+ r-")), "nothing (not run: “b”)"),
        ((0, Some("a+")), good, (1, Some("a+ b+ file-")), "nothing (instead: “file”)"),
        // Their results are unknown.
        ((1, None), good, (1, Some("a+ b-")), "not run: on where the change began: they wrote no report"),
        ((0, None), good, (1, Some("a+ b-")), "not run: on where the change began: they wrote no report"),
        (
            (3, Some("a+")),
            good,
            (1, Some("a+ b-")),
            "not run: on where the change began: the test command ended with exit code 3, and no test failed",
        ),
        ((0, Some("a+")), (1, None), (1, None), "not run: on the change: they wrote no report"),
        ((0, Some("a+")), (0, None), (1, None), "not run: on the change: they wrote no report"),
        ((0, Some("a+")), (0, Some("")), (1, None), "not run: on the change: their report names no test"),
        (
            (0, Some("a+")),
            (3, Some("a+ b+")),
            (1, Some("a+ b-")),
            "not run: on the change: the test command ended with exit code 3, and no test failed",
        ),
    ] {
        let found = verdict(&FILES, before, after, with);
        assert!(
            !found.starts_with("proven") && found.ends_with(expected),
            "{before:?} {after:?} {with:?}: {found}"
        );
    }
    for (before, after) in
        [("a+", "a+"), ("a+ r-", "a+ r-"), ("a+ r-", "a+ r~"), ("a+ r-", "a+"), ("a+", "a+ b+")]
    {
        let found = verdict(&FILES[..1], (0, Some(before)), (0, Some(after)), good);
        assert_eq!(found, format!("held: {NO_TEST}"), "{before} {after}");
    }
}

#[test]
fn work_without_changed_tests_is_proven_by_one_that_failed_before() {
    let never = (9, None);
    let found = verdict(&FILES[..1], (1, Some("a+ r- s-")), (1, Some("a+ r+ s-")), never);
    assert_eq!(found, "proven: 1 test fails without the change, and passes with it: “r”");
    let found = verdict(&FILES[..1], (1, Some("a+ r- r-")), (1, Some("a+ r+ r-")), never);
    assert_eq!(found, format!("held: {NO_TEST}"), "one of its name still fails");
    let found = verdict(&FILES[..1], (1, Some("a+ r-")), (1, Some("a- r+")), never);
    assert_eq!(found, "held: its tests fail: “a”");
}

#[test]
fn each_state_is_tested_once_and_gets_the_first_results() {
    let tried = RefCell::new(Vec::new());
    let run = |state: State<'_>, before: Option<&Results>| {
        tried.borrow_mut().push((state.name(), before.map(|before| before.counts(None))));
        if matches!(state, State::WithTests(_)) {
            return Err("on it: they took too long".to_owned());
        }
        Ok(Tried { code: 0, results: Some(results("a+")) })
    };
    assert_eq!(by_tests(&FILES, run, &str::to_owned), Err("on it: they took too long".to_owned()));
    let known = Some("1 test passes".to_owned());
    assert_eq!(tried.into_inner(), [("before", None), ("after", known.clone()), ("with-tests", known)]);
}

#[test]
fn a_flaky_test_alone_proves_nothing() {
    for (again, expected) in [("a+ r-", "proven"), ("a+ r+", "held"), ("a+", "held")] {
        let befores = RefCell::new(vec![again, "a+ r-"]);
        let run = |state: State<'_>, _: Option<&Results>| {
            let text = match state {
                State::Before => befores.borrow_mut().pop().expect("tried twice"),
                State::After => "a+ r+",
                State::WithTests(_) => panic!("it has none"),
            };
            Ok(Tried { code: i32::from(text.contains('-')), results: Some(results(text)) })
        };
        let found = by_tests(&FILES[..1], run, &str::to_owned).unwrap();
        assert_eq!(matches!(found, Verdict::Proven(_)), expected == "proven", "{again}");
    }
}
