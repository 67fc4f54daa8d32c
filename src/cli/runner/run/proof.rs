//! Whether an agent's work does what it says: the repository's tests, run on it and on where it began. By then they are the
//! agent's code, too: they run shut in as it was, without any key.

use super::Run;
use super::turn::Shut;
use crate::cli::runner::control::Halt;
use crate::cli::runner::git::{Mirror, Work};
use crate::cli::runner::output::Outbox;
use crate::cli::runner::protocol::{Entry, Figures, HeldChange, Kind, Repository};
use crate::cli::runner::workspace::Workspace;
use std::time::{Duration, Instant};

/// How long all of the tests may take,
const LIMIT: Duration = Duration::from_mins(15);
/// and what is left after them for a push, before the server takes the session away.
const LEFT: Duration = Duration::from_mins(3);

/// Parts of the paths of tests, in lower case.
const FOLDERS: [&str; 6] = ["test", "tests", "spec", "specs", "__tests__", "e2e"];
/// Ends of folders, such as `Shop.Tests`.
const FOLDER_ENDS: [&str; 4] = [".tests", ".test", ".unittests", ".specs"];
const MARKS: [&str; 7] = [".test.", ".spec.", "_test.", "_tests.", "_spec.", "-test.", "test_"];
/// Languages whose tests are classes, by the ends of their files, and of others in which a file of tests has their name alone.
const OF_CLASSES: [&str; 9] = ["java", "kt", "groovy", "scala", "cs", "fs", "vb", "swift", "php"];
const OF_FILES: [&str; 8] = ["rs", "py", "rb", "js", "mjs", "ts", "ex", "exs"];

const FAILS: &str = "its tests fail";
const NO_TEST: &str = "it changes no test: none shows that the fault is gone";
const PASSES_BEFORE: &str = "its tests pass without the change, too";
const FAILED_BEFORE: &str = "the tests fail on where it began, too: they show nothing";

/// Which files of the work are there.
#[derive(Clone, Copy)]
enum State<'a> {
    After,
    /// Its tests, and nothing else of it.
    WithTests(&'a [&'a str]),
    Before,
}

impl State<'_> {
    fn name(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::WithTests(_) => "with-tests",
            Self::Before => "before",
        }
    }

    /// How people read it.
    fn words(self) -> &'static str {
        match self {
            Self::After => "the change",
            Self::WithTests(_) => "the tests of the change without the rest of it",
            Self::Before => "where the change began",
        }
    }
}

impl Run<'_> {
    /// What speaks against pushing work; nothing if it is proven, or if the repository has no command for its tests.
    ///
    /// # Errors
    /// If the session is no longer this runner's.
    pub(super) fn prove(
        &self,
        workspace: &Workspace,
        (mirror, repository): (&Mirror, &Repository),
        (work, base): (&Work, &str),
        until: Instant,
    ) -> Result<Option<HeldChange>, String> {
        let Some(test) = &repository.test_command else { return Ok(None) };
        self.control.say_phase("proving");
        let commands = (repository.setup_command.as_deref(), test.as_str());
        let limit = (Instant::now() + LIMIT).min(until.checked_sub(LEFT).unwrap_or(until));
        let passes =
            |state: State<'_>| self.try_state(workspace, mirror, (work, base), state, commands, limit);
        let verdict =
            match judge(&work.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), passes) {
                Ok(verdict) => verdict.map(str::to_owned),
                Err(_) if matches!(self.control.halt(), Some(Halt::Lost | Halt::HandedBack)) => {
                    return Err("the session is no longer this runner's".to_owned());
                }
                Err(why) => Some(format!("its tests could not be run: {why}")),
            };
        let said = match &verdict {
            None => "Proven: tests that came with the change fail without it, and pass with it.".to_owned(),
            Some(why) => format!("Not proven: {why}."),
        };
        self.outbox.push(Entry::told(Kind::Test, None, self.masker.mask(&said)));
        Ok(verdict.map(|why| HeldChange::new("…", &self.masker.mask(&why))))
    }

    /// Whether the tests pass in a clone of its own.
    fn try_state(
        &self,
        workspace: &Workspace,
        mirror: &Mirror,
        (work, base): (&Work, &str),
        state: State<'_>,
        (setup, test): (Option<&str>, &str),
        limit: Instant,
    ) -> Result<bool, String> {
        let check = || self.check_until(limit, "they took too long");
        let folder = workspace.run.join("proof").join(state.name());
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let repo = folder.join("repo");
        mirror.check_out_to_try(&repo, (work, base), &check)?;
        match state {
            State::After => mirror.take_files(&repo, work, None, &check)?,
            State::WithTests(files) => mirror.take_files(&repo, work, Some(files), &check)?,
            State::Before => {}
        }
        self.outbox.say(format!("Testing {}.", state.words()));
        let shut = Shut { folder: &folder, repo: &repo, name: state.name() };
        let run = |shell: &str| self.run_shut(workspace, &shut, shell, &check);
        let code = match setup.map(run).transpose()? {
            Some(code) if code != 0 => Err(format!("the setup command ended with exit code {code}")),
            _ => run_tests(&run, test, state, &self.outbox).and_then(|code| match code {
                127 => Err("the test command was not found".to_owned()),
                126 | 128.. => Err(format!("the test command ended with exit code {code}")),
                code => Ok(code == 0),
            }),
        };
        drop(std::fs::remove_dir_all(&folder));
        code
    }
}

/// Runs the tests, and tells of it.
fn run_tests(
    run: &impl Fn(&str) -> Result<i32, String>,
    test: &str,
    state: State<'_>,
    outbox: &Outbox,
) -> Result<i32, String> {
    let started = Instant::now();
    let code = run(test);
    let took_ms = u64::try_from(started.elapsed().as_millis()).ok();
    let status = code.as_ref().ok().map(|code| i64::from(*code));
    let verdict = match status {
        Some(0) => "pass",
        Some(_) => "fail",
        None => "were ended",
    };
    let what = format!("On {}, the tests {verdict}.", state.words());
    outbox.push(Entry::told(Kind::Test, Some(Figures { took_ms, status, ..Figures::default() }), what));
    code
}

/// What speaks against work, by which of its states pass the tests.
fn judge(
    files: &[&str],
    passes: impl Fn(State<'_>) -> Result<bool, String>,
) -> Result<Option<&'static str>, String> {
    let tests: Vec<&str> = files.iter().copied().filter(|path| is_test(path)).collect();
    if !passes(State::After)? {
        return Ok(Some(FAILS));
    }
    if tests.is_empty() {
        return Ok(Some(NO_TEST));
    }
    if passes(State::WithTests(&tests))? {
        return Ok(Some(PASSES_BEFORE));
    }
    Ok((!passes(State::Before)?).then_some(FAILED_BEFORE))
}

/// Whether a file is a test, as far as its path says.
fn is_test(path: &str) -> bool {
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
    fn tests_are_known_by_their_paths() {
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

    #[test]
    fn work_is_proven_if_its_tests_tell_it_from_where_it_began() {
        let verdict = |files: &[&str], after: bool, with_tests: bool, before: bool| {
            judge(files, |state| {
                Ok(match state {
                    State::After => after,
                    State::WithTests(_) => with_tests,
                    State::Before => before,
                })
            })
            .unwrap()
        };
        let files = ["src/cart.mjs", "src/cart.test.mjs"];
        assert_eq!(verdict(&files, true, false, true), None);
        assert_eq!(verdict(&files, false, false, true), Some(FAILS));
        assert_eq!(verdict(&files[..1], true, false, true), Some(NO_TEST));
        assert_eq!(verdict(&files, true, true, true), Some(PASSES_BEFORE));
        assert_eq!(verdict(&files, true, false, false), Some(FAILED_BEFORE));
        assert!(judge(&files, |_| Err(String::new())).is_err());
    }
}
