//! Control groups: with them the kernel itself bounds what the processes of a session use together, files in memory
//! included, and gives each session the same share of the processor.
//!
//! Version 2 where the runner's own group is delegated to it (systemd's `Delegate=`), version 1 where the runner may make
//! groups below its own.

use super::descendants::Burden;
use rustix::process::{Pid, Signal, geteuid, getpid, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Processes and threads that a session may have for each process that it may have: the runner ends a session with too
/// many processes, with a reason, before the kernel makes no more.
const TASKS_PER_PROCESS: usize = 4;
const TASKS_MIN: usize = 4_096;
/// CPU weight, a fifth of the default of 100 (version 2) or 1,024 (version 1).
const WEIGHT: u32 = 20;
const SHARES: u32 = 205;
/// The period in which the kernel counts processor time, in microseconds.
const PERIOD: u32 = 100_000;
/// The name of the runner's own group: in version 2, a group with processes has no limits for groups below it.
const OWN: &str = "runner";
/// How long to wait until the processes of a group have ended.
const ENDING: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(10);

/// The limits of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) most: Burden,
    /// Thousandths of a processor.
    pub(super) cpus: Option<u32>,
}

/// Where groups can be made.
#[derive(Debug)]
pub(super) struct Groups {
    version: u8,
    hierarchies: Vec<Hierarchy>,
    runner: Runner,
    /// How many were made: their names differ.
    made: AtomicU32,
}

/// Who makes groups, as their names say: runners with different pid namespaces may share a folder of groups, and know
/// nothing of one another's processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Runner {
    pid: u32,
    /// The number of its pid namespace.
    namespace: u64,
}

/// One of the trees of groups: version 2 has one for everything, version 1 one for each controller.
#[derive(Debug)]
struct Hierarchy {
    /// The group of the runner.
    own: PathBuf,
    /// The group below which those of sessions are made.
    parent: PathBuf,
    /// What each of them has.
    limits: Vec<Limit>,
    /// The file that counts the processes that were killed because memory was used up.
    kills: Option<&'static str>,
}

#[derive(Debug)]
struct Limit {
    file: &'static str,
    value: String,
    /// Whether there are kernels without it, on which groups are still worth having.
    is_optional: bool,
}

/// Reads a number of processors such as `1.5`, for [`Limits::cpus`].
///
/// # Errors
/// If it is none from 0.1 to 1,024, or has more than three decimals.
pub(super) fn cpus(text: &str) -> Result<u32, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{part:0<3}");
    let read = (is_number(whole) && is_number(part) && part.len() <= 3)
        .then(|| whole.parse::<u32>().ok()?.checked_mul(1_000)?.checked_add(thousandths.parse().ok()?));
    let read = read.flatten().filter(|cpus| (100..=1_024_000).contains(cpus));
    read.ok_or_else(|| "expected a number of processors from 0.1 to 1024, such as 2 or 1.5".to_owned())
}

impl Limit {
    fn new(file: &'static str, value: impl ToString) -> Self {
        Self { file, value: value.to_string(), is_optional: false }
    }

    fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }
}

impl Groups {
    /// Finds out where groups can be made, and makes one to see whether that works.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn find(limits: Limits) -> Result<Self, String> {
        let own = fs::read_to_string("/proc/self/cgroup").map_err(|error| error.to_string())?;
        let found = Self::below(Path::new("/sys/fs/cgroup"), &own, limits)?;
        let return_home = || found.hierarchies.iter().try_for_each(|hierarchy| enter(&hierarchy.own));
        // Whether there is a way back.
        return_home()?;
        let group = found.make()?;
        // The whole process, for a moment.
        let tried = group.places.iter().try_for_each(|place| enter(&place.folder));
        return_home()?;
        tried?;
        drop(group);
        Ok(found)
    }

    /// `own` names the runner's groups, as `/proc/self/cgroup` does.
    fn below(top: &Path, own: &str, limits: Limits) -> Result<Self, String> {
        let second = version_2(top, own, limits).map(|one| (2, vec![one]));
        let (version, hierarchies) = second.or_else(|why| match version_1(top, own, limits) {
            Some(several) => Ok((1, several)),
            None => Err(why),
        })?;
        let found = Self { version, hierarchies, runner: Runner::this(), made: AtomicU32::new(0) };
        found.remove_left();
        Ok(found)
    }

    pub(super) fn version(&self) -> u8 {
        self.version
    }

    /// Makes a group with the limits of a session.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub(super) fn make(&self) -> Result<Group, String> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = self.runner.group(number);
        let mut group = Group { places: Vec::new(), kills: None };
        for hierarchy in &self.hierarchies {
            let folder = hierarchy.parent.join(&name);
            fs::create_dir(&folder).map_err(|error| fault(&folder, &error))?;
            group.places.push(GroupFolder { folder: folder.clone(), home: hierarchy.own.clone() });
            for limit in &hierarchy.limits {
                let file = folder.join(limit.file);
                match fs::write(&file, &limit.value) {
                    Err(error) if !limit.is_optional => return Err(fault(&file, &error)),
                    _ => {}
                }
            }
            if let Some(file) = hierarchy.kills {
                group.kills = Some(folder.join(file));
            }
        }
        Ok(group)
    }

    /// Removes the groups that runners have left which were killed: this one has made none yet. Those of another pid
    /// namespace stay, even without processes: their runner may be about to enter them.
    fn remove_left(&self) {
        for hierarchy in &self.hierarchies {
            for entry in fs::read_dir(&hierarchy.parent).into_iter().flatten().flatten() {
                let maker = entry.file_name().to_str().and_then(Runner::of);
                let is_visible = |maker: &Runner| maker.namespace == self.runner.namespace;
                if maker.filter(is_visible).is_some_and(|maker| maker == self.runner || !maker.is_alive()) {
                    end(&entry.path());
                }
            }
        }
    }
}

impl Runner {
    fn this() -> Self {
        let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        Self { pid: std::process::id(), namespace: link.to_str().and_then(namespace).unwrap_or(0) }
    }

    /// The name of one of its groups.
    fn group(self, number: u32) -> String {
        format!("mayday-{}-{}-{number}", self.pid, self.namespace)
    }

    /// The runner that made the group with this name.
    fn of(group: &str) -> Option<Self> {
        let [pid, namespace, _] = group.strip_prefix("mayday-")?.split('-').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Self { pid: pid.parse().ok()?, namespace: namespace.parse().ok()? })
    }

    /// Whether it runs, if it is of this process's pid namespace.
    fn is_alive(self) -> bool {
        Path::new("/proc").join(self.pid.to_string()).exists()
    }
}

/// The number of a namespace, of a link such as `pid:[4026531836]`.
fn namespace(link: &str) -> Option<u64> {
    link.strip_prefix("pid:[")?.strip_suffix(']')?.parse().ok()
}

/// The groups of version 2, which needs the runner in a group of its own beside those of sessions.
fn version_2(top: &Path, own: &str, limits: Limits) -> Result<Hierarchy, String> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::")).ok_or("there are none")?;
    let parent = top.join(path.trim_start_matches('/'));
    let file = parent.join("cgroup.controllers");
    let controllers = fs::read_to_string(&file).map_err(|error| fault(&file, &error))?;
    let has = |name: &str| controllers.split_whitespace().any(|controller| controller == name);
    if let Some(missing) = ["memory", "pids"].into_iter().find(|name| !has(name)) {
        return Err(format!("{} is not given the controller `{missing}`", parent.display()));
    }
    if is_systemds(&parent, top) {
        return Err(format!("systemd does not leave {} to the runner (Delegate=)", parent.display()));
    }
    let cpu = if has("cpu") { " +cpu" } else { "" };
    let own = parent.join(OWN);
    let made = fs::create_dir(&own);
    made.or_else(|error| if own.is_dir() { Ok(()) } else { Err(fault(&own, &error)) })?;
    enter(&own)?;
    let file = parent.join("cgroup.subtree_control");
    if let Err(error) = fs::write(&file, format!("+memory +pids{cpu}")) {
        // As if nothing had been tried.
        let _ = enter(&parent);
        let _ = fs::remove_dir(&own);
        return Err(fault(&file, &error));
    }
    let mut all = vec![
        Limit::new("memory.max", limits.most.bytes),
        Limit::new("memory.swap.max", 0).optional(),
        Limit::new("pids.max", tasks(limits)),
        Limit::new("cpu.weight", WEIGHT).optional(),
    ];
    all.extend(quota(limits).map(|quota| Limit::new("cpu.max", format!("{quota} {PERIOD}"))));
    Ok(Hierarchy { own, parent, limits: all, kills: Some("memory.events") })
}

/// Whether systemd manages what is below a group, and root may write there even so. It leaves a mark where it does not.
fn is_systemds(group: &Path, top: &Path) -> bool {
    let is_marked = |mark: &str| {
        let mut value = [0_u8; 1];
        rustix::fs::getxattr(group, mark, &mut value).is_ok_and(|length| &value[..length] == b"1")
    };
    let has_systemd = Path::new("/run/systemd/system").exists() && group != top;
    has_systemd && geteuid().is_root() && !["trusted.delegate", "user.delegate"].into_iter().any(is_marked)
}

/// The groups of version 1; `None` unless memory, tasks and the processor can all be bounded.
fn version_1(top: &Path, own: &str, limits: Limits) -> Option<Vec<Hierarchy>> {
    let bytes = limits.most.bytes;
    let memory = vec![
        Limit::new("memory.limit_in_bytes", bytes),
        Limit::new("memory.memsw.limit_in_bytes", bytes).optional(),
    ];
    let mut cpu = vec![Limit::new("cpu.shares", SHARES)];
    cpu.extend(quota(limits).map(|quota| Limit::new("cpu.cfs_quota_us", quota)));
    let hierarchy = |controller: &str, limits: Vec<Limit>, kills: Option<&'static str>| {
        let path = own.lines().find_map(|line| {
            let [_, names, path] = line.splitn(3, ':').collect::<Vec<_>>()[..] else { return None };
            names.split(',').any(|name| name == controller).then_some(path)
        })?;
        let own = top.join(controller).join(path.trim_start_matches('/'));
        own.is_dir().then(|| Hierarchy { parent: own.clone(), own, limits, kills })
    };
    Some(vec![
        hierarchy("memory", memory, Some("memory.oom_control"))?,
        hierarchy("pids", vec![Limit::new("pids.max", tasks(limits))], None)?,
        hierarchy("cpu", cpu, None)?,
    ])
}

fn tasks(limits: Limits) -> usize {
    limits.most.processes.saturating_mul(TASKS_PER_PROCESS).max(TASKS_MIN)
}

/// Microseconds of processor time in each period.
fn quota(limits: Limits) -> Option<u64> {
    limits.cpus.map(|cpus| u64::from(cpus) * u64::from(PERIOD / 1_000))
}

/// Moves this process into a group.
pub(super) fn enter(group: &Path) -> Result<(), String> {
    let file = group.join("cgroup.procs");
    fs::write(&file, "0").map_err(|error| fault(&file, &error))
}

fn fault(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The group of a running command. Nothing in it survives it.
#[derive(Debug)]
pub(super) struct Group {
    places: Vec<GroupFolder>,
    /// The file that counts what was killed because memory was used up.
    kills: Option<PathBuf>,
}

#[derive(Debug)]
struct GroupFolder {
    folder: PathBuf,
    /// Where the process that enters it for a moment belongs.
    home: PathBuf,
}

impl Group {
    /// The folders of its own, each with that of the runner's group.
    pub(super) fn places(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.places.iter().map(|place| (place.folder.as_path(), place.home.as_path()))
    }

    /// The file for [`kills`].
    pub(super) fn kills(&self) -> Option<&Path> {
        self.kills.as_deref()
    }
}

/// How many processes the kernel has killed because their group had used up its memory, by the file that counts them.
pub(super) fn kills(file: &Path) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let count = |name: &str| -> Option<u64> {
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
    };
    // In version 2, kills because the machine's memory was used up count, too.
    if count("oom") == Some(0) { 0 } else { count("oom_kill").unwrap_or(0) }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.places.iter().for_each(|place| end(&place.folder));
    }
}

/// Kills what is in a group, and removes it; says so if that is not possible.
fn end(group: &Path) {
    if let Some(text) = left(group, ENDING) {
        crate::cli::note(&text);
    }
}

/// Kills what is in a group, and removes it; what to tell people if it is still there after a while.
fn left(group: &Path, patience: Duration) -> Option<String> {
    let until = Instant::now() + patience;
    while !remove(group) {
        if !kill_all(group) {
            return None;
        }
        if Instant::now() >= until {
            let folder = group.display();
            return Some(format!(
                "The control group {folder} cannot be removed yet: the next start of a runner removes it, unless \
                 that is in another container (pid namespace)."
            ));
        }
        thread::sleep(LOOK);
    }
    None
}

/// Removes a group with those below it, which an agent that is not in a room may have made; whether it is gone.
fn remove(group: &Path) -> bool {
    for group in below(group) {
        remove(&group);
    }
    fs::remove_dir(group).is_ok()
}

/// Kills what is in a group or below it; whether there is such a group.
fn kill_all(group: &Path) -> bool {
    for group in below(group) {
        kill_all(&group);
    }
    let Ok(all) = fs::read_to_string(group.join("cgroup.procs")) else { return false };
    for pid in all.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
        if pid != getpid() {
            // Fails if it has just ended.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    true
}

fn below(group: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(group).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(test)]
mod tests;
