//! Code hosts as they are: git over https behind a password, and over ssh with a key.

mod merged;

use super::Shop;
use super::machine::Machine;
use super::sandbox::has_rooms;
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Value, eventually, json};
use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const PASSWORD: &str = "canary-of-the-host";
/// An agent that looks everywhere for the credential of its code host, prints it backwards, so that nothing is
/// filtered from its output, and then fixes something.
const SEEKS: &str = r#"
{
    all=$(cat /proc/*/environ 2>/dev/null | tr '\0' '\n')
    echo "$all"
    for file in $(echo "$all" | sed -n 's/^GIT_CONFIG_GLOBAL=//p; s/^GIT_SSH_COMMAND=.* -i \([^ ]*\) .*/\1/p' | sort -u); do
        # Not in /dev, which other processes name: reading that never ends.
        case $file in */mayday-code-host-*) cat "$file" "${file%/*}"/* ;; esac
    done
    cat "$HOME/.git-credentials" "$HOME/.gitconfig" "$HOME"/.ssh/* .git/config
    git config --list
    for host in $(git remote get-url origin); do echo "url=$host" | GIT_TERMINAL_PROMPT=0 git credential fill; done
} 2>/dev/null | grep -e canary-of -e 'PRIVATE KEY' | rev
echo "// mended" >> src/cart.mjs
"#;

/// A program that serves a repository.
struct Host {
    child: Child,
    port: u16,
    /// Files that only the runner and the host may know.
    dir: TempDir,
}

impl Drop for Host {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the code host's log ---\n{}", self.log());
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Host {
    fn https(shop: &Shop) -> Self {
        let dir = dir();
        let at = |name: &str| dir.path().join(name);
        let key =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        let name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
        made(
            Command::new("openssl")
                .args(key)
                .args(name)
                .arg("-keyout")
                .arg(at("key"))
                .arg("-out")
                .arg(at("certificate")),
        );
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/runner/code_hosts/https.py");
        let mut command = Command::new("python3");
        command.args([Path::new(script), shop.dir.path(), &at("certificate"), &at("key")]);
        command.arg(format!("runner:{PASSWORD}")).arg(at("log"));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, port: line.trim().parse().expect("a port"), dir }
    }

    /// `None` on a machine without an ssh server, unless one is required.
    fn ssh() -> Option<Self> {
        let Some(program) = sshd() else {
            assert!(std::env::var("CI").is_err(), "openssh-server is missing");
            eprintln!("not tried: there is no sshd on this machine");
            return None;
        };
        let dir = dir();
        let at = |name: &str| dir.path().join(name);
        for name in ["host", "user", "stranger"] {
            made(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(at(name)));
        }
        fs::copy(at("user.pub"), at("authorized")).unwrap();
        if rustix::process::getuid().is_root() {
            fs::create_dir_all("/run/sshd").unwrap();
        }
        // sshd does not report a port that it chose itself, and another process may take a free one.
        let mut dir = Some(dir);
        let host = (0..5).find_map(|_| Self::ssh_at(program, &mut dir)).expect("a server for ssh");
        let key = fs::read_to_string(host.at("host.pub")).unwrap();
        fs::write(host.at("known"), format!("[127.0.0.1]:{} {key}", host.port)).unwrap();
        Some(host)
    }

    /// One on a port that was just free; `None` if it no longer was.
    fn ssh_at(program: &str, dir: &mut Option<TempDir>) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let at = |name: &str| dir.as_ref().unwrap().path().join(name);
        let lines = format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nPermitRootLogin prohibit-password\n",
            at("host").display(),
            at("authorized").display()
        );
        fs::write(at("sshd_config"), lines).unwrap();
        let log = fs::File::create(at("log")).unwrap();
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f"]).arg(at("sshd_config")).stderr(log);
        let mut child = command.spawn().unwrap();
        let listens = eventually("the code host", || {
            let said = fs::read_to_string(at("log")).unwrap().contains("Server listening");
            if said { Some(true) } else { child.try_wait().unwrap().map(|_| false) }
        });
        listens.then(|| Self { child, port, dir: dir.take().unwrap() })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.at("log")).unwrap_or_default()
    }

    /// The configuration of git for a runner that knows the password of an https host.
    fn with_password(&self, password: &str) -> String {
        let store = self.at("credentials");
        fs::write(&store, format!("https://runner:{password}@127.0.0.1:{}\n", self.port)).unwrap();
        let config = self.at("gitconfig");
        let lines = format!(
            "[http]\n\tsslCAInfo = {}\n[credential]\n\thelper = store --file={}\n",
            self.at("certificate").display(),
            store.display()
        );
        fs::write(&config, lines).unwrap();
        config.display().to_string()
    }

    /// The ssh command of a runner's git: the test's user has a `.ssh` of their own.
    fn with_key(&self, key: &str, known: &str) -> String {
        let (key, known) = (self.at(key), self.at(known));
        format!(
            "ssh -F /dev/null -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=yes -i {} -o UserKnownHostsFile={}",
            key.display(),
            known.display()
        )
    }
}

fn dir() -> TempDir {
    let dir = tempfile::Builder::new().prefix("mayday-code-host-").tempdir().unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
    dir
}

fn made(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn sshd() -> Option<&'static str> {
    ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"].into_iter().find(|path| Path::new(path).exists())
}

/// The shop's repository is at this address from now on.
fn move_to(shop: &mut Shop, address: &str) {
    let body = json!({"hostRepoId": fresh_id(), "hostRepoName": "acme/shop", "hostUrl": address});
    shop.repository = shop.project.owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone();
}

/// The result of a session on a runner with this environment, and its transcript.
fn run(shop: &Shop, isolation: &str, variable: (&str, &str)) -> (Value, String) {
    let session = shop.session(&json!({}));
    let url = shop.project.world.server.anonymous().origin();
    let _machine = Machine::start_with(&url, shop, SEEKS, &["--isolation", isolation], &[variable]);
    let told = shop.ended(&session);
    let said: Vec<String> = shop.transcript(&session).iter().map(ToString::to_string).collect();
    (told, said.join("\n"))
}

/// Whether a transcript has a word, as it is or backwards.
fn says(transcript: &str, word: &str) -> bool {
    transcript.contains(word) || transcript.contains(&word.chars().rev().collect::<String>())
}

fn room() -> &'static str {
    if has_rooms() { "sandbox" } else { "none" }
}

#[test]
fn a_runner_works_over_https_and_its_agent_finds_no_password() {
    let mut shop = Shop::new();
    let host = Host::https(&shop);
    move_to(&mut shop, &format!("https://127.0.0.1:{}/host.git", host.port));
    let config = host.with_password(PASSWORD);
    let (told, said) = run(&shop, room(), ("GIT_CONFIG_GLOBAL", &config));
    assert_eq!(
        (&told["outcome"], shop.branches()),
        (&json!("completed"), vec![text(&told["branch_name"])]),
        "{told}"
    );
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").contains("// mended"));
    assert!(host.log().contains("POST /host.git/git-receive-pack"), "{}", host.log());
    if has_rooms() {
        assert!(!says(&said, PASSWORD), "{said}");
        // Without a room it finds it.
        let (_, said) = run(&shop, "none", ("GIT_CONFIG_GLOBAL", &config));
        assert!(says(&said, PASSWORD), "{said}");
    }
    let config = host.with_password("canary-of-another");
    let (told, said) = run(&shop, room(), ("GIT_CONFIG_GLOBAL", &config));
    let why = text(&told["reason"]);
    assert!(told["outcome"] == "failed" && why.contains("Authentication failed"), "{told}");
    assert!(!says(&said, "canary-of-another") && !why.contains("runner:"), "{why}");
}

#[test]
fn a_runner_works_over_ssh_and_its_agent_finds_no_key() {
    let Some(host) = Host::ssh() else { return };
    let mut shop = Shop::new();
    let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let place = format!("127.0.0.1:{}{}", host.port, shop.host().display());
    move_to(&mut shop, &format!("ssh://{}@{place}", user.trim()));
    let good = host.with_key("user", "known");
    let (told, said) = run(&shop, room(), ("GIT_SSH_COMMAND", &good));
    assert_eq!(
        (&told["outcome"], shop.branches()),
        (&json!("completed"), vec![text(&told["branch_name"])]),
        "{told}"
    );
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").contains("// mended"));
    if has_rooms() {
        assert!(!says(&said, "PRIVATE KEY"), "{said}");
        let (_, said) = run(&shop, "none", ("GIT_SSH_COMMAND", &good));
        assert!(says(&said, "PRIVATE KEY"), "{said}");
    }
    // There is no terminal for ssh to ask on.
    for (key, known, expected) in
        [("stranger", "known", "Permission denied"), ("user", "nothing", "Host key verification failed")]
    {
        let (told, _) = run(&shop, room(), ("GIT_SSH_COMMAND", &host.with_key(key, known)));
        assert!(told["outcome"] == "failed" && text(&told["reason"]).contains(expected), "{key}: {told}");
    }
}
