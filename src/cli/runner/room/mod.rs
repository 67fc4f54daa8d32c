//! A room for an agent: bubblewrap with namespaces of its own. Its work is all that lasts of what is written in it, the runner's
//! [`proxy`] is the only way out, and nothing in it is a secret.

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

/// The subcommand that is the first process of a room.
pub(in crate::cli) const DOOR: &str = "runner-room";
/// Where the door leads: to the proxy.
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
/// Folders of the system with programs, libraries and what they read; links (`/bin` on most systems) stay links.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];
/// What programs look for in `/etc`. Whatever else is there may hold secrets.
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

/// Files of `/etc` that rooms have of their own.
const OWN_ETC: [(&str, &str); 4] = [
    ("passwd", "agent:x:1000:1000:agent:/home/agent:/bin/sh\n"),
    ("group", "agent:x:1000:\n"),
    ("hosts", "127.0.0.1 localhost room\n::1 localhost\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// Files with the programs of [`filter`].
const FILTERS: [&str; 2] = ["refused.bpf", "unknown.bpf"];

/// What rooms of a runner have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rooms {
    bwrap: PathBuf,
    /// This program.
    program: PathBuf,
    /// Folders that agents may read beside the system's: those of the `PATH` and what the operator names.
    tools: Vec<PathBuf>,
    path: String,
    /// The runner's directory.
    work_dir: PathBuf,
    /// The folder of [`OWN_ETC`] and [`FILTERS`].
    own: PathBuf,
    /// What a session may take.
    most: Burden,
}

impl Rooms {
    /// Looks for what rooms need on this machine, and makes one; what they have of their own is put into the runner's
    /// directory. `reads`: folders that the operator lets agents read.
    ///
    /// # Errors
    /// If bubblewrap is not installed or makes no room here, or the disk refuses.
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

    /// Whether rooms have a program.
    pub(super) fn have(&self, program: &str) -> bool {
        self.run(&format!("command -v '{program}'")).is_ok()
    }

    /// Runs something short in a room with nothing to work on.
    ///
    /// # Errors
    /// What was said, if it fails.
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
        let words = self.command(shell, &mut environment, &places, &proxy);
        let mut command = std::process::Command::new(&words[0]);
        let output = command.args(&words[1..]).env_clear().envs(&environment).stdin(Stdio::null()).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        Err(crate::text::line(&String::from_utf8_lossy(&output.stderr), 300))
    }

    /// The command that runs a shell command in a room, and adds to the agent's environment what it needs there. It has to be
    /// started with that environment and nothing else: the room's first process shows what bubblewrap was started with.
    pub(super) fn command(
        &self,
        shell: &str,
        environment: &mut BTreeMap<String, String>,
        places: &Places<'_>,
        proxy: &Path,
    ) -> Vec<String> {
        let mut words = Words(Vec::new());
        // Files with filters of system calls are handed over open.
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
        // Wherever the runner's directory is: other sessions and mirrors are in it.
        words.add(["--size", &size, "--tmpfs", &text(&self.work_dir)]);
        words.same("--bind", places.run);
        for folder in places.lent.into_iter().chain([places.given]) {
            words.same("--ro-bind", folder);
        }
        words.add(["--ro-bind", &text(proxy), SOCKET, "--ro-bind", &text(&self.program), PROGRAM]);
        environment.extend(self.own_environment());
        // What there is of the root is in memory, and nobody has to write there.
        words.add(["--remount-ro", "/"]);
        words.add(["--chdir", &text(places.repo), "--", PROGRAM, DOOR]);
        words.add(["--processes", &self.most.processes.to_string(), "--", "/bin/sh", "-c", shell]);
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

/// Writes the files that rooms have of their own.
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

/// Programs and libraries of the machine.
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
        // `java-17-openjdk`, for example.
        if entry.file_name().to_string_lossy().starts_with("java") {
            words.same("--ro-bind-try", &entry.path());
        }
    }
}

/// The words of a command.
struct Words(Vec<String>);

impl Words {
    fn add<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.0.extend(words.into_iter().map(str::to_owned));
    }

    /// Something that is where it is outside.
    fn same(&mut self, how: &str, path: &Path) {
        let path = text(path);
        self.add([how, &path, &path]);
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
