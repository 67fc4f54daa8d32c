//! All processes that one has started, by itself or through others: which they are, and what they take of the machine.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long exact figures are asked for.
const MOMENT: Duration = Duration::from_millis(200);
/// How often descendants are stopped before they are killed: a fork bomb has new ones each time.
const STOPS_MAX: usize = 50;

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
    for _ in 0..STOPS_MAX {
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
/// for each, are above `enough` bytes; what cannot be asked within a moment counts roughly.
pub(super) fn burden(of: Pid, enough: u64) -> Burden {
    let all = self::of(of);
    let rough: Vec<u64> = all.iter().map(|pid| rough(*pid)).collect();
    let until = Instant::now() + MOMENT;
    let exact = |(pid, rough): (&Pid, &u64)| {
        let figure = if Instant::now() < until { exact(*pid) } else { None };
        figure.unwrap_or(*rough)
    };
    let kibibytes: u64 = match rough.iter().sum() {
        sum if sum <= enough >> 10 => sum,
        _ => all.iter().zip(&rough).map(exact).sum(),
    };
    Burden { processes: all.len(), bytes: kibibytes << 10 }
}

/// Kibibytes that a process has itself or together with others. Where its first thread has ended, the others have them.
fn rough(pid: Pid) -> u64 {
    let folder = format!("/proc/{}", pid.as_raw_nonzero());
    let figure =
        |folder: &Path| sum(&folder.join("status"), &["RssAnon:", "RssShmem:", "VmSwap:"], "RssAnon:");
    let of_threads = || {
        let threads = fs::read_dir(format!("{folder}/task")).into_iter().flatten().flatten();
        threads.map(|thread| thread.path()).find_map(|thread| figure(&thread))
    };
    figure(Path::new(&folder)).or_else(of_threads).unwrap_or(0)
}

/// The same, with its share alone of what others have, too. Older kernels do not tell.
fn exact(pid: Pid) -> Option<u64> {
    let file = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
    sum(Path::new(&file), &["Pss_Anon:", "Pss_Shmem:", "SwapPss:"], "Pss_Anon:")
}

/// The sum of some lines of a file; `None` if it is not there, or one of them is not in it.
fn sum(file: &Path, names: &[&str; 3], needed: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        names.contains(&words.next()?).then_some(())?;
        words.next()?.parse::<u64>().ok()
    };
    text.lines().any(|line| line.starts_with(needed)).then(|| text.lines().filter_map(of_line).sum())
}

/// The parent in `/proc/<pid>/stat`, of a process that has not ended: one whose first thread has, goes on while it has others.
/// The name before it may contain anything.
fn parent(stat: &str) -> Option<i32> {
    let words: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (state, parent) = (words.first()?, words.get(1)?.parse().ok()?);
    let threads: u32 = words.get(17).and_then(|count| count.parse().ok()).unwrap_or(1);
    (!["Z", "X"].contains(state) || threads > 1).then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn the_parent_stands_behind_a_name_of_any_form() {
        assert_eq!(parent("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (a) R 1 (b) S 8 12"), Some(8));
        assert_eq!(parent("12 (sh) Z 7 12 12 0"), None);
        assert_eq!(parent("nonsense"), None);
        let ended_but_for_a_thread = "12 (sh) Z 7 12 12 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 2 0 99";
        assert_eq!(parent(ended_but_for_a_thread), Some(7));
        assert_eq!(parent(&ended_but_for_a_thread.replace(" 2 0 99", " 1 0 99")), None);
    }

    #[test]
    fn what_others_have_too_counts_in_part() {
        // A parent with 64 MiB that it shares with the child that it forks.
        let script = "import os\nall = bytearray(os.urandom(1 << 20) * 64)\nif os.fork():\n    os.wait()\nelse:\n    print('made', flush=True)\n    input()\n";
        let mut command = Command::new("python3");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut parent = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(parent.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let pid = Pid::from_child(&parent);
        let (roughly, exactly) = (burden(pid, u64::MAX), burden(pid, 0));
        kill(pid);
        parent.kill().unwrap();
        parent.wait().unwrap();
        assert_eq!((roughly.processes, exactly.processes), (1, 1), "the child alone descends from it");
        assert!(roughly.bytes >= 64 << 20, "{roughly:?}");
        // Its half of what both have.
        assert!((24 << 20..56 << 20).contains(&exactly.bytes), "{exactly:?}");
        assert!(of(pid).is_empty());
    }
}
