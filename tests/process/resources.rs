//! Resources of a process: memory, file descriptors.

use crate::support::Server;
use rustix::process::{Resource, Rlimit, prlimit};
use std::fs;

/// KiB of memory that belong to the process alone, its share of the rest included.
pub(crate) fn memory(server: &Server) -> u64 {
    field(server, "smaps_rollup", "Pss:")
}

/// Forgets the highest use so far.
pub(crate) fn reset_peak(server: &Server) {
    fs::write(file(server, "clear_refs"), "5").unwrap();
}

/// KiB of memory at most since [`reset_peak`].
pub(crate) fn peak(server: &Server) -> u64 {
    field(server, "status", "VmHWM:")
}

/// KiB of memory now, as [`peak`] counts it.
pub(crate) fn resident(server: &Server) -> u64 {
    field(server, "status", "VmRSS:")
}

fn field(server: &Server, name: &str, field: &str) -> u64 {
    let text = fs::read_to_string(file(server, name)).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

fn file(server: &Server, name: &str) -> String {
    format!("/proc/{}/{name}", server.pid().as_raw_nonzero())
}

/// Limits the file descriptors of a running server.
pub(crate) fn limit_descriptors(server: &Server, count: u64) {
    let limit = Rlimit { current: Some(count), maximum: Some(count) };
    prlimit(Some(server.pid()), Resource::Nofile, limit).unwrap();
}

pub(crate) fn descriptors(server: &Server) -> usize {
    fs::read_dir(file(server, "fd")).unwrap().count()
}

/// Lets this process open as many files as it may; how many that are.
pub(crate) fn allow_descriptors() -> u64 {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    rustix::process::setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    limit.maximum.unwrap_or(u64::MAX)
}
