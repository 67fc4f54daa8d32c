//! Parses the command line, runs it, and exits.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// SQLite and zstd use it, too. glibc's allocator took a quarter more CPU for each event, and half as much
/// memory again while logs came in.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// jemalloc's options. By default it has four arenas per core, each of which keeps freed memory for ten
/// seconds: that was a third of all memory at the highest rate of logs. Two arenas that keep it for one
/// second cost no measurable throughput.
#[expect(unsafe_code, reason = "the allocator reads the symbol with this name; nothing else defines it")]
#[unsafe(export_name = "malloc_conf")]
static MALLOC_CONF: &[u8; 30] = b"narenas:2,dirty_decay_ms:1000\0";

fn main() -> ExitCode {
    // No file that this process writes is meant for other users.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    mayday::cli::run()
}
