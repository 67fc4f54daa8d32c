//! Parses the command line, runs it, and exits.

use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

/// SQLite and zstd use it, too. glibc's allocator took a quarter more CPU for each event, and half as much
/// memory again while logs came in.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// What jemalloc is told. By default it has four arenas for each core, and each keeps for ten seconds what was freed:
/// a third of the memory while logs came in as fast as they could. Two arenas that keep it for a second cost no
/// throughput that could be measured.
#[expect(unsafe_code, reason = "the allocator reads a symbol of this name; nothing else has it")]
#[unsafe(export_name = "malloc_conf")]
static MALLOC_CONF: &[u8; 30] = b"narenas:2,dirty_decay_ms:1000\0";

fn main() -> ExitCode {
    // No file that this process writes is meant for other users.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    mayday::cli::run()
}
