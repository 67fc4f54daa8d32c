//! How an agent's turns end, and the resulting outcome of the session.

use super::Run;
use crate::cli::runner::control::Halt;
use crate::cli::runner::protocol::{FileChange, HeldChange, Outcome};
use crate::cli::runner::supervise::NOT_STARTED;

/// The exit code of a command that SIGXCPU ended.
const USED_UP: i32 = 128 + 24;

/// How a turn of the agent ended.
pub(super) enum Ending {
    Exited(i32),
    /// Something killed its supervisor.
    Unsupervised,
    TimedOut,
    /// It wrote more than allowed.
    TooLarge,
    /// It used more of a resource than allowed.
    Overloaded(String),
    /// Why the conversation with it broke off.
    Broken(String),
    /// The session reached this cap.
    Capped(String),
    Halted(Halt),
}

/// The outcome of a run, before it is reported.
pub(super) struct RunResult {
    pub(super) outcome: Outcome,
    pub(super) exit_code: Option<i32>,
    pub(super) reason: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) base: Option<String>,
    pub(super) head: Option<String>,
    pub(super) files: Vec<FileChange>,
    pub(super) patch: Option<String>,
    pub(super) held: Vec<HeldChange>,
    pub(super) held_commit: Option<String>,
}

impl RunResult {
    pub(super) fn new(outcome: Outcome, reason: Option<String>) -> Self {
        Self {
            outcome,
            exit_code: None,
            reason,
            branch: None,
            base: None,
            head: None,
            files: Vec::new(),
            patch: None,
            held: Vec::new(),
            held_commit: None,
        }
    }
}

impl Run<'_> {
    /// The session's outcome for this ending.
    pub(super) fn came_to(&self, ending: &Ending) -> RunResult {
        let done = match ending {
            Ending::TooLarge => {
                let most = crate::text::bytes(self.settings.work_max);
                let why = format!(
                    "the agent's files have more than {most}, the limit of this runner (--max-work-mb)"
                );
                RunResult::new(Outcome::Failed, Some(why))
            }
            Ending::Capped(why) => RunResult::new(Outcome::Capped, Some(why.clone())),
            Ending::Broken(why) | Ending::Overloaded(why) => {
                RunResult::new(Outcome::Failed, Some(why.clone()))
            }
            Ending::Exited(0) => RunResult::new(Outcome::Completed, None),
            Ending::Exited(code) if *code == i32::from(NOT_STARTED) => RunResult::new(
                Outcome::Failed,
                Some("the agent's program was not found on the runner".to_owned()),
            ),
            Ending::Exited(code) => {
                let why = format!("the agent ended with {}", shown_code(*code, self.cpu_seconds()));
                RunResult::new(Outcome::Failed, Some(why))
            }
            Ending::Unsupervised => {
                let why =
                    "the process that watches the agent was killed, and what was left of the agent with it";
                RunResult::new(Outcome::Failed, Some(why.to_owned()))
            }
            Ending::TimedOut => {
                let limit = self.job.time_limit_seconds.div_ceil(60);
                RunResult::new(
                    Outcome::TimedOut,
                    Some(format!("it took longer than its limit of {limit} min")),
                )
            }
            Ending::Halted(halt) => halted(*halt),
        };
        let exit_code = if let Ending::Exited(code) = ending { Some(*code) } else { None };
        RunResult { exit_code, ..done }
    }
}

/// Describes the exit code of a command whose processes may each use up to `cpu_seconds` of processor time.
pub(super) fn shown_code(code: i32, cpu_seconds: Option<u64>) -> String {
    match cpu_seconds {
        Some(seconds) if code == USED_UP => format!(
            "exit code {code} (so ends a process that has used more than {seconds} s of processor time, the limit here)"
        ),
        _ => format!("exit code {code}"),
    }
}

pub(super) fn halted(halt: Halt) -> RunResult {
    match halt {
        Halt::Stopped => RunResult::new(Outcome::Cancelled, None),
        Halt::HandedBack => RunResult::new(Outcome::HandedBack, None),
        Halt::Lost => {
            RunResult::new(Outcome::Failed, Some("the session is no longer this runner's".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shown_code;

    #[test]
    fn the_exit_code_of_what_used_up_its_processor_time_says_so() {
        assert_eq!(shown_code(1, Some(900)), "exit code 1");
        assert_eq!(shown_code(152, None), "exit code 152");
        assert!(shown_code(152, Some(900)).contains("more than 900 s of processor time"));
    }
}
