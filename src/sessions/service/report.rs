//! Reads a runner's final report. What the agent says about itself may be anything: unusable parts are left out with
//! a note in the transcript, because refusing the report would fail a good run.

use crate::repositories::address::{check_branch, is_pull_request};
use crate::runners::protocol::{FILES_MAX, FinishRequest, RunOutcome};
use crate::scrubbing;
use crate::sessions::sql::USD;
use crate::sessions::sql::leases::Report;
use crate::sessions::{FileChanged, HeldChange, Mode, Session};
use crate::text::{clip, line, shown};

/// Characters of a reason and of a path; bytes of a summary.
pub(super) const REASON_MAX: usize = 2_000;
const PATH_MAX: usize = 1_024;
const SUMMARY_MAX: usize = 16 << 10;
/// Characters of a patch.
const PATCH_MAX: usize = 256 << 10;
/// The most held-back changes, and characters of a reason.
const HELD_MAX: usize = 200;
const WHY_MAX: usize = 400;
/// The most that a session may have cost, in US dollars.
const COST_MAX: f64 = 1_000_000.0;

/// The highest plausible number of tokens of a run.
const TOKENS_MAX: i64 = 1_000_000_000_000;

/// The report, and notes about what was left out. `clones` has the addresses of the repositories that the session may
/// work in. A session that may only `read` has no pull request: one that its agent names is somebody else's.
pub(super) fn read(request: &FinishRequest, clones: &[String], mode: Mode) -> (Report, Vec<String>) {
    let mut notes = Vec::new();
    let mut note = |what: &str, got: &str, why: &str| {
        notes.push(format!("{what} was reported as `{}` and is not believed: {why}.", shown(got, 100)))
    };
    let branch = request.branch.as_deref().filter(|branch| {
        let is_good = check_branch("branch", branch).is_ok();
        if !is_good {
            note("The branch", branch, "git allows no branch of that name");
        }
        is_good
    });
    let url = request.pull_request_url.as_deref().filter(|url| {
        // Any other address would mislead people, and prevent opening the real pull request.
        let is_good = mode == Mode::Write && clones.iter().any(|clone| is_pull_request(clone, url));
        if !is_good {
            let why = match mode {
                Mode::Read => "the session may only read",
                Mode::Write => "it is none of the repository that the session worked in",
            };
            note("The pull request", url, why);
        }
        is_good
    });
    let cost = request.cost_usd.filter(|cost| {
        let is_good = (0.0..=COST_MAX).contains(cost);
        if !is_good {
            note("The cost", &cost.to_string(), "expected US dollars, from 0 to 1,000,000");
        }
        is_good
    });
    if request.files_changed.len() > FILES_MAX {
        notes.push(format!("Of {} changed files, {FILES_MAX} are listed.", request.files_changed.len()));
    }
    let report = Report {
        exit_code: request.exit_code,
        branch: branch.map(str::to_owned),
        head_commit: request.head_commit.as_deref().filter(|commit| is_commit(commit)).map(str::to_owned),
        snapshot_id: request.base_commit.as_deref().filter(|commit| is_commit(commit)).map(str::to_owned),
        sandbox_id: request.sandbox_id.as_deref().map(|id| line(id, PATH_MAX)),
        files_changed: request.files_changed.iter().take(FILES_MAX).map(file).collect(),
        summary: request.summary.as_deref().map(|text| clip(text.into(), SUMMARY_MAX).0.into_owned()),
        pull_request_url: url.map(str::to_owned),
        patch: request.patch.as_deref().map(|text| clip(text.into(), PATCH_MAX).0.into_owned()),
        held: request.held.iter().take(HELD_MAX).map(held).collect(),
        held_commit: request.held_commit.as_deref().filter(|commit| is_commit(commit)).map(str::to_owned),
        cost: (cost.unwrap_or(0.0) * USD).round() as i64,
        tokens: request.tokens.clamp(0, TOKENS_MAX),
    };
    (report, notes)
}

/// Removes secrets from what the agent says about its work, because it reaches a code host with more readers. The
/// patch stays unchanged, so that it can be applied: runners hold back patches with secrets.
pub(super) fn without_secrets(mut request: FinishRequest) -> FinishRequest {
    let clean = |text: &mut String| *text = scrubbing::without_secrets(text);
    request.summary.iter_mut().for_each(clean);
    request.title.iter_mut().for_each(clean);
    request.reason.iter_mut().for_each(clean);
    request.held.iter_mut().for_each(|held| clean(&mut held.why));
    request
}

/// Why the session pauses until a person continues it, if so: at a cap, or at its time limit if its runner keeps what
/// was done, in this run or before.
pub(super) fn why_paused(request: &FinishRequest, report: &Report, session: &Session) -> Option<String> {
    let is_kept = report.held_commit.is_some() || session.held_commit.is_some();
    let usual = match request.outcome {
        RunOutcome::Capped => "it reached a cap".to_owned(),
        // The work that was to be pushed is held back as before.
        RunOutcome::TimedOut if is_kept && !session.is_releasing => {
            format!("it took longer than its limit of {} min", session.time_limit_minutes)
        }
        _ => return None,
    };
    Some(line(request.reason.as_deref().unwrap_or(&usual), REASON_MAX))
}

/// Tokens, and millionths of a US dollar, that a runner reports as used so far.
pub(super) fn used(tokens: i64, cost_usd: f64) -> (i64, i64) {
    let cost = Some(cost_usd).filter(|cost| (0.0..=COST_MAX).contains(cost)).unwrap_or(0.0);
    (tokens.clamp(0, TOKENS_MAX), (cost * USD).round() as i64)
}

fn held(change: &HeldChange) -> HeldChange {
    HeldChange { path: line(&change.path, PATH_MAX), why: line(&change.why, WHY_MAX) }
}

fn file(changed: &FileChanged) -> FileChanged {
    let lines = |count: i64| count.clamp(0, i64::from(u32::MAX));
    FileChanged {
        path: line(&changed.path, PATH_MAX),
        added: lines(changed.added),
        removed: lines(changed.removed),
    }
}

/// A commit's full or shortened hash.
fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
