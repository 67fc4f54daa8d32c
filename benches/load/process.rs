//! What the system says of a process: CPU time and memory.

use crate::Result;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Ticks a second in `/proc`: the same on every Linux that programs can see.
const TICKS: f64 = 100.0;
const SAMPLE_EVERY: Duration = Duration::from_millis(100);

/// User and system time of all threads, in seconds; of this process with 0.
pub(crate) fn cpu_seconds(pid: u32) -> Result<f64> {
    let name = if pid == 0 { "self".to_owned() } else { pid.to_string() };
    let stat = fs::read_to_string(format!("/proc/{name}/stat"))?;
    let (_, fields) = stat.rsplit_once(") ").ok_or("an unknown form of /proc/PID/stat")?;
    let mut times = fields.split(' ').skip(11).map(str::parse::<f64>);
    let mut next = || times.next().ok_or("a short /proc/PID/stat");
    Ok((next()?? + next()??) / TICKS)
}

/// Proportional set size, in bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Memory {
    pub(crate) all: u64,
    /// Mapped files: page cache that the system takes back when it needs it.
    pub(crate) files: u64,
}

pub(crate) fn memory(pid: u32) -> Result<Memory> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) << 10
    };
    Ok(Memory { all: field("Pss:"), files: field("Pss_File:") })
}

/// Watches a process's memory until dropped.
pub(crate) struct Sampler {
    peak: Arc<AtomicU64>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sampler {
    pub(crate) fn start(pid: u32) -> Self {
        let (peak, stopping) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (highest, stop) = (peak.clone(), stopping.clone());
        let thread = std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                if let Ok(memory) = memory(pid) {
                    highest.fetch_max(memory.all, Ordering::Relaxed);
                }
                std::thread::sleep(SAMPLE_EVERY);
            }
        });
        Self { peak, stopping, thread: Some(thread) }
    }

    /// The most that was seen, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
