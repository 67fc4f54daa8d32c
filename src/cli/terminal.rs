//! Interaction with a person at the terminal.

use crate::crypto::passphrase::PASSPHRASE_MIN;
use crate::crypto::secret::Secret;
use crate::error::{Error, Result};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// Shorter steps show no progress.
const SHORT: Duration = Duration::from_secs(1);
/// The interval between updates of the line.
const CHANGES: Duration = Duration::from_millis(200);

/// A progress line on standard error, if that is a terminal.
pub(super) struct Progress {
    start: Instant,
    shown: Cell<Option<Instant>>,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), shown: Cell::new(None), is_terminal: io::stderr().is_terminal() }
    }

    /// Updates the bytes done and the total; 0 if it is unknown.
    pub(super) fn tell(&self, what: &str, done: u64, all: u64) {
        let is_recent = self.shown.get().is_some_and(|at| at.elapsed() < CHANGES);
        if !self.is_terminal || is_recent || self.start.elapsed() < SHORT {
            return;
        }
        self.shown.set(Some(Instant::now()));
        let of = match all {
            0 => String::new(),
            all => format!(": {} of {}", crate::text::bytes(done), crate::text::bytes(all.max(done))),
        };
        write(&format!("\r\x1b[K{what}{of}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.get().is_some() {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    let mut terminal = io::stderr();
    // Failures are ignored, because a closed terminal needs no progress.
    drop(terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush()));
}

/// Asks a question; only `y` or `yes` counts as yes. `None` without a terminal.
pub(super) fn confirm(question: &str) -> Result<Option<bool>> {
    if !io::stdin().is_terminal() {
        return Ok(None);
    }
    write(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(Error::internal)?;
    Ok(Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")))
}

/// Reads a passphrase from `file`, from the configuration, or from the terminal; `None` without any. A new one is
/// asked for twice and has a minimum length.
///
/// # Errors
/// If the file cannot be read, or a new passphrase is too short or the two entries differ.
pub(super) fn passphrase(
    file: Option<&Path>,
    configured: Option<&Secret>,
    is_new: bool,
) -> Result<Option<Secret>> {
    let found = match (file, configured) {
        (Some(file), _) => Some(of_file(file)?),
        (None, Some(configured)) => Some(configured.clone()),
        (None, None) if io::stdin().is_terminal() => Some(asked(is_new)?),
        (None, None) => None,
    };
    if let Some(found) = &found
        && is_new
        && found.as_str().chars().count() < PASSPHRASE_MIN
    {
        return Err(Error::internal(format!(
            "the passphrase is too short: expected {PASSPHRASE_MIN} characters or more"
        )));
    }
    Ok(found)
}

fn of_file(file: &Path) -> Result<Secret> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Error::internal(format!("--passphrase-file {}: {error}", file.display())))?;
    Ok(Secret::new(text.lines().next().unwrap_or_default()))
}

fn asked(is_new: bool) -> Result<Secret> {
    let first =
        hidden(if is_new { "New passphrase for the secrets: " } else { "Passphrase of the secrets: " })?;
    if is_new && hidden("The same again: ")? != first {
        return Err(Error::internal("the passphrases differ: nothing was done"));
    }
    Ok(first)
}

/// Reads a line without echo.
fn hidden(prompt: &str) -> Result<Secret> {
    write(prompt);
    let quiet = Quiet::begin().map_err(Error::internal)?;
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    drop(quiet);
    write("\n");
    read.map_err(Error::internal)?;
    Ok(Secret::new(line.trim_end_matches(['\r', '\n'])))
}

/// Turns off the terminal's echo until dropped.
struct Quiet(rustix::termios::Termios);

impl Quiet {
    fn begin() -> rustix::io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &quiet)?;
        Ok(Self(before))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // The terminal may be closed.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}
