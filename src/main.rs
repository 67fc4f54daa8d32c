//! Parse, run, exit code.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// SQLite and zstd have it, too. That of glibc took a quarter more CPU for each event, and half as much memory again
/// while logs came in.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    // Nothing that this process writes is for anybody else.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    mayday::cli::run()
}
