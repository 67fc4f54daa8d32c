//! `mayday backup`: makes a backup, from a running server or the data directory of a stopped one, or verifies one.
//! `--status` is in [`backup_status`].

use super::terminal::{Progress, passphrase};
use super::{Options, backup_status, ended, say, storage};
use crate::backup::{self, CompletedBackup, Contents, Destination, Input, Kind, Remote, Target, Treatment};
use crate::config::Config;
use crate::control::{self, CallerDirectory};
use crate::digest;
use crate::error::{Error, Result};
use crate::store::journal::Journal;
use crate::store::snapshot::{self, Sources};
use crate::store::{Blobs, DataDir, Fatal, Readers, SNAPSHOT, Stop, examine, has_instance};
use crate::time::Timestamp;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// How often the progress of a copy is checked.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["output", "verify", "status"])))]
pub(super) struct Arguments {
    /// Where to make it: a new directory, or a file or s3://bucket/key that ends in .tar.zst
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Checks this backup instead: every file and hash, and both databases
    #[arg(long, value_name = "PATH")]
    verify: Option<PathBuf>,
    /// Shows how the backups of SERVICE_BACKUP_SCHEDULE are doing instead; exits with 1 if one is overdue
    #[arg(long)]
    status: bool,
    /// Prints the status as JSON
    #[arg(long, requires = "status")]
    json: bool,
    /// Leaves out secrets.env; restoring then needs CLOUD_SECRET_KEY
    #[arg(long, requires = "output", conflicts_with_all = ["seal", "verify", "status"])]
    without_secrets: bool,
    /// Seals the secrets with a passphrase
    #[arg(long, requires = "output", conflicts_with_all = ["verify", "status"])]
    seal: bool,
    /// File with the passphrase [env: SERVICE_BACKUP_PASSPHRASE, …_FILE] [default: asked for]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

pub(super) fn run(options: &Options, arguments: &Arguments) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    ended(match (&arguments.verify, &arguments.output) {
        (Some(path), _) => verify(&config, path),
        (None, Some(output)) => make(&config, output, arguments),
        // clap requires one of them, so this is --status.
        (None, None) => return backup_status::run(&config, arguments.json),
    })
}

fn verify(config: &Config, path: &Path) -> Result<()> {
    let input = open(config, path)?;
    let progress = Progress::new();
    backup::verify(&input, &|what, done, all| progress.tell(what, done, all))?;
    drop(progress);
    say(&format_args!("The backup {} is whole, and this version can restore it.", input.name()));
    input.manifest.lines().iter().for_each(|line| say(&format_args!("  {line}")));
    Ok(())
}

/// Opens the backup that an argument names.
///
/// # Errors
/// If there is none, or it cannot be read.
pub(super) fn open(config: &Config, argument: &Path) -> Result<Input> {
    match storage::address(argument)? {
        Some(address) => Input::open_remote(storage::open(config, &address)?, address),
        None => Input::open(argument),
    }
}

fn make(config: &Config, output: &Path, arguments: &Arguments) -> Result<()> {
    if !has_instance(&config.data_dir) {
        return Err(Error::internal(format!(
            "{} has no main.db: start the server once, or name its directory with --data-dir",
            config.data_dir.display()
        )));
    }
    let stop = Stop::default();
    let destination = destination(config, output, &stop)?;
    let treatment = treatment(config, arguments)?;
    let made = backup_to(config, &destination, treatment, stop)
        .map_err(|error| nothing_left(&error, &destination))?;
    say(&format_args!("The backup {} is complete.", made.name));
    made.manifest.lines().iter().for_each(|line| say(&format_args!("  {line}")));
    if made.manifest.secrets == Kind::Included {
        say(&"Whoever has it can read everything in it: keep it as safe as the server, or use --seal.");
    }
    Ok(())
}

fn destination(config: &Config, output: &Path, stop: &Stop) -> Result<Destination> {
    let Some(address) = storage::address(output)? else {
        return Target::new(output, &config.data_dir, config.disk_floor_bytes).map(Destination::Local);
    };
    let remote = Remote::new(storage::open(config, &address)?, address)?;
    let stop = stop.clone();
    Ok(Destination::Remote(remote.noting(move |_| storage::stop_if_interrupted(&stop))))
}

fn treatment(config: &Config, arguments: &Arguments) -> Result<Treatment> {
    if arguments.without_secrets {
        return Ok(Treatment::LeaveOut);
    }
    if !arguments.seal {
        return Ok(Treatment::Include);
    }
    let file = arguments.passphrase_file.as_deref();
    match passphrase(file, config.backup.passphrase.as_ref(), true)? {
        Some(passphrase) => Ok(Treatment::Seal(passphrase)),
        None => Err(Error::internal(
            "--seal needs a passphrase: run it on a terminal, or give one with --passphrase-file or in \
             SERVICE_BACKUP_PASSPHRASE",
        )),
    }
}

fn backup_to(
    config: &Config,
    destination: &Destination,
    treatment: Treatment,
    stop: Stop,
) -> Result<CompletedBackup> {
    let progress = Progress::new();
    let tell = |what: &str, done, all| progress.tell(what, done, all);
    let mut contents =
        Contents { last_position: 0, kept: None, treatment, created_at: Timestamp::now(), stop };
    let mut complete = |copied: &Path, last_position| {
        contents.kept = backup::kept_secrets(&config.data_dir)?;
        contents.last_position = last_position;
        backup::complete(destination, copied, &contents, &tell)
    };
    let work = destination
        .workplace()
        .map_or_else(|| Ok(CallerDirectory::of_server()), CallerDirectory::at)
        .map_err(Error::internal)?;
    let copying = |done, all| tell("copying the databases", done, all);
    let with = |copied: &control::Snapshot| complete(&copied.path, copied.last_position);
    if let Some(made) = control::copy_snapshot(&config.data_dir, &work, &copying, with)? {
        return Ok(made);
    }
    let held = DataDir::take_usable(&config.data_dir)?;
    let into =
        destination.workplace().map_or_else(|| held.path().join(SNAPSHOT), |work| work.join("snapshot"));
    let made = copy_stopped(&config.data_dir, &into, &copying).and_then(|last| complete(&into, last));
    // The workplace, if the copy is in one, removes it; this copy is in the data directory.
    drop(std::fs::remove_dir_all(&into));
    made
}

/// Copies the data directory of a stopped server, which this process has locked. Nothing is migrated: the copy keeps
/// the schemas.
fn copy_stopped(data_dir: &Path, into: &Path, tell: &dyn Fn(u64, u64)) -> Result<i64> {
    for name in ["logs.db", "intake", "sourcemaps", "replays"] {
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
    let replays = Blobs::open(data_dir.join("replays"))?;
    let (instance, main, logs, journal) = (&*instance, &main, &logs, &journal);
    let sources = Sources { instance, main, logs, journal, maps: &maps, replays: &replays };
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

/// Adds to an error that nothing of the backup is left.
fn nothing_left(error: &Error, destination: &Destination) -> Error {
    Error::internal(format!("{} (nothing was left at {})", error.for_operator(), destination.name()))
}
