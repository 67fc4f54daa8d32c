//! Parse, run, exit code.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Taking an event in and digesting it makes some thousand small strings; with glibc's allocator that was
/// a quarter of the time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // Nothing that this process writes is for anybody else.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    mayday::cli::run()
}
