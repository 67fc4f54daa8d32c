use super::*;

fn parsed(text: &str) -> Result<Vec<(String, End)>, String> {
    let mut results = Results::default();
    read(text, "/work/repo/", &mut results, &|| Ok(()))?;
    let end = |name: &Name| match results.of(name) {
        tally if tally.failed > 0 => End::Failed,
        tally if tally.skipped > 0 => End::Skipped,
        _ => End::Passed,
    };
    Ok(results.that(|_, _| true).into_iter().map(|name| (name.shown().to_owned(), end(name))).collect())
}

#[track_caller]
fn check(text: &str, expected: &[(&str, End)]) {
    let found = parsed(text).unwrap();
    let found: Vec<(&str, End)> = found.iter().map(|(name, end)| (name.as_str(), *end)).collect();
    assert_eq!(found, expected);
}

use End::{Failed, Passed, Skipped};

#[test]
fn javascript_reports_are_read() {
    check(
        include_str!("../../../../../../tests/fixtures/junit/node.xml"),
        &[
            ("bad.test.mjs", Failed),
            ("cart > is empty", Failed),
            ("cart > later", Skipped),
            ("cart > sums <prices> & &quot;fees&quot;", Passed),
            // Expected to fail; Node does not count it.
            ("cart > todo", Skipped),
            ("top", Passed),
        ],
    );
    check(
        include_str!("../../../../../../tests/fixtures/junit/vitest.xml"),
        &[
            ("a.test.mjs > cart > fails", Failed),
            ("a.test.mjs > cart > later", Skipped),
            ("a.test.mjs > cart > sums <x>", Passed),
            ("b.test.mjs", Failed),
        ],
    );
    // Does not mention a file that could not be loaded.
    check(
        include_str!("../../../../../../tests/fixtures/junit/jest-junit.xml"),
        &[("cart fails", Failed), ("cart later", Skipped), ("cart sums <x>", Passed)],
    );
}

#[test]
fn python_reports_are_read() {
    check(
        include_str!("../../../../../../tests/fixtures/junit/pytest.xml"),
        &[
            ("tests.test_cart > test_each[\\xfc]", Passed),
            ("tests.test_cart > test_each[x\\x1b]", Passed),
            ("tests.test_cart > test_error", Failed),
            ("tests.test_cart > test_known", Skipped),
            ("tests.test_cart > test_later", Skipped),
            ("tests.test_cart.TestCart > test_fails", Failed),
            ("tests.test_cart.TestCart > test_sum", Passed),
        ],
    );
    check(
        include_str!("../../../../../../tests/fixtures/junit/pytest-collection.xml"),
        &[("pytest > tests.test_bad", Failed)],
    );
    check(include_str!("../../../../../../tests/fixtures/junit/pytest-none.xml"), &[]);
}

#[test]
fn rust_go_and_java_reports_are_read() {
    check(
        include_str!("../../../../../../tests/fixtures/junit/nextest.xml"),
        &[("cart > tests::fails", Failed), ("cart > tests::flaky", Passed), ("cart > tests::sums", Passed)],
    );
    check(
        include_str!("../../../../../../tests/fixtures/junit/go-junit-report.xml"),
        &[
            ("example.com/shop/cart > TestFails/of_nothing", Failed),
            ("example.com/shop/cart > TestLater", Skipped),
            ("example.com/shop/cart > TestSums", Passed),
            ("example.com/shop/price > [build failed]", Failed),
        ],
    );
    check(
        include_str!("../../../../../../tests/fixtures/junit/gradle.xml"),
        &[
            ("shop.CartTest > fails()", Failed),
            ("shop.CartTest > later()", Skipped),
            ("shop.CartTest > sums()", Passed),
        ],
    );
    check(
        include_str!("../../../../../../tests/fixtures/junit/surefire.xml"),
        &[
            ("shop.CartTest > fails", Failed),
            ("shop.CartTest > isFlaky", Passed),
            ("shop.CartTest > later", Skipped),
            ("shop.CartTest > sums", Passed),
            ("shop.CartTest > throws", Failed),
        ],
    );
}

#[test]
fn the_same_name_in_another_suite_is_another_test() {
    let found = parsed(
        "<testsuites><testsuite name='a'><testsuite name='b'><testcase name='c' classname='test'/></testsuite>
         <testcase name='c' classname='x'/></testsuite><testsuite name='b'><testcase name='c' classname='test'><failure/>
         </testcase></testsuite><testcase name='d' status='notrun'/><testcase name='e'><failure/><skipped/></testcase></testsuites>",
    );
    let expected = [("b > c", Failed), ("b > c", Passed), ("d", Skipped), ("e", Skipped), ("x > c", Passed)];
    let mut found = found.unwrap();
    found.sort_by_key(|(name, end)| (name.clone(), *end != Failed));
    assert_eq!(found, expected.map(|(name, end)| (name.to_owned(), end)));
}

#[test]
fn other_documents_are_refused() {
    let deep = format!("<testsuites>{}", "<a>".repeat(1_000_000));
    let wide = format!("<testsuite {}/>", "a='' ".repeat(1_000_000));
    let many = format!("<testsuite>{}</testsuite>", "<testcase name='a'/>".repeat(100_001));
    let laughs =
        "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><testsuite><testcase name='&b;'/></testsuite>";
    for (bad, why) in [
        ("", "ends in its middle"),
        ("plain", "ends in its middle"),
        ("<testsuites><testsuite>", "ends in its middle"),
        ("<testsuites><testcase name='a'/></testsuite>", "no XML"),
        ("<testsuites><testcase name='a&nothing;'/></testsuites>", "no XML"),
        ("<testsuites a='/>", "no XML"),
        ("<project/>", "no JUnit XML"),
        ("<testsuite/><testsuite/>", "no JUnit XML"),
        (laughs, "document type"),
        (&deep, "100 elements"),
        (&wide, "100 attributes"),
        (&many, "100000 tests"),
    ] {
        let found = parsed(bad).unwrap_err();
        assert!(found.contains(why), "{}: {found}", bad.get(..60).unwrap_or(bad));
    }
    check("\u{feff}<?xml version='1.0'?><!-- <testcase/> --><testsuites/>", &[]);
}

#[test]
fn a_long_suite_name_is_cut_in_each_test() {
    let long = "n".repeat(1 << 20);
    let tests: String = (0..1_000).map(|at| format!("<testcase name='{at}'/>")).collect();
    let found = parsed(&format!("<testsuite name='{long}'>{tests}</testsuite>")).unwrap();
    assert_eq!(found.len(), 1_000);
    assert!(found[7].0.ends_with("n… > 104"), "{}", found[7].0);
    assert!(found.iter().all(|(name, _)| name.chars().count() < NAME_MAX));
}

#[test]
fn reading_a_report_stops_at_the_deadline() {
    let tests = "<testcase name='a'/>".repeat(50_000);
    let looks = std::cell::Cell::new(0);
    let check = || {
        looks.set(looks.get() + 1);
        if looks.get() > 2 { Err("late".to_owned()) } else { Ok(()) }
    };
    let text = format!("<testsuite>{tests}</testsuite>");
    assert_eq!(read(&text, "/", &mut Results::default(), &check), Err("late".to_owned()));
}
