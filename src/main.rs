//! Parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Nothing that this process writes is for anybody else.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    mayday::memory::bound();
    mayday::cli::run()
}
