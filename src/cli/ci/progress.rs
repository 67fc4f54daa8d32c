//! The progress of an upload: a bar on a terminal, otherwise lines.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// The interval between lines without a terminal.
const LINES: Duration = Duration::from_secs(5);

/// A progress bar; clones share it.
#[derive(Clone)]
pub(in crate::cli) struct Progress {
    bar: ProgressBar,
    is_terminal: bool,
    is_quiet: bool,
    last: Instant,
}

impl Progress {
    /// A bar for `bytes` bytes; hidden if standard output is read by a program.
    pub(in crate::cli) fn new(what: &str, bytes: u64, is_quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && !is_quiet;
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(bytes), target).with_message(what.to_owned());
        const FORM: &str = "{msg} [{bar:30}] {bytes} of {total_bytes}, {eta} left";
        // Our template is valid; if it were not, indicatif's default would do.
        bar.set_style(
            ProgressStyle::with_template(FORM)
                .map_or_else(|_| ProgressStyle::default_bar(), |s| s.progress_chars("█▌ ")),
        );
        let progress = Self { bar, is_terminal, is_quiet, last: Instant::now() };
        if !is_terminal {
            progress.line(&format!("{what}: {}", crate::text::bytes(bytes)));
        }
        progress
    }

    pub(in crate::cli) fn at(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
        if !self.is_terminal && self.last.elapsed() >= LINES {
            self.last = Instant::now();
            let all = self.bar.length().unwrap_or_default();
            self.line(&format!("  {} of {}", crate::text::bytes(bytes), crate::text::bytes(all)));
        }
    }

    /// Prints a permanent line above the bar.
    pub(in crate::cli) fn line(&self, text: &str) {
        if self.is_quiet {
            return;
        }
        self.bar.suspend(|| super::super::note(&text));
    }

    pub(in crate::cli) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
