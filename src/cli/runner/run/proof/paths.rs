//! Recognizes test files by their paths.

/// Parts of the paths of tests, in lower case.
const FOLDERS: [&str; 6] = ["test", "tests", "spec", "specs", "__tests__", "e2e"];
/// Ends of folders, such as `Shop.Tests`.
const FOLDER_ENDS: [&str; 4] = [".tests", ".test", ".unittests", ".specs"];
const MARKS: [&str; 7] = [".test.", ".spec.", "_test.", "_tests.", "_spec.", "-test.", "test_"];
/// Extensions of languages whose tests are classes, and of others that name test files in the same way.
const OF_CLASSES: [&str; 9] = ["java", "kt", "groovy", "scala", "cs", "fs", "vb", "swift", "php"];
const OF_FILES: [&str; 8] = ["rs", "py", "rb", "js", "mjs", "ts", "ex", "exs"];

/// Whether a file is a test.
pub(super) fn is_test(path: &str) -> bool {
    let lower = path.to_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let is_folder =
        |folder: &str| FOLDERS.contains(&folder) || FOLDER_ENDS.iter().any(|end| folder.ends_with(end));
    let is_marked =
        |mark: &&str| if mark.ends_with('_') { name.starts_with(mark) } else { name.contains(mark) };
    folders.split('/').any(is_folder) || MARKS.iter().any(is_marked) || is_named_so(path)
}

/// `tests.rs`; `CartTest.java` and `TestCart.java`, but neither `Contest.java` nor `latest.cs`.
fn is_named_so(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, kind)) = name.split_once('.') else { return false };
    if OF_FILES.contains(&kind) {
        return ["test", "tests"].contains(&stem);
    }
    let has = |ends: &[&str]| ends.iter().any(|end| stem.strip_suffix(end).is_some_and(|of| !of.is_empty()));
    let begins = |rest: &str| rest.starts_with(|c: char| c.is_uppercase());
    OF_CLASSES.contains(&kind)
        && (has(&["Test", "Tests", "TestCase"])
            || kind == "scala" && has(&["Spec", "Suite"])
            || kind == "groovy" && has(&["Spec"])
            || kind == "java" && (has(&["IT"]) || stem.strip_prefix("Test").is_some_and(begins)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_recognized_by_path() {
        for (path, expected) in [
            ("src/cart.test.ts", true),
            ("tests/api/main.rs", true),
            ("app/__tests__/cart.js", true),
            ("test_cart.py", true),
            ("pkg/cart_test.go", true),
            ("healthcheck.ts", false),
            ("src/cart.mjs", false),
            ("src/contest.rs", false),
            ("latest/cart.js", false),
            ("src/cart/tests.rs", true),
            ("src/cart_tests.rs", true),
            ("src/test.rs", true),
            ("src/main/CartTest.java", true),
            ("app/CartTests.cs", true),
            ("Shop.Tests/Cart.cs", true),
            ("src/CartSpec.scala", true),
            ("Cart2Test.php", true),
            ("src/Contest.java", false),
            ("src/Latest.cs", false),
            ("src/TestCart.java", true),
            ("src/HTTPTest.java", true),
            ("src/Testing.java", false),
            ("src/PodSpec.java", false),
            ("src/SpeedTest.tsx", false),
            ("api/spec.yaml", false),
            ("src/attest.rs", false),
        ] {
            assert_eq!(is_test(path), expected, "{path}");
        }
    }
}
