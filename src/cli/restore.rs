//! `mayday restore`: puts a backup in place of the data directory's content.

use super::backup::open;
use super::terminal::{Progress, confirm, passphrase};
use super::{Options, ended, say};
use crate::backup::{self, Input, Keys, SEALED};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::{DataDir, snapshot};
use crate::time::Timestamp;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The backup: a directory, an archive or an s3://bucket/key that `mayday backup` made
    #[arg(long, value_name = "PATH")]
    input: PathBuf,
    /// Replaces what is in the data directory without asking; it is kept
    #[arg(long)]
    yes: bool,
    /// File with the passphrase of sealed secrets [env: SERVICE_BACKUP_PASSPHRASE, …_FILE] [default: asked for]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

pub(super) fn run(options: &Options, arguments: &Arguments) -> ExitCode {
    match options.config() {
        Ok(config) => ended(restore(&config, arguments)),
        Err(code) => code,
    }
}

fn restore(config: &Config, arguments: &Arguments) -> Result<()> {
    let input = open(config, &arguments.input)?;
    backup::check_known(&input)?;
    let is_new = !config.data_dir.exists();
    let dir = DataDir::take(&config.data_dir)?;
    if dir.finished_restore {
        say(&"A restore that was interrupted has been finished first.");
    }
    let restored = replace(config, arguments, &input, &dir);
    if restored.is_err() {
        dir.discard();
        if is_new {
            // As it was: there was none.
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
        say(&format_args!("What was there is in {}: delete it once you do not need it.", kept.display()));
    }
    say(&"Next: start the server, then check that /health answers and that you can sign in.");
    Ok(())
}

/// Asks before content is replaced.
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
