//! System calls that are blocked in a room, because they reach things outside namespaces, or had too many
//! vulnerabilities.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use std::collections::BTreeMap;

/// Fail with "not permitted".
const REFUSED: [i64; 9] = [
    // The keyrings of the user who started the runner.
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
/// Fail with "not implemented", so that programs fall back to others: io_uring calls would bypass this filter.
const UNKNOWN: [i64; 3] = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];
/// The bit that marks system calls with 32-bit pointers on x86-64, which have their own numbers.
#[cfg(target_arch = "x86_64")]
const OTHERS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const OTHERS: &[i64] = &[0];

/// The seccomp programs in the form that bubblewrap reads.
///
/// # Errors
/// On a processor that is not supported.
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
