//! Measures the resources of an agent's processes, and kills those that exceed their limits.

use crate::cli::runner::descendants::{self, Burden};
use crate::cli::runner::groups;
use crate::cli::runner::process::Process;
use rustix::process::Pid;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The interval between measurements, unless they take long.
const WEIGH: Duration = Duration::from_millis(200);
const WEIGH_MAX: Duration = Duration::from_secs(3);

/// Measures the agent's processes from time to time.
pub(super) struct Load {
    most: Burden,
    root: Pid,
    /// The file that counts what the kernel killed.
    kills: Option<PathBuf>,
    next: Instant,
}

impl Load {
    pub(super) fn new(most: Burden, process: &Process) -> Self {
        let kills = process.group().and_then(|group| group.kills()).map(Into::into);
        Self { most, root: process.root(), kills, next: Instant::now() }
    }

    /// The exceeded limit, if known. Then the processes are killed at once, because they may grow faster than they
    /// would end.
    pub(super) fn is_too_much(&mut self) -> Option<String> {
        let why = self.why()?;
        descendants::kill(self.root);
        Some(why)
    }

    /// Whether the kernel has killed one of them because they had used up their memory, in words.
    pub(super) fn used_up(&self) -> Option<String> {
        (groups::kills(self.kills.as_deref()?) > 0).then(|| self.memory())
    }

    fn memory(&self) -> String {
        let most = crate::text::bytes(self.most.bytes);
        format!("its processes have more than {most} of memory, the limit of this runner (--max-memory-mb)")
    }

    fn why(&mut self) -> Option<String> {
        let started = Instant::now();
        if started < self.next {
            return None;
        }
        if let Some(why) = self.used_up() {
            return Some(why);
        }
        let Burden { processes, bytes } = descendants::burden(self.root, self.most.bytes);
        self.next = Instant::now() + (started.elapsed() * 20).clamp(WEIGH, WEIGH_MAX);
        if bytes > self.most.bytes {
            return Some(self.memory());
        }
        (processes > self.most.processes).then(|| {
            format!(
                "it has more than {} processes, the limit of this runner (--max-processes)",
                self.most.processes
            )
        })
    }
}
