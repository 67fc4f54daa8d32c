//! All descendants of a process, and the memory and number of processes they use.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for exact figures.
const MOMENT: Duration = Duration::from_millis(200);
/// How often descendants are told to stop: a fork bomb may have new ones each time.
const STOPS_MAX: usize = 100;
/// How long those that were told to stop have for it, before the next look.
const STOPPING: Duration = Duration::from_millis(2);

/// The resources that processes use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Burden {
    pub(super) processes: usize,
    /// Private memory, swapped out or not, and a share of the memory in common with other processes. Files in tmpfs
    /// do not count.
    pub(super) bytes: u64,
}

/// Every descendant of the process `of`.
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

/// Sends all of them a signal.
pub(super) fn tell(of: Pid, what: Signal) {
    for pid in self::of(of) {
        // A process that has just ended needs no signal.
        let _ = kill_process(pid, what);
    }
}

/// Stops all of them, also those that they fork meanwhile: a process may still finish a fork after it was told to stop.
pub(super) fn stop(of: Pid) {
    let mut has_rested = false;
    for _ in 0..STOPS_MAX {
        let was_running = |pid: &Pid| {
            let states = states(*pid);
            let is_told = states.contains(['R', 'S', 'D']) && kill_process(*pid, Signal::STOP).is_ok();
            is_told && is_running(&states)
        };
        // All of them are told, so all are looked at.
        let running = self::of(of).into_iter().filter(was_running).count();
        // The first list in which all rest may lack what one of them forked while it was read.
        if running == 0 && has_rested {
            return;
        }
        has_rested = running == 0;
        thread::sleep(STOPPING);
    }
}

/// The states of a process's threads, a letter each.
fn states(pid: Pid) -> String {
    let threads =
        fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).into_iter().flatten().flatten();
    let stats = threads.filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok());
    stats.filter_map(|stat| fields(&stat).next().map(str::to_owned)).collect()
}

/// Whether a thread runs or sleeps, so that it can go on. One in the state `D` waits in the kernel, for example until
/// the child that it has forked starts a program, and stops after that if it was told to; nobody waits for it.
fn is_running(states: &str) -> bool {
    states.contains(['R', 'S'])
}

/// Kills all of them. They are stopped first, so that none forks meanwhile.
pub(super) fn kill(of: Pid) {
    stop(of);
    tell(of, Signal::KILL);
}

/// The resources that all of them use. Exact figures are slow, so they are read only if the rough ones, which count
/// shared memory several times, exceed `enough` bytes, and only for a moment; the rest counts roughly.
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

/// Private and shared memory of a process, in KiB. If its first thread has ended, its other threads are read.
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

/// The same with only its share of shared memory. Older kernels do not report this.
fn exact(pid: Pid) -> Option<u64> {
    let file = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
    sum(Path::new(&file), &["Pss_Anon:", "Pss_Shmem:", "SwapPss:"], "Pss_Anon:")
}

/// The sum of some lines in a file; `None` if the file or one of the lines is missing.
fn sum(file: &Path, names: &[&str; 3], needed: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        names.contains(&words.next()?).then_some(())?;
        words.next()?.parse::<u64>().ok()
    };
    text.lines().any(|line| line.starts_with(needed)).then(|| text.lines().filter_map(of_line).sum())
}

/// The fields in `/proc/<pid>/stat` from the state on. The process name before them may contain anything.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit_once(')').into_iter().flat_map(|(_, fields)| fields.split_whitespace())
}

/// The parent process in `/proc/<pid>/stat`, unless the process has ended. A process whose first thread has ended
/// still runs while it has other threads.
fn parent(stat: &str) -> Option<i32> {
    let words: Vec<&str> = fields(stat).collect();
    let (state, parent) = (words.first()?, words.get(1)?.parse().ok()?);
    let threads: u32 = words.get(17).and_then(|count| count.parse().ok()).unwrap_or(1);
    (!["Z", "X"].contains(state) || threads > 1).then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Command, Stdio};

    #[test]
    fn the_parent_is_found_after_any_process_name() {
        assert_eq!(parent("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (a) R 1 (b) S 8 12"), Some(8));
        assert_eq!(parent("12 (sh) Z 7 12 12 0"), None);
        assert_eq!(parent("nonsense"), None);
        let ended_but_for_a_thread = "12 (sh) Z 7 12 12 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 2 0 99";
        assert_eq!(parent(ended_but_for_a_thread), Some(7));
        assert_eq!(parent(&ended_but_for_a_thread.replace(" 2 0 99", " 1 0 99")), None);
    }

    /// A process that ends with all that it has started, also if a test fails.
    struct Tree(Child);

    impl Tree {
        fn pid(&self) -> Pid {
            Pid::from_child(&self.0)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            kill(self.pid());
            // Fails if it has ended.
            drop(self.0.kill());
            drop(self.0.wait());
        }
    }

    /// A Python program, once it has printed a line.
    fn python(script: &str) -> Tree {
        let mut command = Command::new("python3");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut tree = Tree(command.spawn().unwrap());
        let mut line = String::new();
        BufReader::new(tree.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        tree
    }

    #[test]
    fn what_forks_all_the_time_is_stopped_as_a_whole() {
        // A parent that waits for a child, which forks children that end soon.
        let script = "import os, signal, time\nif os.fork():\n    os.wait()\n    os._exit(0)\n\
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nprint('made', flush=True)\n\
            while True:\n    if os.fork() == 0:\n        time.sleep(0.2)\n        os._exit(0)\n";
        let tree = python(script);
        let pid = tree.pid();
        let (mut missed, mut most) = (Vec::new(), 0);
        for _ in 0..20 {
            stop(pid);
            let stopped = of(pid);
            assert!(!stopped.is_empty(), "what forks has ended");
            most = most.max(stopped.len());
            // What was missed shows meanwhile.
            thread::sleep(Duration::from_millis(50));
            let is_missed = |pid: &Pid| !stopped.contains(pid) || is_running(&states(*pid));
            missed.extend(of(pid).into_iter().filter(is_missed));
            tell(pid, Signal::CONT);
            thread::sleep(Duration::from_millis(5));
        }
        assert!(most > 1, "nothing was forked");
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn shared_memory_counts_in_part() {
        // A parent that shares 64 MiB with a child it forks.
        let script = "import os\nall = bytearray(os.urandom(1 << 20) * 64)\nif os.fork():\n    os.wait()\nelse:\n    print('made', flush=True)\n    input()\n";
        let tree = python(script);
        let pid = tree.pid();
        let (roughly, exactly) = (burden(pid, u64::MAX), burden(pid, 0));
        drop(tree);
        assert_eq!((roughly.processes, exactly.processes), (1, 1), "the child alone descends from it");
        assert!(roughly.bytes >= 64 << 20, "{roughly:?}");
        // Half of the shared memory.
        assert!((24 << 20..56 << 20).contains(&exactly.bytes), "{exactly:?}");
        assert!(of(pid).is_empty());
    }
}
