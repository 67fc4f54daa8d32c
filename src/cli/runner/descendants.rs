//! All processes that one has started, by itself or through others: which they are, and what they take of the machine.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
use std::fs;

/// What processes take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Burden {
    pub(super) processes: usize,
    /// Of memory that is theirs alone, swapped out or not, and their share of what they have in common. What is in files in
    /// memory is not theirs.
    pub(super) bytes: u64,
}

/// Every process that `of` started, itself or through others.
pub(super) fn of(of: Pid) -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        if let Some(parent) =
            fs::read_to_string(entry.path().join("stat")).ok().and_then(|stat| parent(&stat))
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![i32::from(of.as_raw_nonzero())];
    while let Some(pid) = open.pop() {
        let next = children.remove(&pid).unwrap_or_default();
        found.extend(next.iter().filter_map(|pid| Pid::from_raw(*pid)));
        open.extend(next);
    }
    found
}

/// Tells all of them.
pub(super) fn tell(of: Pid, what: Signal) {
    for pid in self::of(of) {
        // One that has just ended need not be told.
        let _ = kill_process(pid, what);
    }
}

/// Kills all of them. They are stopped first, so that none forks while others are killed.
pub(super) fn kill(of: Pid) {
    let mut stopped = 0;
    loop {
        tell(of, Signal::STOP);
        let count = self::of(of).len();
        if count <= stopped {
            break;
        }
        stopped = count;
    }
    tell(of, Signal::KILL);
}

/// What all of them take. Exact figures take long, so they are asked for only if rough ones, in which memory of several counts
/// for each, are above `enough` bytes.
pub(super) fn burden(of: Pid, enough: u64) -> Burden {
    let all = self::of(of);
    let rough: u64 = all.iter().map(|pid| kibibytes(*pid, "status", &ROUGH).unwrap_or(0)).sum();
    let exact = || {
        all.iter()
            .map(|pid| kibibytes(*pid, "smaps_rollup", &EXACT).or_else(|| kibibytes(*pid, "status", &ROUGH)))
    };
    let kibibytes = if rough << 10 > enough { exact().map(|of| of.unwrap_or(0)).sum() } else { rough };
    Burden { processes: all.len(), bytes: kibibytes << 10 }
}

const ROUGH: [&str; 3] = ["RssAnon:", "RssShmem:", "VmSwap:"];
const EXACT: [&str; 3] = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];

/// The sum of some lines of a process's file; `None`: it has ended, or may not be asked.
fn kibibytes(pid: Pid, file: &str, names: &[&str; 3]) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/{file}", pid.as_raw_nonzero())).ok()?;
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        names.contains(&words.next()?).then_some(())?;
        words.next()?.parse::<u64>().ok()
    };
    let found: Vec<u64> = text.lines().filter_map(of_line).collect();
    (!found.is_empty()).then(|| found.iter().sum())
}

/// The parent in `/proc/<pid>/stat`, of a process that has not ended. The name before it may contain anything.
fn parent(stat: &str) -> Option<i32> {
    let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
    let state = rest.next()?;
    (state != "Z" && state != "X").then_some(())?;
    rest.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpid;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn the_parent_stands_behind_a_name_of_any_form() {
        assert_eq!(parent("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (a) R 1 (b) S 8 12"), Some(8));
        assert_eq!(parent("12 (sh) Z 7 12 12 0"), None);
        assert_eq!(parent("nonsense"), None);
    }

    #[test]
    fn memory_that_two_share_counts_once() {
        // A parent with 64 MiB that it shares with the child that it forks.
        let script = "import os\nall = bytearray(os.urandom(1 << 20) * 64)\nif os.fork():\n    os.wait()\nelse:\n    print('made', flush=True)\n    input()\n";
        let mut command = Command::new("python3");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let pid = Pid::from_child(&child);
        let (rough, exact) = (kibibytes(pid, "status", &ROUGH), burden(getpid(), 0));
        kill(pid);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(rough.unwrap() >= 64 << 10 && of(pid).is_empty());
        // Other tests of this program may have children, too.
        assert!(exact.processes >= 2 && exact.bytes >= 64 << 20, "{exact:?}");
    }
}
