//! `mayday backup`: makes a backup, from the running server or a stopped one's data directory, or checks one.

use super::terminal::{Progress, passphrase};
use super::{Options, ended, say};
use crate::backup::{self, Contents, Input, Kind, Made, Target, Treatment};
use crate::config::Config;
use crate::control::{self, Work};
use crate::digest;
use crate::error::{Error, Result};
use crate::store::journal::Journal;
use crate::store::snapshot::{self, Sources};
use crate::store::{Blobs, DataDir, Fatal, Readers, Stop, examine, has_instance};
use crate::time::Timestamp;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The interval between two looks at a copy that is being made.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["output", "verify"])))]
pub(super) struct Arguments {
    /// Where to make it: a new directory, or a file that ends in .tar.zst
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Checks this backup instead: every file and hash, and both databases
    #[arg(long, value_name = "PATH")]
    verify: Option<PathBuf>,
    /// Leaves out secrets.env; restoring then needs CLOUD_SECRET_KEY
    #[arg(long, requires = "output", conflicts_with_all = ["seal", "verify"])]
    without_secrets: bool,
    /// Seals the secrets with a passphrase
    #[arg(long, requires = "output", conflicts_with = "verify")]
    seal: bool,
    /// File with the passphrase [env: SERVICE_BACKUP_PASSPHRASE] [default: asked for]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

pub(super) fn run(options: &Options, arguments: &Arguments) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    ended(match (&arguments.verify, &arguments.output) {
        (Some(path), _) => verify(path),
        (None, Some(output)) => make(&config, output, arguments),
        // clap requires one of them.
        (None, None) => Ok(()),
    })
}

fn verify(path: &Path) -> Result<()> {
    let input = Input::open(path)?;
    let progress = Progress::new();
    backup::verify(&input, &|what, done, all| progress.tell(what, done, all))?;
    drop(progress);
    say(&format_args!("The backup {} is whole, and this version can restore it.", path.display()));
    input.manifest.lines().iter().for_each(|line| say(&format_args!("  {line}")));
    Ok(())
}

fn make(config: &Config, output: &Path, arguments: &Arguments) -> Result<()> {
    if !has_instance(&config.data_dir) {
        return Err(Error::internal(format!(
            "{} has no main.db: start the server once, or name its directory with --data-dir",
            config.data_dir.display()
        )));
    }
    let target = Target::new(output, &config.data_dir)?;
    let treatment = treatment(config, arguments)?;
    let made = backup_to(config, &target, treatment).map_err(|error| nothing_left(&error, output))?;
    say(&format_args!("The backup {} is complete.", made.path.display()));
    made.manifest.lines().iter().for_each(|line| say(&format_args!("  {line}")));
    if made.manifest.secrets == Kind::Included {
        say(&"Whoever has it can read everything in it: keep it as safe as the server, or use --seal.");
    }
    Ok(())
}

fn treatment(config: &Config, arguments: &Arguments) -> Result<Treatment> {
    if arguments.without_secrets {
        return Ok(Treatment::LeaveOut);
    }
    if !arguments.seal {
        return Ok(Treatment::Include);
    }
    let file = arguments.passphrase_file.as_deref();
    match passphrase(file, config.backup_passphrase.as_ref(), true)? {
        Some(passphrase) => Ok(Treatment::Seal(passphrase)),
        None => Err(Error::internal(
            "--seal needs a passphrase: run it on a terminal, or give one with --passphrase-file or in \
             SERVICE_BACKUP_PASSPHRASE",
        )),
    }
}

fn backup_to(config: &Config, target: &Target, treatment: Treatment) -> Result<Made> {
    let progress = Progress::new();
    let tell = |what: &str, done, all| progress.tell(what, done, all);
    let created_at = Timestamp::now();
    let complete = |copied: &Path, last_position, treatment| {
        let kept = backup::kept_secrets(&config.data_dir)?;
        backup::complete(target, copied, Contents { last_position, kept, treatment, created_at }, &tell)
    };
    let work = Work::at(target.workplace.path()).map_err(Error::internal)?;
    let mut waiting = Some(treatment);
    let mut take = || waiting.take().unwrap_or(Treatment::Include);
    let copying = |done, all| tell("copying the databases", done, all);
    let with = |copied: &control::Copied| complete(&copied.path, copied.last_position, take());
    if let Some(made) = control::copy_snapshot(&config.data_dir, &work, &copying, with)? {
        return Ok(made);
    }
    let _held = DataDir::take(&config.data_dir)?;
    let into = target.workplace.path().join("snapshot");
    let last = copy_stopped(&config.data_dir, &into, &copying)?;
    complete(&into, last, take())
}

/// Copies the data directory of a stopped server, which this process holds. Nothing is migrated: the copy has the schemas
/// that it finds.
fn copy_stopped(data_dir: &Path, into: &Path, tell: &dyn Fn(u64, u64)) -> Result<i64> {
    for name in ["logs.db", "intake", "sourcemaps"] {
        if !data_dir.join(name).exists() {
            return Err(Error::internal(format!(
                "{} is missing: start the server once, it says what to do",
                data_dir.join(name).display()
            )));
        }
    }
    let beside = into.parent().unwrap_or(into);
    let expected = snapshot::expected(data_dir, beside).map_err(Error::internal)?;
    snapshot::check_room(data_dir, beside, expected, 0)?;
    let main = Readers::open(&data_dir.join("main.db"))?;
    let logs = Readers::open(&data_dir.join("logs.db"))?;
    let instance = examine::instance(data_dir, &main, &logs)?;
    let reached = digest::sql::position(&main.dedicated()?)?;
    let journal = Journal::open(&data_dir.join("intake"), reached, &Fatal::new().0)?;
    let maps = Blobs::open(data_dir.join("sourcemaps"))?;
    let sources = Sources { instance: &instance, main: &main, logs: &logs, journal: &journal, maps: &maps };
    let stop = Stop::default();
    let copied = std::thread::scope(|scope| {
        let copying = scope.spawn(|| sources.copy_to(into, &stop));
        while !copying.is_finished() {
            tell(snapshot::copied(into), expected);
            std::thread::sleep(LOOK);
        }
        copying.join().unwrap_or_else(|_| Err(Error::internal("the copying thread ended")))
    });
    journal.stop();
    copied.map(|snapshot| snapshot.last)
}

/// Says that nothing of the backup is left.
fn nothing_left(error: &Error, output: &Path) -> Error {
    let cause = match error {
        Error::Internal(cause) | Error::Unavailable { cause: Some(cause), .. } => cause.to_string(),
        error => error.to_string(),
    };
    Error::internal(format!("{cause} (nothing was left at {})", output.display()))
}
