//! System calls that nothing in a room needs: what they reach is not in a namespace of its own, or they have let too many out.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use std::collections::BTreeMap;

/// Refused as not permitted.
const REFUSED: [i64; 9] = [
    // The keys of whoever started the runner.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
];
/// Refused as unknown, so that programs do without: calls through a ring pass by this filter.
const UNKNOWN: [i64; 3] = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];
/// What marks calls with 32-bit pointers on x86-64, which have numbers of their own.
#[cfg(target_arch = "x86_64")]
const OTHERS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const OTHERS: &[i64] = &[0];

/// Programs for the kernel, as bubblewrap reads them.
///
/// # Errors
/// On a processor for which none can be made.
pub(super) fn programs() -> Result<[Vec<u8>; 2], String> {
    let refused = program(&REFUSED, libc::EPERM)?;
    Ok([refused, program(&UNKNOWN, libc::ENOSYS)?])
}

fn program(calls: &[i64], error: i32) -> Result<Vec<u8>, String> {
    let text = |error: &dyn std::fmt::Display| format!("no filter of system calls can be made: {error}");
    let numbers = calls.iter().flat_map(|call| OTHERS.iter().map(move |mark| (call | mark, Vec::new())));
    let rules: BTreeMap<_, _> = numbers.collect();
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| text(&error))?;
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).map_err(|error| text(&error))?;
    let program = BpfProgram::try_from(filter).map_err(|error| text(&error))?;
    let bytes = program.iter().flat_map(|one| {
        let [low, high] = one.code.to_ne_bytes();
        let [a, b, c, d] = one.k.to_ne_bytes();
        [low, high, one.jt, one.jf, a, b, c, d]
    });
    Ok(bytes.collect())
}
