//! Tests an agent's work: runs the repository's tests on it and on its base. The tests are then the agent's code,
//! too, so they run isolated like the agent, without any keys.

mod judge;
mod junit;
mod paths;
mod reports;
mod results;

use super::Run;
use super::ending::shown_code;
use super::turn::Shut;
use crate::cli::runner::control::Halt;
use crate::cli::runner::git::{Mirror, Work};
use crate::cli::runner::protocol::{Entry, Figures, HeldChange, Kind, Repository};
use crate::cli::runner::trees;
use crate::cli::runner::workspace::Workspace;
use crate::repositories::report_path::ReportPath;
use crate::text::line;
use judge::Verdict;
use results::Results;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long all tests may take,
const LIMIT: Duration = Duration::from_mins(15);
/// and the time to leave for a push, before the server takes the session away.
const LEFT: Duration = Duration::from_mins(3);

/// Characters of what is reported about tests.
const TOLD_MAX: usize = 400;

/// Which files of the work are present.
#[derive(Clone, Copy)]
enum State<'a> {
    After,
    /// Only its tests.
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

    /// Its description for people.
    fn words(self) -> &'static str {
        match self {
            Self::After => "the change",
            Self::WithTests(_) => "the tests of the change without the rest of it",
            Self::Before => "where the change began",
        }
    }
}

/// The outcome of testing a state.
struct Tried {
    code: i32,
    /// The results in their report, if they wrote one.
    results: Option<Results>,
}

/// What is tested, and how.
struct Trial<'a> {
    workspace: &'a Workspace,
    mirror: &'a Mirror,
    work: &'a Work,
    base: &'a str,
    setup: Option<&'a str>,
    test: &'a str,
    report: Option<ReportPath>,
    limit: Instant,
}

impl Run<'_> {
    /// Why the work may not be pushed; empty if it is proven, or if the repository has no test command.
    ///
    /// # Errors
    /// If this runner no longer has the session.
    pub(super) fn prove(
        &self,
        workspace: &Workspace,
        (mirror, repository): (&Mirror, &Repository),
        (work, base): (&Work, &str),
        until: Instant,
    ) -> Result<Option<HeldChange>, String> {
        let Some(test) = &repository.test_command else { return Ok(None) };
        self.control.say_phase("proving");
        let setup = repository.setup_command.as_deref();
        let limit = (Instant::now() + LIMIT).min(until.checked_sub(LEFT).unwrap_or(until));
        let report = repository.test_report.as_deref().map(ReportPath::parse).transpose();
        let verdict = report.map_err(|why| format!("as its testReport says: {why}")).and_then(|report| {
            self.judge(&Trial { workspace, mirror, work, base, setup, test, report, limit })
        });
        let (said, held) = match verdict {
            Ok(Verdict::Proven(how)) => (format!("Proven: {how}."), None),
            Ok(Verdict::Held(why)) => (format!("Not proven: {why}."), Some(why)),
            Err(_) if matches!(self.control.halt(), Some(Halt::Lost | Halt::HandedBack)) => {
                return Err("the session is no longer this runner's".to_owned());
            }
            Err(why) => {
                let why = format!("its tests could not be run {why}");
                (format!("Not proven: {why}."), Some(why))
            }
        };
        self.outbox.push(Entry::told(Kind::Test, None, self.shown(&said)));
        Ok(held.map(|why| HeldChange::new("…", &self.shown(&why))))
    }

    /// A report may quote what the agent's code wrote: returns it on one line, without secrets.
    fn shown(&self, text: &str) -> String {
        line(&self.masker.mask(text), TOLD_MAX)
    }

    fn judge(&self, trial: &Trial<'_>) -> Result<Verdict, String> {
        let files: Vec<&str> = trial.work.files.iter().map(|file| file.path.as_str()).collect();
        match trial.report {
            None => judge::by_exit_codes(&files, |state| Ok(self.try_state(trial, state, None)?.code == 0)),
            Some(_) => {
                judge::by_tests(&files, |state, before| self.try_state(trial, state, before), &|name| {
                    self.masker.mask(name)
                })
            }
        }
    }

    /// Runs the tests of a state in a separate clone.
    fn try_state(
        &self,
        trial: &Trial<'_>,
        state: State<'_>,
        before: Option<&Results>,
    ) -> Result<Tried, String> {
        let folder = trial.workspace.run.join("proof").join(state.name());
        drop(trees::remove(&folder));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let tried = self.try_in(&folder, trial, state, before);
        drop(trees::remove(&folder));
        tried.map_err(|why| format!("on {}: {why}", state.words()))
    }

    fn try_in(
        &self,
        folder: &Path,
        trial: &Trial<'_>,
        state: State<'_>,
        before: Option<&Results>,
    ) -> Result<Tried, String> {
        let check = || self.check_until(trial.limit, "they took too long");
        let repo = &folder.join("repo");
        trial.mirror.check_out_to_try(repo, (trial.work, trial.base), &check)?;
        match state {
            State::After => trial.mirror.take_files(repo, trial.work, None, &check)?,
            State::WithTests(files) => trial.mirror.take_files(repo, trial.work, Some(files), &check)?,
            State::Before => {}
        }
        self.outbox.say(format!("Testing {}.", state.words()));
        let shut = Shut { folder, repo, name: state.name() };
        let run = |shell: &str| self.run_shut(trial.workspace, &shut, shell, &check);
        match trial.setup.map(run).transpose()? {
            Some(code) if code != 0 => {
                return Err(format!("the setup command ended with {}", shown_code(code, self.cpu_seconds())));
            }
            _ => {}
        }
        // Removes reports that the tree contains or the setup wrote: only those of these tests count.
        trial.report.iter().try_for_each(|path| reports::remove(repo, path, &check))?;
        let started = Instant::now();
        let code = run(trial.test);
        let took = started.elapsed();
        let results = match (&trial.report, &code) {
            (Some(path), Ok(_)) => Some(reports::read(repo, path, &check)),
            _ => None,
        };
        self.tell(state, (code.as_ref().ok().copied(), took), results.as_ref(), before);
        Ok(Tried {
            code: ended(code?, self.cpu_seconds())?,
            results: results.transpose().map_err(unreadable)?.flatten(),
        })
    }

    /// Reports the outcome of a state's tests.
    fn tell(
        &self,
        state: State<'_>,
        (code, took): (Option<i32>, Duration),
        results: Option<&Result<Option<Results>, String>>,
        before: Option<&Results>,
    ) {
        let how = match (results, code) {
            (Some(Ok(Some(results))), _) => results.counts(before),
            (Some(Ok(None)), _) => "the tests wrote no report".to_owned(),
            (Some(Err(why)), _) => unreadable(why.clone()),
            (None, Some(0)) => "the tests pass".to_owned(),
            (None, Some(_)) => "the tests fail".to_owned(),
            (None, None) => "the tests were ended".to_owned(),
        };
        let took_ms = u64::try_from(took.as_millis()).ok();
        let figures = Figures { took_ms, status: code.map(i64::from), ..Figures::default() };
        let what = format!("On {}, {how}.", state.words());
        self.outbox.push(Entry::told(Kind::Test, Some(figures), self.shown(&what)));
    }
}

/// The exit code of tests that ran.
fn ended(code: i32, cpu_seconds: Option<u64>) -> Result<i32, String> {
    match code {
        127 => Err("the test command was not found".to_owned()),
        126 | 128.. => Err(format!("the test command ended with {}", shown_code(code, cpu_seconds))),
        code => Ok(code),
    }
}

fn unreadable(why: String) -> String {
    format!("a report of the tests cannot be read: {why}")
}
