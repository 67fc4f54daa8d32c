//! A room for an agent: bubblewrap with namespaces of its own. Its work is all that lasts of what is written in it, the runner's
//! [`proxy`] is the only way out, and nothing in it is a secret.

mod door;
pub(super) mod models;
pub(super) mod proxy;
mod requests;

pub(in crate::cli) use door::{Door, run as run_door};

use super::workspace::Places;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The subcommand that is the first process of a room.
pub(in crate::cli) const DOOR: &str = "runner-room";
/// Where the door leads: to the proxy.
const SOCKET: &str = "/run/mayday/proxy";
const PROGRAM: &str = "/run/mayday/mayday";
const HOME: &str = "/home/agent";
/// The proxy's port on the room's own loopback.
pub(super) const PORT: u16 = 3128;
/// Bytes of each folder that is in memory alone: the home and `/tmp`.
const MEMORY_FOLDER: u64 = 1 << 30;
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
    /// The folder of [`OWN_ETC`].
    etc: PathBuf,
}

impl Rooms {
    /// Looks for what rooms need on this machine; what they have of their own is put into the runner's directory.
    ///
    /// # Errors
    /// If bubblewrap is not installed, or the disk refuses.
    pub(super) fn find(work_dir: &Path) -> Result<Self, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> =
            std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        let bwrap = folders.iter().map(|folder| folder.join("bwrap")).find(|program| program.is_file());
        let bwrap = bwrap.ok_or("bubblewrap is not installed (apt-get install bubblewrap)")?;
        try_out(&bwrap)?;
        let program = std::env::current_exe().map_err(|error| format!("this program's own path: {error}"))?;
        let is_of_system = |folder: &Path| SYSTEM.iter().any(|system| folder.starts_with(system));
        let tools =
            folders.iter().filter(|folder| !is_of_system(folder) && folder.is_dir()).cloned().collect();
        let etc =
            own_etc(work_dir).map_err(|error| format!("--work-dir: {}: {error}", work_dir.display()))?;
        let work_dir = etc.parent().unwrap_or(work_dir).to_owned();
        Ok(Self { bwrap, program, tools, path: path.to_string_lossy().into_owned(), work_dir, etc })
    }

    /// The same with folders that the operator lets agents read.
    pub(super) fn reading(mut self, folders: &[PathBuf]) -> Self {
        self.tools.extend_from_slice(folders);
        self
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
        let mut words = Words(vec![text(&self.bwrap)]);
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
            words.add(["--ro-bind", &text(&self.etc.join(name)), &format!("/etc/{name}")]);
        }
        words.add(["--proc", "/proc", "--dev", "/dev"]);
        let size = MEMORY_FOLDER.to_string();
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
        words.add(["--chdir", &text(places.repo), "--", PROGRAM, DOOR, "--", "/bin/sh", "-c", shell]);
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
            ("NO_PROXY", "127.0.0.1,localhost"),
            ("no_proxy", "127.0.0.1,localhost"),
        ];
        own.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }
}

/// Makes a room for nothing: a container, for example, may not.
fn try_out(bwrap: &Path) -> Result<(), String> {
    let mut command = std::process::Command::new(bwrap);
    command.args(["--unshare-user", "--unshare-all", "--disable-userns", "--ro-bind", "/", "/"]);
    command.args(["--proc", "/proc", "--dev", "/dev", "true"]);
    let output = command.env_clear().output().map_err(|error| format!("{}: {error}", bwrap.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = crate::text::line(&String::from_utf8_lossy(&output.stderr), 300);
    Err(format!("bubblewrap makes no rooms on this machine ({said})"))
}

/// Writes the files that rooms have of their own.
fn own_etc(work_dir: &Path) -> std::io::Result<PathBuf> {
    let etc = work_dir.join("room");
    fs::create_dir_all(&etc)?;
    for (name, content) in OWN_ETC {
        fs::write(etc.join(name), content)?;
    }
    etc.canonicalize()
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
