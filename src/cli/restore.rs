//! `mayday restore`: puts a backup in place of the data directory's content.

use super::backup::open;
use super::terminal::{Progress, confirm, passphrase};
use super::{Options, ended, say};
use crate::backup::{self, Input, Keys, SEALED};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::{self, DataDir, snapshot};
use crate::time::Timestamp;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The exit code of a restore that failed after it began to move files. Running it again continues it.
const BEGUN: u8 = 3;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The backup: a directory, an archive or an s3://bucket/key that `mayday backup` made
    #[arg(long, value_name = "PATH", required_unless_present = "remove_kept")]
    input: Option<PathBuf>,
    /// Removes what former restores have moved aside, also while the server runs
    #[arg(long, conflicts_with_all = ["input", "passphrase_file"])]
    remove_kept: bool,
    /// Does not ask. What is in the data directory is replaced and kept
    #[arg(long)]
    yes: bool,
    /// File with the passphrase of sealed secrets [env: SERVICE_BACKUP_PASSPHRASE, …_FILE] [default: asked for]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

pub(super) fn run(options: &Options, arguments: &Arguments) -> ExitCode {
    let config = match options.config() {
        Ok(config) => config,
        Err(code) => return code,
    };
    let outcome = match &arguments.input {
        Some(path) => restore(&config, arguments, path),
        None => return ended(remove_kept(&config.data_dir, arguments.yes)),
    };
    let has_begun = outcome.is_err() && store::is_replacing(&config.data_dir);
    let code = ended(outcome);
    if has_begun { ExitCode::from(BEGUN) } else { code }
}

/// Lists and removes the content that earlier restores moved aside.
fn remove_kept(data_dir: &Path, yes: bool) -> Result<()> {
    let shown = data_dir.display();
    if store::is_replacing(data_dir) {
        return Err(Error::internal(format!(
            "a restore into {shown} has to be finished first: start the server"
        )));
    }
    let fault = |path: &Path, error| Error::internal(format!("{}: {error}", path.display()));
    let kept = store::former(data_dir).map_err(|error| fault(data_dir, error))?;
    if kept.is_empty() {
        say(&format_args!("No restore has kept anything in {shown}."));
        return Ok(());
    }
    for path in &kept {
        let size = size_of(path).map_err(|error| fault(path, error))?;
        say(&format_args!("{}  {}", path.display(), crate::text::bytes(size)));
    }
    if !yes {
        match confirm("Remove that, with the secrets in it?")? {
            Some(true) => {}
            Some(false) => return Err(Error::internal("nothing was removed")),
            None => return Err(Error::internal("nothing was removed: --yes removes it")),
        }
    }
    kept.iter().try_for_each(|path| std::fs::remove_dir_all(path).map_err(|error| fault(path, error)))?;
    say(&"Removed.");
    Ok(())
}

/// The total size of all files below a directory.
fn size_of(folder: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        size += if about.is_dir() { size_of(&entry.path())? } else { about.len() };
    }
    Ok(size)
}

fn restore(config: &Config, arguments: &Arguments, path: &Path) -> Result<()> {
    let input = open(config, path)?;
    backup::check_known(&input)?;
    let is_new = !config.data_dir.exists();
    let dir = DataDir::take(&config.data_dir)?;
    if dir.finished_restore {
        say(&"A restore that was interrupted has been finished first.");
    }
    let restored = replace(config, arguments, &input, &dir);
    if restored.is_err() && !dir.is_replacing() {
        dir.discard();
        if is_new {
            // The directory did not exist before.
            drop(std::fs::remove_dir_all(dir.path()));
        }
    }
    restored
}

fn replace(config: &Config, arguments: &Arguments, input: &Input, dir: &DataDir) -> Result<()> {
    let phrase = match input.manifest.file(SEALED) {
        Some(_) => {
            passphrase(arguments.passphrase_file.as_deref(), config.backup.passphrase.as_ref(), false)?
        }
        None => None,
    };
    let present = backup::kept_secrets(dir.path())?;
    let keys = Keys::find(input, phrase.as_ref(), config.cloud_secret_key.as_ref(), present)?;
    if !arguments.yes {
        ask(input, dir)?;
    }
    snapshot::check_room(dir.path(), dir.path(), input.manifest.size(), config.disk_floor_bytes)?;
    let new = dir.new_content()?;
    let progress = Progress::new();
    backup::stage(input, &keys, &new, &|what, done, all| progress.tell(what, done, all))?;
    drop(progress);
    let kept = dir.replace(Timestamp::now())?;
    say(&format_args!("{} is restored.", dir.path().display()));
    input.manifest.lines().iter().for_each(|line| say(&format_args!("  {line}")));
    if let Some(kept) = kept {
        say(&format_args!(
            "What was there is in {}. Once you do not need it: mayday restore --remove-kept",
            kept.display()
        ));
    }
    say(&"Next: start the server, then check that /health answers and that you can sign in.");
    Ok(())
}

/// Asks for confirmation before content is replaced.
///
/// # Errors
/// Unless the answer is yes.
fn ask(input: &Input, dir: &DataDir) -> Result<()> {
    let present = dir.content()?;
    if present.is_empty() {
        return Ok(());
    }
    let path = dir.path().display();
    let question = format!(
        "{path} is not empty ({}). Move that aside, and restore the backup of {}?",
        present.join(", "),
        input.manifest.created_at
    );
    match confirm(&question)? {
        Some(true) => Ok(()),
        Some(false) => Err(Error::internal("nothing was changed")),
        None => Err(Error::internal(format!(
            "{path} is not empty ({}): --yes moves that aside and restores the backup",
            present.join(", ")
        ))),
    }
}
