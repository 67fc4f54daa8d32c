//! A room for an agent: a bubblewrap sandbox with its own namespaces. Of what is written in it, only the agent's work
//! remains; the runner's [`proxy`] is the only way out; and it contains no secrets.

mod counted;
mod door;
mod filter;
pub(super) mod models;
pub(super) mod proxy;
pub(super) mod refused;
mod requests;
mod tally;
mod tunnel;
pub(super) mod usage;

pub(in crate::cli) use door::{Door, run as run_door};

use super::descendants::Burden;
use super::workspace::Places;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The subcommand for the first process of a room.
pub(in crate::cli) const DOOR: &str = "runner-room";
/// The socket of the proxy, to which the door connects.
const SOCKET: &str = "/run/mayday/proxy";
const PROGRAM: &str = "/run/mayday/mayday";
const HOME: &str = "/home/agent";
/// The proxy's port on the room's own loopback.
pub(super) const PORT: u16 = 3128;
/// The room's own hosts (see [`OWN_ETC`]): programs in it talk to one another.
const OWN_HOSTS: &str = "127.0.0.1,localhost,.localhost,room,::1,[::1],0.0.0.0";
/// The most bytes of each folder that is in memory alone: the home and `/tmp`. A fourth of a session's memory, if that is less.
const MEMORY_FOLDER_MAX: u64 = 1 << 30;
/// The room's only user.
const USER: u32 = 1000;
/// System directories with programs, libraries and what they read. Links (`/bin` on most systems) stay links.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];
/// Files in `/etc` that programs need. Others may contain secrets.
const ETC: [&str; 20] = [
    "alternatives",
    "ca-certificates",
    "crypto-policies",
    "debian_version",
    "fonts",
    "gradle",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "maven",
    "mime.types",
    "os-release",
    "php",
    "pki/ca-trust",
    "pki/tls/cert.pem",
    "pki/tls/certs",
    "ssl/cert.pem",
    "ssl/certs",
    "ssl/openssl.cnf",
];

/// Files in `/etc` that are written for rooms.
const OWN_ETC: [(&str, &str); 4] = [
    ("passwd", "agent:x:1000:1000:agent:/home/agent:/bin/sh\n"),
    ("group", "agent:x:1000:\n"),
    ("hosts", "127.0.0.1 localhost room\n::1 localhost\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// The files with the programs of [`filter`].
const FILTERS: [&str; 2] = ["refused.bpf", "unknown.bpf"];

/// What all rooms of a runner share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rooms {
    bwrap: PathBuf,
    /// This program.
    program: PathBuf,
    /// Directories that agents may read besides the system's: those in the `PATH`, and those that the operator names.
    tools: Vec<PathBuf>,
    path: String,
    /// The runner's directory.
    work_dir: PathBuf,
    /// The directory with [`OWN_ETC`] and [`FILTERS`].
    own: PathBuf,
    /// The resource limits of a session.
    most: Burden,
}

impl Rooms {
    /// Finds what rooms need on this machine, writes their files to the runner's directory, and tests a room. `reads`
    /// has the directories that the operator lets agents read.
    ///
    /// # Errors
    /// If bubblewrap is missing or cannot create a room here, or the disk fails.
    pub(super) fn find(work_dir: &Path, reads: &[PathBuf], most: Burden) -> Result<Self, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> =
            std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        let bwrap = folders.iter().map(|folder| folder.join("bwrap")).find(|program| program.is_file());
        let bwrap = bwrap.ok_or("bubblewrap is not installed (apt-get install bubblewrap)")?;
        let program = std::env::current_exe().map_err(|error| format!("this program's own path: {error}"))?;
        let fault = |error: std::io::Error| format!("--work-dir: {}: {error}", work_dir.display());
        let own = own_files(work_dir)?.canonicalize().map_err(fault)?;
        let work_dir = own.parent().unwrap_or(work_dir).to_owned();
        let is_of_system = |folder: &Path| SYSTEM.iter().any(|system| folder.starts_with(system));
        let of_path = folders.iter().filter(|folder| !is_of_system(folder) && folder.is_dir());
        let tools = of_path.chain(reads).map(|folder| std::path::absolute(folder).map_err(fault));
        let tools = tools.collect::<Result<_, _>>()?;
        let path = path.to_string_lossy().into_owned();
        let rooms = Self { bwrap, program, tools, path, work_dir, own, most };
        rooms.run("true").map_err(|said| format!("bubblewrap makes no rooms on this machine ({said})"))?;
        Ok(rooms)
    }

    /// Whether a program is available in rooms.
    pub(super) fn have(&self, program: &str) -> bool {
        self.run(&format!("command -v '{program}'")).is_ok()
    }

    /// Runs a short command in a room without a checkout.
    ///
    /// # Errors
    /// The command's output, if it fails.
    fn run(&self, shell: &str) -> Result<(), String> {
        let folder = self.own.join("try");
        let (run, given, proxy) = (folder.join("work"), folder.join("given"), folder.join("proxy"));
        let made = [&run, &given].into_iter().try_for_each(fs::create_dir_all);
        made.and_then(|()| fs::write(&proxy, "")).map_err(|error| error.to_string())?;
        let places = Places {
            run: &run,
            given: &given,
            repo: &run,
            instructions: &given,
            context: &given,
            result: &run,
            lent: None,
        };
        let mut environment = BTreeMap::new();
        let words = self.command(shell, &mut environment, &places, (&proxy, None));
        let mut command = std::process::Command::new(&words[0]);
        let output = command.args(&words[1..]).env_clear().envs(&environment).stdin(Stdio::null()).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        Err(crate::text::line(&String::from_utf8_lossy(&output.stderr), 300))
    }

    /// The command that runs a shell command in a room; adds what the room needs to the agent's environment. Start it
    /// with exactly that environment, because the room's first process reveals the environment of bubblewrap.
    /// `cpu_seconds` is how much processor time each of its processes may use.
    pub(super) fn command(
        &self,
        shell: &str,
        environment: &mut BTreeMap<String, String>,
        places: &Places<'_>,
        (proxy, cpu_seconds): (&Path, Option<u64>),
    ) -> Vec<String> {
        let mut words = Words(Vec::new());
        // The seccomp programs are passed as open files.
        words.add(["/bin/sh", "-c", r#"exec 8< "$0" 9< "$1"; shift; exec "$@""#]);
        FILTERS.iter().for_each(|name| words.add([text(&self.own.join(name)).as_str()]));
        words.add([text(&self.bwrap).as_str(), "--add-seccomp-fd", "8", "--add-seccomp-fd", "9"]);
        words.add([
            "--unshare-user",
            "--unshare-all",
            "--disable-userns",
            "--new-session",
            "--hostname",
            "room",
        ]);
        let user = USER.to_string();
        words.add(["--uid", &user, "--gid", &user]);
        add_system(&mut words);
        for (name, _) in OWN_ETC {
            words.add(["--ro-bind", &text(&self.own.join(name)), &format!("/etc/{name}")]);
        }
        words.add(["--proc", "/proc", "--dev", "/dev"]);
        let size = MEMORY_FOLDER_MAX.min(self.most.bytes / 4).to_string();
        for folder in ["/tmp", "/var/tmp", "/dev/shm", HOME] {
            words.add(["--size", &size, "--tmpfs", folder]);
        }
        self.tools.iter().for_each(|folder| words.same("--ro-bind-try", folder));
        // Hides the runner's directory, which has other sessions and mirrors.
        words.add(["--size", &size, "--tmpfs", &text(&self.work_dir)]);
        words.same("--bind", places.run);
        for folder in places.lent.into_iter().chain([places.given]) {
            words.same("--ro-bind", folder);
        }
        words.add(["--ro-bind", &text(proxy), SOCKET, "--ro-bind", &text(&self.program), PROGRAM]);
        environment.extend(self.own_environment());
        // The root is in memory, and nothing needs to write there.
        words.add(["--remount-ro", "/"]);
        words.add(["--chdir", &text(places.repo), "--", PROGRAM, DOOR]);
        words.add(["--processes", &self.most.processes.to_string()]);
        if let Some(seconds) = cpu_seconds {
            words.add(["--cpu-seconds", &seconds.to_string()]);
        }
        words.add(["--", "/bin/sh", "-c", shell]);
        words.0
    }

    fn own_environment(&self) -> BTreeMap<String, String> {
        let proxy = format!("http://127.0.0.1:{PORT}");
        let own = [
            ("PATH", self.path.as_str()),
            ("HOME", HOME),
            ("USER", "agent"),
            ("TMPDIR", "/tmp"),
            ("HTTPS_PROXY", &proxy),
            ("https_proxy", &proxy),
            // It carries no http: whoever tries that is refused in words, and people see it.
            ("HTTP_PROXY", &proxy),
            ("http_proxy", &proxy),
            ("NO_PROXY", OWN_HOSTS),
            ("no_proxy", OWN_HOSTS),
        ];
        own.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }
}

/// Writes the files that all rooms use.
fn own_files(work_dir: &Path) -> Result<PathBuf, String> {
    let own = work_dir.join("room");
    let fault = |error: std::io::Error| format!("--work-dir: {}: {error}", own.display());
    fs::create_dir_all(&own).map_err(fault)?;
    for (name, content) in OWN_ETC {
        fs::write(own.join(name), content).map_err(fault)?;
    }
    for (name, program) in FILTERS.iter().zip(filter::programs()?) {
        fs::write(own.join(name), program).map_err(fault)?;
    }
    Ok(own)
}

/// Adds the machine's programs and libraries.
fn add_system(words: &mut Words) {
    for folder in SYSTEM {
        match fs::read_link(folder) {
            Ok(target) => words.add(["--symlink", &text(&target), folder]),
            Err(_) => words.same("--ro-bind-try", Path::new(folder)),
        }
    }
    for name in ETC {
        words.same("--ro-bind-try", &Path::new("/etc").join(name));
    }
    for entry in fs::read_dir("/etc").into_iter().flatten().flatten() {
        // For example `java-17-openjdk`.
        if entry.file_name().to_string_lossy().starts_with("java") {
            words.same("--ro-bind-try", &entry.path());
        }
    }
}

/// The words of a command line.
struct Words(Vec<String>);

impl Words {
    fn add<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.0.extend(words.into_iter().map(str::to_owned));
    }

    /// Mounts a path at the same place as outside.
    fn same(&mut self, how: &str, path: &Path) {
        let path = text(path);
        self.add([how, &path, &path]);
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
